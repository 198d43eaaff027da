"""Signals that end the program, let in only where nothing can be torn.

A signal may come between a step and its line in the save. So the handlers only take note of it,
and it is acted on when the program waits: for a line of input, for an agent, for the next moment.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Self

from boardgames_cli.terminal.startup import Stopped, ending_signals


class SignalHandling(ABC):
    """Handles SIGINT, SIGTERM and SIGHUP; a context manager that gives back the old handlers."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        # Python allows handlers in the main thread only; elsewhere the signals stay as they were.
        if threading.current_thread() is threading.main_thread():
            for number in ending_signals():
                self._before[number] = signal.signal(number, self._arrive)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @abstractmethod
    def _arrive(self, number: int, frame: FrameType | None) -> None:
        """Take note of a signal, or act on it."""


class SignalWatch(SignalHandling):
    """Holds signals back until the program waits."""

    def __init__(self) -> None:
        super().__init__()
        self._pending: int | None = None
        self._is_waiting = False

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Let signals in for a while.

        Raises:
            Stopped: One has come, now or before.
        """
        # In this order: a signal between the two lines is not lost.
        self._is_waiting = True
        try:
            if self._pending is not None:
                raise Stopped(self._pending)
            yield
        finally:
            self._is_waiting = False

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        # The second one takes effect immediately: the user is impatient, with good reason.
        if self._is_waiting or self._pending is not None:
            self._is_waiting = False
            raise Stopped(number)
        self._pending = number
