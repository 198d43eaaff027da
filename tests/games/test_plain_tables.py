"""Whole games of every kind in lines: at one keyboard, against agents, left and gone on with."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from boardgames_cli.plain.console import Console
from boardgames_cli.plain.line_mode import PlainTable
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.terminal.signals import SignalWatch
from tests.conftest import Program
from tests.games.tables import DIVERS, SHORT, Screen, people

SIX = ("play", "deepsea", "--players", "6", "--rounds", "1", "--oxygen", "12", "--seed", "3")


def steps(path: Path) -> list[str]:
    """The lines of a save but for the header, which has the time."""
    return path.read_text().splitlines()[1:]


# -- six divers --------------------------------------------------------------------------------


@pytest.fixture
def eighty_columns(monkeypatch: pytest.MonkeyPatch, program: Program) -> Program:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    return program


def test_six_divers_at_one_keyboard(eighty_columns: Program) -> None:
    outcome = eighty_columns(*SIX, *people(*DIVERS), lines=["1"] * 300)
    assert (outcome.code, outcome.err) == (0, "")
    turns = re.findall(r"^(?:Player ([A-F])'s turn|(\w+)> )", outcome.out, re.MULTILINE)
    asked, whose = set(), ""
    for letter, name in turns:
        whose = DIVERS["ABCDEF".index(letter)] if letter else whose
        assert name in ("", whose), "every question is for the diver whose turn it is"
        asked.add(name)
    assert asked == {"", *DIVERS}
    for seat, name in enumerate(DIVERS):
        assert f"Seat {seat + 1} ({'ABCDEF'[seat]}): {name}." in outcome.out
    assert max(map(len, outcome.out.replace(str(Path.cwd()), "").splitlines())) < 80
    *rest, closing_message, review = outcome.out.splitlines()
    # What was earned for the first time follows the result.
    assert any("won with" in line or "share the victory" in line for line in rest)
    assert closing_message == "Saved as deepsea-1. See it again: boardgames replay deepsea-1"
    assert review == "Have it judged: boardgames review deepsea-1"


def test_undo_gives_the_turn_back_to_who_had_it(eighty_columns: Program) -> None:
    text = eighty_columns(*SIX, *people(*DIVERS), lines=["1", "u", "2", "q"]).out
    asked = re.findall(r"^(\w+)> (\S+)$", text, re.MULTILINE)
    assert [answer for _, answer in asked] == ["1", "u", "2", "q"]
    first, second, again, last = [name for name, _ in asked]
    assert again == first
    assert second == last != first
    assert f"{first} left the level-1 chip." in text


def test_one_against_five_agents(eighty_columns: Program) -> None:
    rivals = ["risk", "greedy-classic", "diver:depth=16,n=1", "grabber:3", "random"]
    seats = [word for rival in rivals for word in ("-s", rival)]
    outcome = eighty_columns(*SIX, "-s", "human:Ann", *seats, lines=["1"] * 200)
    assert (outcome.code, outcome.err) == (0, "")
    assert set(re.findall(r"^(\w+)> ", outcome.out, re.MULTILINE)) == {"Ann"}
    facts = json.loads(eighty_columns("replay", "deepsea-1", "--json").out)
    assert facts["over"]
    assert len(facts["returns"]) == len(facts["names"]) == 6
    acted = {seat for step in facts["steps"] for seat in step["step"]} - {"chance"}
    assert acted == set("012345")


def test_an_agent_that_is_gone_leads_to_the_nearest_and_says_so_once(
    eighty_columns: Program,
) -> None:
    outcome = eighty_columns(*SIX, "-s", "human:Ann", "--vs", "planner", lines=["q"])
    assert outcome.code == 0
    note = '"planner" is gone since 0.3. The nearest agent, risk:care=1, plays instead.\n'
    assert outcome.err == note


# -- left in the middle, and gone on with --------------------------------------------------------


@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("left_after", [1, 3])
def test_left_and_resumed_is_the_same_game(
    program: Program, tmp_path: Path, game: str, left_after: int
) -> None:
    words = ["play", game, *SHORT[game], "--vs", "random", "--seed", "10", "--plain"]
    assert program(*words, lines=["1"] * 80).code == 0
    assert program(*words, lines=["1"] * left_after).code == 0
    assert program("saves", "show", f"{game}-2").out.count("not over yet") == 1
    resumed = program("resume", f"{game}-2", "--plain", lines=["1"] * 80)
    assert resumed.code == 0
    assert "This game goes on after step" in resumed.out
    saves = tmp_path / "saves"
    assert steps(saves / f"{game}-1.jsonl") == steps(saves / f"{game}-2.jsonl")


# -- narrow and wide terminals -------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("senet", {}),
        ("tapnswap", {}),
        ("kuhn", {"hands": 2}),
        ("deepsea", {"players": 6, "rounds": 1, "oxygen": 9}),
    ],
)
def test_no_line_is_wider_than_the_terminal(
    game: str, options: dict[str, int], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "24")
    settings = Settings(pace=Pace.INSTANT, save=False)
    setup = Setup(game, options, seats=("human:A-name-of-20-letters",), rest="random", seed=5,
                  max_plies=40)  # fmt: skip
    lines = ["?", "m", "w", "legend", "rules", "l"]
    out = Screen()
    with SignalWatch() as interrupts:
        source = io.StringIO("\n".join([*lines, *["1"] * 60]) + "\n")
        console = Console(interrupts, source, out, io.StringIO())
        table = PlainTable(open_session(setup, settings), settings, console, interrupts)
        table.play()
        table.loop.close()
    text = out.getvalue()
    long = [line for line in text.splitlines() if len(line) > columns and "|" not in line[:2]]
    assert long == []
    assert "A-name-of-20-letters" in text


# -- bad input at the table ------------------------------------------------------------------------
