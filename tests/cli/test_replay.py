from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.storage.preferences import wants_no_motion
from tests.conftest import Program

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was shown on the full screen."""
    from boardgames_cli.tui import app

    found: list[Any] = []

    def run_replay(story: Any, settings: Any) -> int:
        found.append((story, settings))
        return 0

    monkeypatch.setattr(app, "run_replay", run_replay)
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


def test_in_a_pipe_it_is_told(program: Program, saved: str, shown: list[Any]) -> None:
    assert "won" in program("replay", saved).out
    assert not shown


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
