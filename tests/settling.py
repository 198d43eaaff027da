"""When a test of a screen may look: Textual's own answer depends on how busy the machine is."""

from __future__ import annotations

import asyncio

import pytest
from textual._context import active_app

SOON = 0.02
"""Seconds: what is due by then is waited for, such as the next step of a table or a new layout."""

_MOST_RINGS = 40
"""Timers that are waited for: where agents play, one follows the other without end."""

_QUIET_TURNS = 3
_NAP = 0.001
_PATIENCE = 60.0


async def settle(min_sleep: float = 0.0, max_sleep: float = _PATIENCE) -> None:
    """Wait until the application has nothing to do, now and soon.

    In the place of `textual._wait.wait_for_idle`, which waits for 20 ms in which this process used
    little of the processor. So it waits where there is nothing to wait for, thousands of times in
    all tests, and does not wait where others have the processor.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + max_sleep
    quiet = rings = 0
    while quiet < _QUIET_TURNS and loop.time() < end:
        due = _next_timer(loop) - loop.time()
        is_ringing = due < SOON and rings < _MOST_RINGS
        rings += is_ringing
        is_waiting = _is_busy()
        await asyncio.sleep(max(0.0, due) if is_ringing else _NAP * is_waiting)
        quiet = 0 if is_ringing or is_waiting or _has_work(loop) else quiet + 1


def _is_busy() -> bool:
    app = active_app.get(None)
    if app is None or not app.is_running:
        return False
    parts = (app, *app._registry)
    if any(part.is_running and not part._message_queue.empty() for part in parts):
        return True
    screens = app.screen_stack if app._screen_stacks else ()
    return any(
        screen._layout_required or screen._repaint_required or screen._update_timer._active.is_set()
        for screen in screens[-1:]
        if screen.is_running
    )


def _has_work(loop: asyncio.AbstractEventLoop) -> bool:
    return bool(loop._ready)  # type: ignore[attr-defined]


def _next_timer(loop: asyncio.AbstractEventLoop) -> float:
    timers = loop._scheduled  # type: ignore[attr-defined]
    return min((timer.when() for timer in timers if not timer.cancelled()), default=float("inf"))


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("textual.app", "textual.pilot"):
        monkeypatch.setattr(f"{place}.wait_for_idle", settle)
