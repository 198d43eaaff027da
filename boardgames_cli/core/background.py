"""Background jobs: one after the other in a thread, with results dropped that came too late.

A job holds everything that it may know and is made on the front end's thread; the background thread
never touches the match.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

R = TypeVar("R")


@dataclass
class BackgroundJob(ABC, Generic[R]):
    """One piece of work, which looks now and then whether it is still wanted."""

    cancelled: threading.Event = field(default_factory=threading.Event, init=False)

    @abstractmethod
    def run(self, deliver: Callable[[R], None]) -> None:
        """Work, and deliver one result or more; failures are results, too."""


class Background(Generic[R]):
    """Does one job at a time in a thread of its own, which ends when there is nothing to do.

    Args:
        name: The thread's name.
        deliver: Called in that thread with every result that is still wanted.
        is_daemon: Whether the program may end before the thread does.
    """

    def __init__(self, name: str, deliver: Callable[[R], None], *, is_daemon: bool = True) -> None:
        self._name = name
        self._deliver = deliver
        self._is_daemon = is_daemon
        self._jobs: deque[BackgroundJob[R]] = deque()
        self._current: BackgroundJob[R] | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether the thread is at work, even on a job that was stopped."""
        return self._thread is not None

    def put(self, job: BackgroundJob[R]) -> None:
        """Start a job, after the one before has returned; that one's results are dropped."""
        self._replace(job)
        with self._lock:
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name=self._name, daemon=self._is_daemon
                )
                self._thread.start()

    def stop(self) -> None:
        """End the job as soon as possible; its results are no longer wanted."""
        self._replace(None)

    def _replace(self, job: BackgroundJob[R] | None) -> None:
        with self._lock:
            dropped, self._current = self._current, job
        if dropped is not None:
            dropped.cancelled.set()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._thread = None
                    return
                job = self._jobs.popleft()
            self._do(job)

    def _do(self, job: BackgroundJob[R]) -> None:
        def deliver(result: R) -> None:
            if self._current is job:
                self._deliver(result)

        job.run(deliver)


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
