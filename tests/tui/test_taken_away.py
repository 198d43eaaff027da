"""A screen that is taken away before it was laid out: keys and signals may come that fast."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.css.query import NoMatches

from boardgames_cli.tui.app import build_app
from tests.tui.tables import my_turn, settings, table


@pytest.mark.parametrize("key", ["question_mark", "q", "ctrl+s", "ctrl+p"])
async def test_the_end_may_come_before_a_dialog_is_laid_out(tmp_path: Path, key: str) -> None:
    app = build_app(table(folder=tmp_path), settings(tmp_path))
    async with app.run_test() as pilot:
        await my_turn(pilot, app)
        _press_at_once(app, key)
        app.exit(return_code=143)
    assert app.crash_message == ""
    assert app.return_code == 143


@pytest.mark.parametrize("key", ["question_mark", "q", "ctrl+s", "ctrl+p"])
async def test_a_dialog_may_be_closed_before_it_is_laid_out(tmp_path: Path, key: str) -> None:
    app = build_app(table(folder=tmp_path), settings(tmp_path))
    async with app.run_test() as pilot:
        screen = await my_turn(pilot, app)
        for _ in range(3):
            _press_at_once(app, key)
            app.pop_screen()
            await pilot.pause()
        assert app.screen is screen
    assert app.crash_message == ""


async def test_what_misses_its_parts_while_all_is_shut_down_is_no_fault() -> None:
    app = build_app(table(), settings())
    async with app.run_test() as pilot:
        await my_turn(pilot, app)
    app._handle_exception(NoMatches("its parts were gone before it stood"))
    assert app.crash_message == ""


def _press_at_once(app, key: str) -> None:  # type: ignore[no-untyped-def]
    {
        "question_mark": lambda: app.screen.action_help(),
        "q": lambda: app.screen.action_leave(),
        "ctrl+s": lambda: app.screen.action_save_as(),
        "ctrl+p": lambda: app.action_command_palette(),
    }[key]()
