"""A long game costs as much per step as a short one."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import Any

from boardgames_cli.plain.console import Console
from boardgames_cli.plain.page import GamePage
from boardgames_cli.session.match_driver import BlockingLoop
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Event
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.terminal.signals import SignalWatch


def lines_a_step(folder: Path, hands: int) -> float:
    """Executed lines of Python for one step of a printed and saved game."""
    settings = Settings(save_folder=folder, pace=Pace.INSTANT)
    session = open_session(Setup("kuhn", {"hands": hands}, ("random", "random"), seed=1), settings)
    console = Console(SignalWatch(), None, io.StringIO(), io.StringIO())
    page = GamePage(session, settings, console)
    loop = BlockingLoop(session, contextlib.nullcontext, lambda _: None)
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        while loop.advance() is not Event.OVER:
            page.print_news()
    finally:
        sys.settrace(before)
    plies = session.match.ply
    loop.close()
    return count / plies


def test_the_work_of_a_step_does_not_grow(tmp_path: Path) -> None:
    lines_a_step(tmp_path, 2)  # fills caches
    assert lines_a_step(tmp_path, 160) < 1.1 * lines_a_step(tmp_path, 40)
