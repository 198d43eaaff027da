"""What happens at the table, with small games: secrets, joint moves, hints, bad agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation import oracle
from tests.conftest import Program

pytestmark = pytest.mark.usefixtures("toys")

TWO = ("-s", "human:Ann", "-s", "human:Ben")


def test_secrets_of_two_people_need_their_consent(program: Program, tmp_path: Path) -> None:
    outcome = program("play", "cards", *TWO)
    assert outcome.code == 2
    assert "--shared-screen" in outcome.err
    assert not (tmp_path / "saves").exists()
    assert program("play", "cards", *TWO, "--shared-screen").code == 0
    assert program("resume", "cards-1").code == 2
    assert program("resume", "cards-1", "--shared-screen").code == 0


def test_only_what_the_person_may_know_is_shown(program: Program) -> None:
    text = program("play", "cards", "--seed", "1", lines=["b", "pos"]).out
    shown = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("You> {")]
    boards = [line for line in text.splitlines() if line.startswith("board for 0")]
    assert boards
    assert all(board.count("'?'") == 1 for board in boards), "one card is mine, one is not"
    assert shown == []
    (position,) = [json.loads(line) for line in text.splitlines() if line.startswith('{"cards"')]
    assert position["cards"][0] is not None
    assert position["cards"][1] == "?"


def test_spectators_see_no_secret_until_it_is_over(program: Program) -> None:
    lines = program("watch", "cards", "--vs", "first", "--seed", "1").out.splitlines()
    boards = [line for line in lines if line.startswith("board")]
    assert [board.count("'?'") for board in boards] == [0, 2, 0], "start, one guess, both"


def test_choices_made_at_the_same_time_are_not_shown(program: Program) -> None:
    text = program("play", "pennies", *TWO, lines=["heads", "2", "tails"]).out
    before, after = text.split("Ben> ", 1)
    assert "heads" not in before.split("Ann> ")[1].split("board for 1")[0]
    assert "What you type is not shown." in before
    told = after.index("Ann: heads")
    assert told < after.index("Ben: tails")


def test_that_there_is_no_hint_does_not_end_the_game(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise GameError("it never plays.")

    monkeypatch.setattr(oracle, "adviser_for", fail)
    monkeypatch.setattr(oracle.StandIn, "judge", fail)
    text = program("play", "pennies", lines=["i", "1", "q"]).out
    assert "it never plays." in text
    assert "You: heads" in text


def test_long_lists_are_shown_on_request_only(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boardgames_cli.plain import line_mode

    monkeypatch.setattr(line_mode, "MOST_LISTED", 1)
    text = program("play", "pennies", lines=["m", "2", "q"]).out
    assert "2 choices, such as heads; m lists them all." in text
    assert "1 heads   2 tails" in text
