"""Worker pools: in this process, in local processes, or on a Dask cluster (`cluster`).

All use the standard interface `concurrent.futures.Executor`.
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
        """The number of batches played concurrently, at least 1."""

    @abstractmethod
    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Submit a batch to a worker."""

    def check(self) -> None:  # noqa: B027  # most pools always can
        """Check that the pool can still play; called when a batch was returned unplayed.

        Raises:
            GameError: It can't.
        """

    @abstractmethod
    def restart(self) -> None:
        """Kill all busy workers and continue with new ones."""

    @abstractmethod
    def close(self) -> None:
        """Kill all workers."""


class InProcessExecutor(Executor):
    """Runs submitted calls immediately and returns finished futures."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function. Interrupts propagate; errors are stored in the future."""
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
        """Create all players again."""
        release_players()

    def close(self) -> None:
        """Close agents in other processes."""
        release_players()


class ProcessPool(Pool):
    """Plays in local processes, which always end with this one.

    Args:
        jobs: The number of processes.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor = self._begin()

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._jobs

    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Submit a batch to the next free process.

        The future raises `concurrent.futures.BrokenExecutor` if any process has died; the pool must
        then be restarted.
        """
        return self._executor.submit(play_batch, job, deals)

    def restart(self) -> None:
        """Kill all processes and start new ones."""
        self.close()
        self._executor = self._begin()

    def close(self) -> None:
        """Kill all processes."""
        # Replaceable by `kill_workers` of Python 3.14; a hung process would never end by itself.
        processes = dict(self._executor._processes or {})
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.kill()
        for process in processes.values():
            process.join()

    def _begin(self) -> ProcessPoolExecutor:
        # Spawned, because a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, context, _prepare, (plugin_entries(),))


def _prepare(plugins: list[tuple[str, str, str]]) -> None:
    """Initialize a worker process."""
    # Ctrl+C reaches all processes of a terminal; only the main one handles it.
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
    """The number of processor cores available."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def make_pool(jobs: int) -> Pool:
    """Make a local pool.

    Args:
        jobs: The number of concurrent games; 1 plays in this process.
    """
    return InProcessPool() if jobs == 1 else ProcessPool(jobs)
