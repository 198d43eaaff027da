"""Where batches are played: here, in processes of this machine, or on a Dask cluster (`cluster`).

All through the standard interface, `concurrent.futures.Executor`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, ClassVar

from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import use_plugins
from boardgames_cli.tournament.players import Job, release_players
from boardgames_cli.tournament.schedule import Deal
from boardgames_cli.tournament.worker import BatchResult, play_batch


class Pool(ABC):
    """Workers that play batches."""

    plays_here: ClassVar[bool] = False
    """Whether `submit` itself plays, in the caller's thread."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many batches can be played at the same time, at least 1."""

    @abstractmethod
    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Let some worker play a batch."""

    def check(self) -> None:  # noqa: B027  # most pools always can
        """Find out whether it can play at all; asked when a batch was given back unplayed.

        Raises:
            GameError: It can't any more.
        """

    @abstractmethod
    def restart(self) -> None:
        """End all workers that play, whatever they do, and go on with new ones."""

    @abstractmethod
    def close(self) -> None:
        """End all workers now."""


class InProcessExecutor(Executor):
    """Does what is submitted at once, and gives it as a future that is done."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it. Interrupts come through; errors are in the future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class InProcessPool(Pool):
    """Plays in this process and thread."""

    plays_here = True

    def __init__(self) -> None:
        self._executor = InProcessExecutor()

    @property
    def size(self) -> int:
        """One."""
        return 1

    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Play a batch now."""
        return self._executor.submit(play_batch, job, deals)

    def restart(self) -> None:
        """Make all players anew."""
        release_players()

    def close(self) -> None:
        """End agents that run elsewhere."""
        release_players()


class ProcessPool(Pool):
    """Plays in processes of this machine, which end with this one, however it ends.

    Args:
        jobs: How many.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor = self._begin()

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._jobs

    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Let the next free process play a batch.

        The future raises `concurrent.futures.BrokenExecutor` if any process has died; then only
        `restart` helps.
        """
        return self._executor.submit(play_batch, job, deals)

    def restart(self) -> None:
        """Kill all processes and begin with new ones."""
        self.close()
        self._executor = self._begin()

    def close(self) -> None:
        """Kill all processes."""
        # Until Python 3.14 has `kill_workers` everywhere; a hung one would never end by itself.
        processes = dict(self._executor._processes or {})
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.kill()
        for process in processes.values():
            process.join()

    def _begin(self) -> ProcessPoolExecutor:
        # Spawned: a fork of a process with threads may hang, and this program has some.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, context, _prepare, (plugin_entries(),))


def _prepare(plugins: list[tuple[str, str, str]]) -> None:
    """Get a new worker process ready."""
    # Ctrl+C reaches all processes of a terminal; the first one decides what is to happen.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plugins != plugin_entries():
        use_plugins(plugins)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def core_count() -> int:
    """How many processes can run at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def make_pool(jobs: int) -> Pool:
    """A pool of this machine.

    Args:
        jobs: How many games are played at the same time; one is played in this process.
    """
    return InProcessPool() if jobs == 1 else ProcessPool(jobs)
