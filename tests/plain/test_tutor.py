"""The tutor in plain text: one question."""

from __future__ import annotations

from tests.conftest import Program
from tests.evaluation.test_tutor import decisions, play_to_a_blunder


def test_it_asks_once_and_plays_what_is_meant(program: Program) -> None:
    *moves, blunder = play_to_a_blunder(decisions("tapnswap"))
    words = ("play", "tapnswap", "-s", "human:Ann", "-s", "human:Ben", "--tutor")
    outcome = program(*words, lines=[*moves, blunder, "", blunder, "y"])
    assert outcome.out.count("Play it? y does, enter thinks again:") == 2
    assert outcome.out.count("with the best choice (exact).") == 2
    assert outcome.out.count("Look again. ") == 1
    assert outcome.out.count("Again: ") == 1, "explained once"
    show = program("replay", "tapnswap-1", "--all").out
    assert show.count("took a hint from the tutor.") == 1, "once for a decision"
