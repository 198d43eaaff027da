"""Keys that the preferences give to actions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from boardgames_cli.storage.preferences import Preferences
from boardgames_cli.tui.app import BoardgamesApp, build_app, keymap_problem, remappable
from boardgames_cli.tui.screens.help import HelpScreen
from boardgames_cli.tui.screens.launcher import Launcher
from tests.conftest import Program
from tests.tui.tables import my_turn, says, settings, shown, table, until


def app_with(keymap: dict[str, str], *, plays: bool = True) -> BoardgamesApp:
    chosen = replace(settings(), preferences=Preferences(keymap=keymap))
    return build_app(table() if plays else None, chosen)


async def test_another_key_takes_the_place_of_the_first() -> None:
    app = app_with({"game.hint": "h", "game.help": "f1,k"})
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
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
    app = app_with({"game.hnt": "h", "game.undo": "z"})
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await my_turn(pilot, app)
        assert 'unknown id "game.hnt"' in screen.session.log.remarks[0].text
        assert "u undo" in says(app, "#keys")
    menu = app_with({"menu.strt": "x"}, plays=False)
    async with menu.run_test(size=(120, 40)) as pilot:
        assert isinstance(menu.screen, Launcher)
        await until(pilot, lambda: 'unknown id "menu.strt"' in "\n".join(shown(menu)))


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
