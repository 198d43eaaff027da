"""Keys that the preferences give to actions."""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.preferences import Preferences
from boardgames_cli.tui.app import keymap_problem, remappable
from boardgames_cli.tui.screens.help import HelpScreen
from tests.conftest import Program
from tests.tui.tables import at_table, on_screen, says, settings, shown, table, text, until


def with_keys(keymap: dict[str, str]) -> Settings:
    return settings(preferences=Preferences(keymap=keymap))


async def test_another_key_takes_the_place_of_the_first() -> None:
    chosen = with_keys({"game.hint": "h", "game.help": "f1,k"})
    async with at_table(table(), chosen) as (pilot, app, screen):
        assert "h hint" in says(app, "#keys")
        assert "i hint" not in says(app, "#keys")
        await pilot.press("i")
        await pilot.pause()
        assert not screen.session.log.remarks
        await pilot.press("h")
        await until(pilot, lambda: bool(screen.session.log.remarks))
        assert "took a hint" in screen.session.log.remarks[0].text
        await pilot.press("k")
        assert isinstance(app.screen, HelpScreen)
        lines = [line for line in shown(app) if "hint; again" in line]
        assert len(lines) == 1
        assert " h " in lines[0]


async def test_an_unknown_id_is_named_and_changes_nothing() -> None:
    chosen = with_keys({"game.hnt": "h", "game.undo": "z"})
    async with at_table(table(), chosen, (120, 40)) as (_, app, screen):
        assert 'unknown id "game.hnt"' in screen.session.log.remarks[0].text
        assert "u undo" in says(app, "#keys")
    async with on_screen(None, with_keys({"menu.strt": "x"}), (120, 40)) as (pilot, app):
        await until(pilot, lambda: 'unknown id "menu.strt"' in text(app))


def test_what_is_wrong_with_a_keymap() -> None:
    assert keymap_problem({}) == ""
    assert keymap_problem({"game.hint": "h"}) == ""
    assert 'Did you mean "game.hint"?' in keymap_problem({"game.hnt": "h"})
    assert "game.hint has no key" in keymap_problem({"game.hint": " "})


def test_every_id_is_listed_once(program: Program, clean_environment: Path) -> None:
    ids = [binding.id for binding in remappable()]
    assert len(ids) == len(set(ids))
    listed = program("config", "keys").out
    assert all(id in listed for id in ids if id)
