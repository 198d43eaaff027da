"""Every mistake on the command line: one line, the right exit code, and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.session.setup import Settings, Setup, open_session
from tests.conftest import Program

SENET = ("play", "senet")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["play", "sennet"], ['unknown game "sennet"', 'Did you mean "senet"?', "Games: "]),
        (["paly", "senet"], ['unknown command "paly"', 'Did you mean "play"?']),
        (["senet"], ['"senet" is a game', "boardgames play senet"]),
        (["play"], ["which game is meant?", "boardgames play --help"]),
        (["play", "--plain"], ["which game is meant?"]),
        (["watch", "--json"], ["which game is meant?"]),
        (["rules", "sennet"], ['Did you mean "senet"?']),
        (["rules"], ["which game is meant?", "Games: senet ", "rules --help"]),
        (["agents", "x"], ['unknown game "x"']),
        (["saves", "shwo"], ['Did you mean "show"?']),
        (["--bogus"], ['unknown option "--bogus"', "boardgames --help"]),
        (["list", "extra"], ["extra"]),
    ],
)
def test_wrong_names(program: Program, words: list[str], parts: list[str]) -> None:
    refused(program(*words), 2, *parts)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--ruls", "skyruk"], ['unknown option "--ruls"', 'Did you mean "--rules"?']),
        (["--rules", "kendal"], ["rules can't be", "Allowed: kendall, skyruk"]),
        (["--pieces", "6"], ["pieces can't be 6", "Allowed: 5, 7"]),
        (["--pieces", "five"], ["pieces can't be", "Allowed: 5, 7"]),
        (["--seed", "x"], ["--seed", "play senet --help"]),
        (["--pace", "hectic"], ["--pace", "'normal'"]),
        (["--think", "-1"], ["--think"]),
        (["--max-plies", "0"], ["--max-plies"]),
        (["--seed"], ["--seed"]),
        (["-s", "human", "-s", "ai", "-s", "ai"], ["2 seats; you gave 3", "Example: boardgames"]),
        (["--vs", "mcst"], ['unknown agent "mcst"', "Agents: ai easy medium hard"]),
        (["--vs", "greedy:slips=2"], ["slips can't be 2.0", "Allowed: 0 to 1"]),
        (["--vs", "greedy:slpis=1"], ['Did you mean "slips"?']),
        (["--vs", "random:3"], ['"random" has no options']),
        (["--vs", "expectimax:depth=2,depth=3"], ["same option twice"]),
        (["--level", "hrad"], ['unknown level "hrad"', 'Did you mean "hard"?']),
        (["--level", "hard", "--vs", "random"], ["--vs and --level"]),
        (["-s", "human:name=" + "x" * 40], ["can't be shown"]),
        (["-s", "human:age=4"], ['unknown human option "age"']),
        (["--json"], ["--json is for agents only, and seat 1", "boardgames watch senet --json"]),
    ],
)
def test_wrong_options_of_a_game(program: Program, words: list[str], parts: list[str]) -> None:
    refused(program(*SENET, *words), 2, *parts)


def test_the_address_of_a_table_with_a_wrong_code_is_no_game(program: Program) -> None:
    answer = program("watch", "localhost:9999/BADCODE")
    refused(answer, 2, '"BADCODE" is not the code of a table')


@pytest.mark.parametrize(
    ("words", "why"),
    [(["--json"], "--json is for games"), (["--watch", "--agent", "easy"], "needs no agent")],
)
def test_what_can_not_be_at_a_table_is_refused_before_a_seat_is_taken(
    program: Program, words: list[str], why: str
) -> None:
    refused(program("join", "localhost:1/KEGA-3F2P", *words), 2, why)


def test_watching_is_for_agents(program: Program) -> None:
    refused(program("watch", "senet", "-s", "human"), 2, "seat 1 is a person's", "play senet")


START = {"cones": [0, 2, 4], "spools": [1, 3, 5], "player": 0, "steps": None, "pieces": 5}


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"cones": [0, 2, 4, 6, 8, 10]}, "cones has 6 dancers, but a side has only 5"),
        ({"cones": [1]}, "both stand on house 1"),
        ({"cones": [3, 3]}, "two dancers on house 3"),
        ({"spools": [30]}, "on house 30"),
        ({"steps": 6}, "steps is 6"),
        ({"player": 2}, "player is 2"),
        ({"pieces": 7}, "pieces is 7"),
        ({"cones": [], "spools": []}, "both empty"),
        ({"extra": 1}, 'unknown field "extra"'),
    ],
)
def test_impossible_positions(
    program: Program, tmp_path: Path, change: dict[str, object], part: str
) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps({**START, **change}))
    refused(program(*SENET, "--position", str(path)), 4, part)
    assert not (tmp_path / "saves").exists(), "nothing was begun"


def test_position_files_that_are_none(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    refused(program(*SENET, "--position", str(path)), 4, "can't be read")
    path.write_text("[1")
    refused(program(*SENET, "--position", str(path)), 4, "is not JSON")
    path.write_text("[1]")
    refused(program(*SENET, "--position", str(path)), 4, "not a JSON object")


def test_saves_that_cannot_be_used(program: Program, tmp_path: Path) -> None:
    refused(program("resume"), 4, "no unfinished game", "boardgames play senet")
    refused(program("resume", "senet-1"), 4, 'no save "senet-1"')
    assert program(*SENET, "--vs", "random", "--seed", "1", lines=["1"]).code == 0
    path = tmp_path / "saves" / "senet-1.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], '{"0": "30>1"}', *lines[2:]]) + "\n")
    for words in (["resume", "senet-1"], ["replay", "senet-1"], ["saves", "show", "senet-1"]):
        refused(program(*words), 4, "line 3")
    path.write_text("\n".join([lines[0], "oops", *lines[1:]]) + "\n")
    refused(program("resume", "senet-1"), 4, "senet-1.jsonl, line 2", "read as JSON")
    path.write_text('{"some": "file"}\n')
    refused(program("resume", "senet-1"), 4, "line 1", "not a save of boardgames")
    assert program("saves").out.startswith("There are no saves in ")


def test_save_folder_that_cannot_be_written(program: Program, tmp_path: Path) -> None:
    # A file where the folder should be: nobody can write there, not even root.
    (tmp_path / "file").write_text("")
    outcome = program(*SENET, "--save-dir", str(tmp_path / "file" / "saves"))
    refused(outcome, 4, "can't be written", "--no-save")
    assert program("doctor", "--save-dir", str(tmp_path / "file" / "saves")).code == 4


def test_finished_game_cannot_be_resumed(program: Program) -> None:
    assert program("watch", "senet", "--vs", "random", "--json").code == 0
    refused(program("resume", "senet-1"), 2, "is over", "boardgames replay senet-1")


def test_deleting_needs_somebody_to_ask(program: Program) -> None:
    program("watch", "senet", "--vs", "random", "--json")
    refused(program("saves", "delete", "senet-1"), 2, "no terminal to ask", "--yes")
    assert program("saves", "delete", "senet-1", "--yes").code == 0
    refused(program("saves", "delete", "senet-1", "--yes"), 4, 'no save "senet-1"')


BOMBS = ("play", "pommerman")
TWO = ("-s", "human:Ann", "-s", "human:Ben")


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        ((*BOMBS, "--tick", "0.5", "--plain"), 2, ["--tick is for the full screen", "plain text"]),
        (("watch", "pommerman", "--tick", "1", "--json"), 2, ["--tick is for the full screen"]),
        ((*BOMBS, "--tick", "0.5", "--tutor"), 2, ["there is no tutor in real time", "--tick out"]),
        (("play", "senet", "--tick", "1"), 2, ['unknown option "--tick"']),
        ((*BOMBS, "--tick", "0"), 2, ["--tick", "0.1"]),
        ((*BOMBS, "--tick", "soon"), 2, ["--tick", "soon"]),
        ((*BOMBS, *TWO, "--mode", "team", "--plain"), 2, ["secrets", "--shared-screen"]),
        (
            ("watch", "pommerman", "--view-as", "e"),
            2,
            ['unknown viewpoint "e"', "all public 1 2 3 4"],
        ),
        (("watch", "senet", "--view-as", "all"), 2, ['unknown option "--view-as"']),
        ((*BOMBS, "--view-as", "all"), 2, ['unknown option "--view-as"']),
        ((*BOMBS, "--mode", "quartet"), 2, ["mode", "ffa, team, radio, duel"]),
        ((*BOMBS, "--rerun-ties", "--steps", "100"), 2, ["first_collapse can't be 500"]),
    ],
)
def test_real_time_and_viewpoints_where_they_can_not_be(
    program: Program, words: tuple[str, ...], code: int, parts: list[str]
) -> None:
    refused(program(*words), code, *parts)


@pytest.mark.parametrize(
    ("game", "seats", "words"),
    [
        ("pennies", ("human", "human"), "Pennies can't be played in real time"),
        ("pommerman", ("human", "human", "human"), "at most 2 people fit at one keyboard, not 3"),
        ("fog", ("human", "human"), "2 people look at one screen"),
    ],
)
@pytest.mark.usefixtures("toys")
def test_real_time_is_refused_where_people_could_not_play(
    game: str, seats: tuple[str, ...], words: str
) -> None:
    setup = Setup(game, seats=seats)
    if game == "fog":
        setup = Setup("pommerman", {"mode": "team"}, seats)
    with pytest.raises(GameError, match=words):
        open_session(setup, Settings(save=False, tick=0.5))


def refused(outcome: object, code: int, *parts: str) -> None:
    from tests.conftest import Outcome

    assert isinstance(outcome, Outcome)
    assert outcome.code == code, outcome
    for part in parts:
        assert part in outcome.err
    assert outcome.err.count("\n") == 1, "one line"
    assert "Traceback" not in outcome.err
    assert "\x1b" not in outcome.out + outcome.err
