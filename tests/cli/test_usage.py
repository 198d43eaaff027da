"""Every mistake on the command line: one line, the right exit code, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.session.setup import Settings, Setup, open_session
from tests.conftest import Program

SENET = ("play", "senet")


def test_nothing_is_begun_from_an_impossible_position(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text('{"cones": [1], "spools": [1], "player": 0, "steps": null, "pieces": 5}')
    refused(program(*SENET, "--position", str(path)), 4, "both stand on house 1")
    assert not (tmp_path / "saves").exists()


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
