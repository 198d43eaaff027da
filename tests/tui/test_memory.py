"""What is over is forgotten: memory stays flat however many games are played in one sitting."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.table import GameScreen
from tests.tui.tables import game_screen, on_screen, table, until

pytestmark = pytest.mark.slow

WARM_UP, MORE = 5, 20


async def result(pilot: Pilot[None], app: BoardgamesApp) -> None:
    """Wait for the end of the game."""
    await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))


async def rematch(pilot: Pilot[None], app: BoardgamesApp) -> list[weakref.ref[Any]]:
    """Play again; returns what should be forgotten now."""
    await result(pilot, app)
    old: list[weakref.ref[Any]] = [
        weakref.ref(game_screen(app)),
        weakref.ref(game_screen(app).session),
    ]
    await pilot.press("r")
    await until(pilot, lambda: is_other_table(app, old[0]))
    return old


def is_other_table(app: BoardgamesApp, old: Callable[[], object]) -> bool:
    tables = [screen for screen in app.screen_stack if isinstance(screen, GameScreen)]
    return bool(tables) and tables[0] is not old()


def count_objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def still_there(over: list[weakref.ref[Any]]) -> int:
    gc.collect()
    return sum(reference() is not None for reference in over)


async def at_last(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Hold it to what is so once all is done: screens and threads end while others go on."""
    for _ in range(100):
        if condition():
            return
        await pilot.pause(0.005)
    assert condition(), "something is left behind"


async def test_rematches_leave_nothing_behind() -> None:
    async with on_screen(table("cards", ("random", "random"))) as (pilot, app):
        over: list[weakref.ref[Any]] = []
        for _ in range(WARM_UP):
            over += await rematch(pilot, app)
        await result(pilot, app)
        before, threads = count_objects(), threading.active_count()
        for _ in range(MORE):
            over += await rematch(pilot, app)
        await result(pilot, app)
        # The test's own pilot remembers the last screens that it has seen for a while.
        await at_last(pilot, lambda: still_there(over) <= 6)
        await at_last(pilot, lambda: count_objects() < before * 1.02)
        await at_last(pilot, lambda: threading.active_count() <= threads)


async def test_the_menu_leaves_nothing_behind() -> None:
    async with on_screen(None) as (pilot, app):
        over: list[weakref.ref[Any]] = []
        for _ in range(6):
            await until(pilot, lambda: isinstance(app.screen, Launcher))
            over.append(weakref.ref(app.screen))
            await app.open_menu()
        await at_last(pilot, lambda: still_there(over) <= 1)
