"""Timers that the machine is late for: Textual leaves them out, and a table would stand still."""

from __future__ import annotations

import asyncio
import itertools
import time
import types

import pytest
import textual.timer
from textual.message_pump import MessagePump

from boardgames_cli.tui.app import BoardgamesApp
from tests.tui.tables import at_table, game_screen, on_screen, table, until

LATE = 0.012
"""Seconds: longer than the timers between two steps and after a new size (1/120), and no longer
than a process may have to wait for its turn on a busy machine."""


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine so busy that the time of a timer is over before its task can look at the clock."""
    looks = itertools.count()
    clock = types.SimpleNamespace(get_time=lambda: time.monotonic() + LATE * next(looks))
    monkeypatch.setattr(textual.timer, "_time", clock)


async def test_a_table_goes_on_when_a_timer_is_late(late: None) -> None:
    async with at_table(table("senet")) as (_, _app, screen):
        assert screen.session.match.ply > 0


async def test_a_new_size_is_noticed_when_a_timer_is_late(late: None) -> None:
    async with at_table(table("senet")) as (pilot, app, _):
        for size in ((120, 40), (60, 20)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: app.screen.size == size)  # noqa: B023


def pumps(app: BoardgamesApp) -> list[MessagePump]:
    """All that set timers of their own."""
    screen = game_screen(app)
    return [app, screen, screen.panes]


@pytest.mark.parametrize("number", range(3), ids=["app", "screen", "panes"])
async def test_whoever_sets_a_timer_hears_it(late: None, number: int) -> None:
    async with on_screen(table("senet")) as (pilot, app):
        await until(pilot, lambda: len(app.screen_stack) > 1)
        rung: list[bool] = []
        pumps(app)[number].set_timer(LATE / 2, lambda: rung.append(True))
        await until(pilot, lambda: bool(rung))
        assert rung == [True]


async def test_a_timer_that_is_stopped_does_not_ring(late: None) -> None:
    async with at_table(table("senet")) as (pilot, _, screen):
        rung: list[str] = []
        screen.set_timer(LATE / 2, lambda: rung.append("stopped")).stop()
        screen.set_timer(LATE / 2, lambda: rung.append("left"))
        await until(pilot, lambda: bool(rung))
        assert rung == ["left"]


async def test_a_timer_that_has_rung_can_still_be_stopped() -> None:
    async with at_table(table("senet")) as (pilot, _, screen):
        rung: list[str] = []
        seen: list[str] = []
        timer = screen.set_timer(0.001, lambda: rung.append("stopped"))

        async def hold() -> None:
            await asyncio.sleep(0.1)  # the message of the timer waits behind this one
            timer.stop()

        screen.call_later(hold)
        screen.set_timer(0.2, lambda: seen.append("left"))
        await until(pilot, lambda: bool(seen))
        assert not rung
