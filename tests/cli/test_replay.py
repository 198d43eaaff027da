from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardgames_cli.storage.paths import data_folder
from boardgames_cli.storage.preferences import wants_no_motion
from tests.conftest import Program

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was shown on the full screen."""
    found: list[Any] = []

    def run_screen(settings: Any, screen: Any) -> int:
        found.append((screen.replay, settings))
        return 0

    screen = SimpleNamespace(run_screen=run_screen)
    monkeypatch.setitem(sys.modules, "boardgames_cli.tui.app", screen)
    return found


@pytest.fixture
def saved(program: Program) -> str:
    program("play", "race", "--vs", "random", "--seed", "3", lines=["1"] * 40)
    return "race-1"


def test_on_a_full_screen_it_opens_the_table(
    program: Program, saved: str, shown: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXTUAL_DRIVER", "any")
    monkeypatch.setenv("BOARDGAMES_REDUCED_MOTION", "1")
    assert program("replay", saved).code == 0
    ((story, settings),) = shown
    assert story.match.is_over
    assert settings.reduced_motion


@pytest.mark.parametrize(
    "flags", [["--plain"], ["--all"], ["--boards"], ["--no-color"], ["--json"]]
)
def test_what_asks_for_text_gets_text(
    program: Program, saved: str, shown: list[Any], monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("TEXTUAL_DRIVER", "any")
    assert program("replay", saved, *flags).out
    assert not shown


def test_without_a_name_it_is_the_finished_game_played_last(program: Program, saved: str) -> None:
    program("play", "race", "--vs", "random", lines=["q"])
    assert program("replay").out == program("replay", saved).out


@pytest.mark.parametrize(
    ("environment", "is_still"),
    [
        ({}, False),
        ({"BOARDGAMES_REDUCED_MOTION": ""}, False),
        ({"BOARDGAMES_REDUCED_MOTION": "0"}, False),
        ({"BOARDGAMES_REDUCED_MOTION": "1"}, True),
        ({"TEXTUAL_ANIMATIONS": "none"}, True),
        ({"TEXTUAL_ANIMATIONS": "full"}, False),
    ],
)
def test_motion_is_reduced_on_request(environment: dict[str, str], is_still: bool) -> None:
    assert wants_no_motion(environment) is is_still


def test_every_command_finds_a_game_from_another_folder(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is ``./saves``, its saves are found, too; new ones go home."""
    monkeypatch.delenv("BOARDGAMES_SAVES")
    program("play", "race", "--vs", "random", "--seed", "3", lines=["1"] * 40)
    program("play", "race", "--vs", "random", "--seed", "4", lines=["q"])
    home = data_folder() / "saves"
    assert sorted(path.name for path in home.iterdir()) == ["race-1.jsonl", "race-2.jsonl"]
    Path("saves").mkdir()
    (home / "race-1.jsonl").rename("saves/race-1.jsonl")
    ours = program("play", "race", "--vs", "random", lines=["q"])
    assert "race-3" in ours.out, "a name that is taken in either folder is not used again"
    assert (home / "race-3.jsonl").exists()
    for words in ("replay race-1 --all", "saves show race-1", "review race-1 --plain"):
        assert program(*words.split()).code == 0, words
    assert program("resume", "race-2", lines=["q"]).code == 0
    listed = program("saves")
    assert {line.split()[0] for line in listed.out.splitlines()[1:]} == {
        "race-1", "race-2", "race-3"}  # fmt: skip
    assert f"new games are saved in {home}" in listed.err
    assert program("saves", "delete", "race-2", "-y").code == 0
    assert not (home / "race-2.jsonl").exists()
    assert program("replay", "race-3", "--save-dir", "saves").code == 4, "a folder was chosen"
    assert "perfect won 4 chips." in program("replay", "sample-kuhn", "--all").out
    assert "comes with the program" in program("saves", "delete", "sample-kuhn", "-y").err


def test_of_two_saves_with_one_name_the_other_is_found_by_its_path(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOARDGAMES_SAVES")
    program("play", "race", "--vs", "random", "--seed", "3", lines=["1"] * 40)
    home, far = data_folder() / "saves" / "race-1.jsonl", Path("saves/race-1.jsonl")
    far.parent.mkdir()
    shutil.copy(home, far)
    listed = {line.split()[0] for line in program("saves").out.splitlines()[1:]}
    assert listed == {"race-1", str(far)}
    assert program("replay", str(far), "--all").code == 0
    assert program("saves", "delete", "race-1", "-y").code == 0
    assert far.exists()
