"""Worker pools: in this process, in local processes, or on a Dask cluster (`cluster`).

All return the futures of `concurrent.futures`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar, TypeAlias

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
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers: list[_Worker] = []

    @property
    def size(self) -> int:
        """The number of processes."""
        return self._jobs

    @property
    def pids(self) -> list[int]:
        """The processes started so far."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def submit(self, job: Job, deals: Sequence[Deal]) -> Future[BatchResult]:
        """Submit a batch to the next free process.

        The future raises `concurrent.futures.BrokenExecutor` if its process has died; the pool must
        then be restarted.
        """
        if len(self._workers) < self._jobs:
            self._workers.append(_Worker(self._tasks))
        future: Future[BatchResult] = Future()
        self._tasks.put((future, job, deals))
        return future

    def restart(self) -> None:
        """Kill all processes; new ones start with the next batches."""
        self.close()
        self._tasks = queue.SimpleQueue()

    def close(self) -> None:
        """Kill all processes."""
        for worker in self._workers:
            worker.process.kill()  # a hung process would never end by itself
            self._tasks.put(None)
        for worker in self._workers:
            worker.process.join()
        self._workers.clear()


_Task: TypeAlias = tuple[Future[BatchResult], Job, Sequence[Deal]]


class _Worker:
    """A process that plays, and the thread that passes it tasks.

    They share a pipe. The queues of `concurrent.futures` and of `multiprocessing` have semaphores
    with names, which stay on the machine if all processes are killed at once.
    """

    def __init__(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        # Spawned, because a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, plugin_entries()))
        self.process.start()
        theirs.close()
        threading.Thread(target=self._pass_on, args=(tasks,), daemon=True).start()

    def _pass_on(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        with self._pipe:
            while (task := tasks.get()) is not None:
                future, job, deals = task
                try:
                    self._pipe.send((job, deals))
                    answer = self._pipe.recv()
                except (EOFError, OSError) as error:
                    future.set_exception(BrokenExecutor(f"a worker has died ({error})"))
                    return
                except Exception as error:  # an answer that can't be read
                    answer = error
                if isinstance(answer, BatchResult):
                    future.set_result(answer)
                else:
                    future.set_exception(answer)


def _work(pipe: Connection[Any, Any], plugins: list[tuple[str, str, str]]) -> None:
    """Play the batches that come, in a process of its own."""
    # Ctrl+C reaches all processes of a terminal; only the main one handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plugins != plugin_entries():
        use_plugins(plugins)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # the other side is gone
        while True:
            job, deals = pipe.recv()
            try:
                answer: object = play_batch(job, deals)
            except Exception as error:
                answer = error
            pipe.send(answer)


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
