from __future__ import annotations

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.match import Match
from boardgames_cli.registry import make
from boardgames_cli.session.driven_match import JointStep
from tests.toys import Pennies


def duel() -> tuple[Match, JointStep]:  # type: ignore[type-arg]
    match: Match = Match(make("pommerman", mode="duel"), seed=1)  # type: ignore[type-arg]
    match.resolve_chance()
    return match, JointStep(match)


def order(match: Match, text: str) -> object:  # type: ignore[type-arg]
    return match.game.parse(match.state, 0, text)


def test_the_last_choice_of_each_counts_and_silence_lets_time_pass() -> None:
    match, joint = duel()
    joint.choose(0, order(match, "up"))
    joint.choose(0, order(match, "bomb"))
    assert {seat: str(action) for seat, action in joint.complete().items()} == {
        0: "bomb",
        1: "stop",
    }
    assert match.ply == 1
    assert not match.committed


def test_choices_are_forgotten_when_the_match_goes_on() -> None:
    match, joint = duel()
    joint.choose(0, order(match, "up"))
    for seat, action in joint.complete().items():
        match.submit(seat, action)
    assert joint.chosen == {}
    joint.choose(1, order(match, "down"))
    assert list(joint.chosen) == [1]


@pytest.mark.parametrize(("seat", "words"), [(0, "not a move"), (7, "no seat 7")])
def test_what_is_not_legal_is_refused(seat: int, words: str) -> None:
    match, joint = duel()
    action = "fly" if seat == 0 else order(match, "up")
    with pytest.raises(IllegalActionError, match=words):
        joint.choose(seat, action)
    assert joint.chosen == {}


def test_a_game_that_waits_for_everybody_does_not_go_on_alone() -> None:
    match: Match = Match(Pennies(), seed=1)  # type: ignore[type-arg]
    joint = JointStep(match)
    joint.choose(0, "heads")
    with pytest.raises(IllegalActionError, match="seat 2 must choose in Pennies"):
        joint.complete()
    joint.choose(1, "tails")
    assert joint.complete() == {0: "heads", 1: "tails"}
