"""Termination signals, handled only at safe points.

A signal may arrive between a step and its line in the save. So the handlers only record it, and it
takes effect when the program waits: for input, for an agent, or for time to pass.
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
    """A context manager that handles SIGINT, SIGTERM and SIGHUP, and restores the old handlers."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        # Python allows handlers in the main thread only; in other threads nothing is changed.
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
        """Record a signal, or act on it."""


class SignalWatch(SignalHandling):
    """Defers signals until the program waits."""

    def __init__(self) -> None:
        super().__init__()
        self._pending: int | None = None
        self._is_waiting = False

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Let signals take effect inside the context.

        Raises:
            Stopped: A signal has arrived, now or earlier.
        """
        # The order matters: a signal between the two lines is not lost.
        self._is_waiting = True
        try:
            if self._pending is not None:
                raise Stopped(self._pending)
            yield
        finally:
            self._is_waiting = False

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        # A second signal takes effect immediately: the user is impatient, with good reason.
        if self._is_waiting or self._pending is not None:
            self._is_waiting = False
            raise Stopped(number)
        self._pending = number
