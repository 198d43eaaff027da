"""Signals that end the program while it has the whole screen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from types import FrameType, TracebackType
from typing import Final, Protocol, Self

from boardgames_cli.terminal.guard import TerminalGuard
from boardgames_cli.terminal.signals import SignalHandling

_PATIENCE: Final = 1.0
"""Seconds after which a second signal is taken as meant."""


class OnScreen(Protocol):
    """What an application must be able to do."""

    @property
    def is_on_screen(self) -> bool:
        """Whether the terminal shows the application now."""
        ...

    def exit(self, result: None = None, return_code: int = 0) -> None:
        """End as soon as possible."""


class AppSignals(SignalHandling):
    """Ends an application by SIGINT, SIGTERM and SIGHUP, whenever they come.

    A signal that comes before the first screen stands is acted on when it does: an application
    can't be taken down while it is being put up. At the end the terminal is as it was before.

    Args:
        app: The application.
    """

    def __init__(self, app: OnScreen) -> None:
        super().__init__()
        self._app = app
        self._guard: TerminalGuard | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._code = 0
        self._since = 0.0

    def __enter__(self) -> Self:
        self._guard = TerminalGuard()
        return super().__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._restore()
        super().__exit__(kind, error, traceback)

    def let_in(self) -> None:
        """Act on what has come, and on what is to come; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        if self._code:
            self._end()

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._code:
            self._code, self._since = 128 + number, now
            if self._loop is not None:
                with contextlib.suppress(RuntimeError):  # it has ended already
                    self._loop.call_soon_threadsafe(self._end)
        elif now > self._since + _PATIENCE:
            self._restore()
            os._exit(128 + number)

    def _end(self) -> None:
        self._app.exit(return_code=self._code)

    def _restore(self) -> None:
        if self._guard is not None:
            self._guard.restore(is_on_screen=self._app.is_on_screen)
