"""From options to a front end."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from boardgames_cli.cli import open_table
from boardgames_cli.cli.command import CommonOptions
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.main import run
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.settings import Pace, Settings


class FakeScreen(ModuleType):
    """Stands for the full-screen front end."""

    def __init__(self) -> None:
        super().__init__("boardgames_cli.tui.app")
        self.calls: list[tuple[str, Any]] = []

    def run_game(self, session: Any, settings: Settings) -> int:
        self.calls.append((session.game.info.id, settings))
        session.close()
        return 7

    def run_screen(self, settings: Settings) -> int:
        self.calls.append(("launcher", settings))
        return 8


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, clean_environment: Path) -> FakeScreen:
    fake = FakeScreen()
    monkeypatch.setitem(sys.modules, "boardgames_cli.tui.app", fake)
    monkeypatch.setenv("TEXTUAL_DRIVER", "any")
    return fake


def test_terminal_opens_the_full_screen(screen: FakeScreen) -> None:
    assert run(["play", "senet", "--pace", "slow", "--think", "0.5"]) == 7
    ((game, settings),) = screen.calls
    assert game == "senet"
    assert (settings.pace, settings.think_seconds) == (Pace.SLOW, 0.5)


def test_nothing_at_all_opens_the_launcher(
    screen: FakeScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDGAMES_PACE", "fast")
    monkeypatch.setenv("BOARDGAMES_GLYPHS", "ascii")
    assert run([]) == 8
    ((_, settings),) = screen.calls
    assert settings.pace is Pace.FAST
    assert settings.glyphs is Glyphs.ASCII


def test_wrong_variable_is_told_like_a_wrong_option(
    screen: FakeScreen, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOARDGAMES_PACE", "hectic")
    assert run([]) == 2
    assert "BOARDGAMES_PACE" in capsys.readouterr().err
    assert run(["play", "senet", "--pace", "slow"]) == 7, "an option beats a variable"


def test_resume_opens_the_full_screen_too(screen: FakeScreen) -> None:
    assert run(["play", "senet", "--vs", "random"]) == 7
    assert run(["resume", "senet-1"]) == 7
    assert len(screen.calls) == 2


def test_people_with_secrets_may_use_the_full_screen(screen: FakeScreen, toys: None) -> None:
    assert run(["play", "cards", "-s", "human:Ann", "-s", "human:Ben"]) == 7


def test_no_colours_beat_a_theme_in_every_full_screen(
    screen: FakeScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, theme in (("BOARDGAMES_THEME", "light"), ("NO_COLOR", "monochrome")):
        monkeypatch.setenv(variable, "light")
        front, settings = open_table.front_end(CommonOptions())
        assert (front, settings.theme) == (Front.TUI, theme)
