"""Background jobs, with results dropped that came too late.

A job holds everything that it may know and is made on the front end's thread; the background thread
never touches the match.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

R = TypeVar("R")


@dataclass
class BackgroundJob(ABC, Generic[R]):
    """Work in a thread of its own, which looks now and then whether it is still wanted."""

    cancelled: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    @property
    def is_running(self) -> bool:
        """Whether the thread is at work, even if the job was cancelled."""
        return self._thread is not None and self._thread.is_alive()

    @abstractmethod
    def run(self, deliver: Callable[[R], None]) -> None:
        """Work, and deliver one result or more; failures are results, too."""

    def start(self, deliver: Callable[[R], None]) -> None:
        """Begin; every result is delivered in that thread, until the job is cancelled."""

        def tell(result: R) -> None:
            if not self.cancelled.is_set():
                deliver(result)

        # The program may end before it does.
        self._thread = threading.Thread(target=self.run, args=(tell,), name="job", daemon=True)
        self._thread.start()


_TEN: Final = 10


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of training, a tournament, a review or other long work."""

    done: int
    """The amount of work done, including earlier runs."""
    total: int | None
    """The whole amount; None if it depends on results."""
    unit: str
    """The unit of work, such as ``games``."""
    rate: float = 0.0
    """The amount of work per second in this run; 0 if it is unknown."""
    brief: str = ""
    """The latest figure, for a progress bar."""
    line: str = ""
    """The latest measurement as a line; it is printed when it changes, where there is no bar."""

    @property
    def seconds_left(self) -> float | None:
        """The estimated remaining time, if it is known."""
        if self.total is None or not self.rate:
            return None
        return (self.total - self.done) / self.rate

    @property
    def pace(self) -> str:
        """Such as ``35 a second, 0:00:54 left``; empty if it is unknown."""
        if not self.rate:
            return ""
        speed = f"{self.rate:,.{0 if self.rate >= _TEN else 1}f} a second"
        if self.seconds_left is None:
            return speed
        minutes, seconds = divmod(round(self.seconds_left), 60)
        return f"{speed}, {minutes // 60}:{minutes % 60:02}:{seconds:02} left"

    def __str__(self) -> str:
        """Such as ``120 of 2,000 games, 35 a second, 0:00:54 left``."""
        of = "" if self.total is None else f" of {self.total:,}"
        pace = f", {self.pace}" if self.pace else ""
        return f"{self.done:,}{of} {self.unit}{pace}"
