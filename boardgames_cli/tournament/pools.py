"""Worker pools: in this process, in local processes, or on a Dask cluster (`cluster`).

All return the futures of `concurrent.futures`.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import multiprocessing
import os
import queue
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import use_plugins
from boardgames_cli.tournament.players import Job, release_players
from boardgames_cli.tournament.schedule import GameSet
from boardgames_cli.tournament.worker import BatchResult, play_batch, void_batch


class Pool(ABC):
    """Workers that play batches."""

    plays_here: ClassVar[bool] = False
    """Whether `submit` itself plays, in the caller's thread."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of batches played concurrently, at least 1."""

    @abstractmethod
    def submit(self, job: Job, deals: Sequence[GameSet]) -> Future[BatchResult]:
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

    def submit(self, job: Job, deals: Sequence[GameSet]) -> Future[BatchResult]:
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

    def submit(self, job: Job, deals: Sequence[GameSet]) -> Future[BatchResult]:
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


_Task: TypeAlias = tuple[Future[BatchResult], Job, Sequence[GameSet]]


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


PATIENCE_SECONDS: Final = 1800.0
"""Workers count as hung if no batch is finished for this time."""

BATCH_SECONDS: Final = 0.5
"""The target duration of a batch; sending one costs a few milliseconds."""

SECONDS_PER_WORKER: Final = 0.005
"""The minimum per worker with many workers, since one process serves them all."""

_LARGEST_BATCH: Final = 50_000
_GROWTH: Final = 4
"""The maximum growth factor of the batch size."""

_AHEAD: Final = 3
"""The maximum number of batches per worker: running, waiting, or finished out of order."""

_TRIES: Final = 2
_LOOK_SECONDS: Final = 0.2


class Played(NamedTuple):
    """A finished batch."""

    deals: Sequence[GameSet]
    result: BatchResult


@dataclass(eq=False, slots=True)
class _Sent:
    number: int
    deals: Sequence[GameSet]
    pieces: deque[Sequence[GameSet]]
    """The remaining work: all deals together, or each alone."""
    result: BatchResult = field(default_factory=BatchResult)
    tries: int = 0
    """How often the first piece failed when played alone."""


def _ignore(text: str) -> None:
    """Discard a note."""
    del text


class Dispatcher:
    """Plays the deals of a tournament on a pool.

    Args:
        pool: The workers.
        job: The job.
        waiting: Returns a context in which the program may be interrupted.
        patience: Seconds without any result after which workers count as hung.
        note: Called with problems of workers.
    """

    def __init__(
        self,
        pool: Pool,
        job: Job,
        waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
        patience: float = PATIENCE_SECONDS,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self._pool = pool
        self._job = job
        self._waiting = waiting
        self._patience = patience
        self._note = note or _ignore
        self._seconds_a_deal: float | None = None
        self._size = 1
        self._batches: dict[int, _Sent] = {}
        """The batches submitted and not returned yet."""
        self._futures: dict[Future[BatchResult], _Sent] = {}
        self._suspects: deque[_Sent] = deque()
        self._done: queue.SimpleQueue[Future[BatchResult]] = queue.SimpleQueue()

    def play(self, deals: Iterator[GameSet]) -> Iterator[Played]:
        """Play deals.

        Yields:
            Batches in the order of the deals.

        Raises:
            GameError: This pool can't play them at all.
        """
        numbers = itertools.count()
        turn = 0
        while True:
            self._submit_more(deals, numbers)
            if not self._batches:
                return
            if not self._futures:
                self._submit(self._suspects[0])
            self._collect()
            while turn in self._batches and not self._batches[turn].pieces:
                batch = self._batches.pop(turn)
                turn += 1
                yield Played(batch.deals, batch.result)

    def _submit_more(self, deals: Iterator[GameSet], numbers: Iterator[int]) -> None:
        # A suspect runs alone, so that a failure identifies it.
        most = 1 if self._pool.size == 1 else _AHEAD * self._pool.size + 1
        while not self._suspects and len(self._batches) < most:
            chosen = tuple(itertools.islice(deals, self._next_size()))
            if not chosen:
                return
            number = next(numbers)
            batch = self._batches[number] = _Sent(number, chosen, deque([chosen]))
            self._submit(batch)

    def _submit(self, batch: _Sent) -> None:
        # A batch played in this process blocks.
        with self._waiting() if self._pool.plays_here else nullcontext():
            try:
                future = self._pool.submit(self._job, batch.pieces[0])
            except BrokenExecutor as error:
                # The pool broke after the last check; a pending batch will report it.
                future = Future()
                future.set_exception(error)
        self._futures[future] = batch
        future.add_done_callback(self._done.put)

    def _collect(self) -> None:
        """Wait for a finished batch, and handle all finished ones."""
        deadline = time.monotonic() + self._patience
        future = self._next_done()
        while future is None:
            if time.monotonic() >= deadline:
                self._blame_all(f"no batch was finished for {self._patience:g} s")
                return
            future = self._next_done()
        while future is not None:
            self._see_to(future)
            with contextlib.suppress(queue.Empty):
                future = self._done.get_nowait()
                continue
            future = None

    def _next_done(self) -> Future[BatchResult] | None:
        with self._waiting(), contextlib.suppress(queue.Empty):
            return self._done.get(timeout=_LOOK_SECONDS)
        return None

    def _see_to(self, future: Future[BatchResult]) -> None:
        batch = self._futures.get(future)
        if batch is None:
            return  # it was abandoned with others
        if future.cancelled():
            self._pool.check()
        error = CancelledError() if future.cancelled() else future.exception()
        if isinstance(error, BrokenExecutor):
            self._blame_all("a worker has died")
        elif isinstance(error, GameError):
            raise error
        elif error is not None:
            del self._futures[future]
            self._blame(batch, f"{type(error).__name__}: {error}")
        else:
            del self._futures[future]
            self._take(batch, future.result())

    def _take(self, batch: _Sent, result: BatchResult) -> None:
        piece = batch.pieces.popleft()
        self._learn(len(piece), result.seconds)
        batch.result.add(result)
        batch.tries = 0
        if batch.pieces:
            self._suspect(batch)
        elif batch in self._suspects:
            self._suspects.remove(batch)

    def _suspect(self, batch: _Sent) -> None:
        if batch not in self._suspects:
            self._suspects.append(batch)

    def _blame_all(self, why: str) -> None:
        """Restart with new workers after some have died or hung."""
        under_way = list(self._futures.values())
        self._futures.clear()
        with self._waiting():
            self._pool.restart()
        if len(under_way) == 1:
            self._blame(under_way[0], why)
            return
        self._note(f"{why}; {len(under_way)} batches are repeated, one at a time.")
        for batch in under_way:
            self._suspect(batch)

    def _blame(self, batch: _Sent, why: str) -> None:
        """Repeat a failed batch, or the rest of it in smaller pieces."""
        self._suspect(batch)
        batch.tries += 1
        first = batch.pieces[0]
        which = f"deal {first[0].number}" if len(first) == 1 else f"a batch of {len(first)} deals"
        if batch.tries < _TRIES:
            self._note(f"{which} is repeated: {why}.")
            return
        batch.tries = 0
        if len(first) > 1:
            batch.pieces = deque((deal,) for deal in first)
            return
        self._note(f"{which} can't be played and is void: {why}.")
        batch.result.add(void_batch(first))
        batch.pieces.popleft()
        if not batch.pieces:
            self._suspects.remove(batch)

    def _learn(self, deals: int, seconds: float) -> None:
        now = seconds / deals
        before = self._seconds_a_deal
        self._seconds_a_deal = now if before is None else 0.7 * before + 0.3 * now
        self._size = max(self._size, deals)

    def _next_size(self) -> int:
        if self._seconds_a_deal is None:
            return 1
        wanted = max(BATCH_SECONDS, SECONDS_PER_WORKER * self._pool.size)
        size = math.ceil(wanted / max(self._seconds_a_deal, 1e-9))
        return max(1, min(size, _GROWTH * self._size, _LARGEST_BATCH))
