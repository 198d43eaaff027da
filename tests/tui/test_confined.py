"""The screens of a visitor: what needs the owner of the machine is not offered."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from boardgames_cli.core import plugins
from boardgames_cli.registry import make
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.tui.driver import TerminalDriver
from boardgames_cli.tui.screens.launcher import Launcher
from tests.tui.tables import on_screen, settings, shown, until


@pytest.fixture(autouse=True)
def confined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_confined", [True])


async def test_a_program_typed_into_the_form_is_refused(tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path / "saves"), size=(120, 40)) as (pilot, app):
        launcher = app.screen
        assert isinstance(launcher, Launcher)
        launcher.form.more.pick("shown")
        field = next(field for field in launcher.form.fields if field.key == "seat1")
        at = launcher.form.fields.index(field)
        await pilot.press(*["down"] * at, *["left"] * 9)
        while not field.takes_text:
            await pilot.press("left")
        await pilot.press("e", *"cmd:id", "enter", "s")
        assert app.screen is launcher
        assert "not for games in a browser" in field.problem
    assert not (tmp_path / "saves").exists()


async def test_a_save_that_names_a_program_asks_nothing(tmp_path: Path) -> None:
    seats = ("human", f"cmd:touch {tmp_path}/ran")
    Store(tmp_path).create(new_header(make("senet"), seed=1, seats=seats)).close()
    async with on_screen(None, settings(tmp_path), size=(120, 40)) as (pilot, app):
        launcher = app.screen
        await until(pilot, lambda: any("Senet, You v" in line for line in shown(app)))
        await pilot.press("c")
        await until(pilot, lambda: any("not for the browser" in line for line in shown(app)))
        assert app.screen is launcher
    assert not (tmp_path / "ran").exists()


def test_no_browser_opens_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url, **_: opened.append(url))
    driver = TerminalDriver.__new__(TerminalDriver)
    driver.open_url("https://example.org")
    assert opened == []
    monkeypatch.setattr(plugins, "_confined", [])
    driver.open_url("https://example.org")
    assert opened == ["https://example.org"]


async def test_the_menu_offers_what_is_served(tmp_path: Path) -> None:
    Store(tmp_path).create(new_header(make("senet"), seed=1, seats=("human", "human"))).close()
    async with on_screen(None, settings(tmp_path, games=("race",)), size=(120, 40)) as (pilot, app):
        await until(pilot, lambda: any("no unfinished game" in line for line in shown(app)))
        assert not any("Senet" in line for line in shown(app))
        await pilot.press("2")
        assert isinstance(app.screen, Launcher)
        assert app.screen.form.spec.info.id == "race"
