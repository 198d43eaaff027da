"""Executors that play in this process or in local processes, and what hands them the games.

`cluster` has one for a Dask cluster.
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
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from boardgames_cli import __version__
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import use_plugins
from boardgames_cli.tournament.players import release_players
from boardgames_cli.tournament.schedule import GameSet
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult, play_batch, void_batch


class Pool(Executor, ABC):
    """Workers that can be replaced if they hang.

    If one dies, what it was doing fails, and the others work on.
    """

    plays_here: ClassVar[bool] = False
    """Whether `submit` itself plays, in the caller's thread."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of calls run concurrently, at least 1."""

    @abstractmethod
    def restart(self) -> None:
        """Kill all busy workers, which fails what they are doing, and continue with new ones."""


class InProcessPool(Pool):
    """Plays in this process and thread: futures are finished when `submit` returns."""

    plays_here = True

    @property
    def size(self) -> int:
        """One."""
        return 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function. Interrupts propagate; errors are stored in the future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def restart(self) -> None:
        """Do nothing: nothing is busy between two calls."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close agents in other processes."""
        release_players()


class ProcessPool(Pool):
    """Plays in local processes, which always end with this one.

    The queues of `concurrent.futures.ProcessPoolExecutor` have semaphores with names, which stay on
    the machine if all processes are killed at once, and its processes outlive this one; so each
    process here has a pipe of its own.

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

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in the next free process.

        The future raises `concurrent.futures.BrokenExecutor` if the process has died.
        """
        if len(self._workers) < self._jobs:
            self._workers.append(_Worker(self._tasks))
        future: Future[Any] = Future()
        self._tasks.put((future, fn, args, kwargs))
        return future

    def restart(self) -> None:
        """Kill all processes; each is replaced by a new one."""
        for worker in self._workers:
            worker.process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kill all processes; a hung one would never end by itself."""
        for worker in self._workers:
            worker.close()
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.thread.join()
        self._workers.clear()


_Task: TypeAlias = tuple[Future[Any], Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class _Worker:
    """A process that plays, and the thread that passes it tasks and replaces it if it dies."""

    def __init__(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        self._is_closed = False
        self._start()
        self.thread = threading.Thread(target=self._pass_on, args=(tasks,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Kill the process, and end the thread after its current task."""
        self._is_closed = True  # before the kill, or the thread would replace the process
        self.process.kill()

    def _start(self) -> None:
        # Spawned, because a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, plugin_entries()))
        process.start()
        theirs.close()
        self.process = process

    def _end(self) -> None:
        self.process.kill()
        self.process.join()
        self._pipe.close()

    def _pass_on(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        while (task := tasks.get()) is not None:
            future, *call = task
            try:
                if not self.process.is_alive():  # it may have died while it had nothing to do
                    self._end()
                    self._start()
                if self._is_closed:
                    break
                if not future.set_running_or_notify_cancel():
                    continue
                self._pipe.send(call)
                answer, error = self._pipe.recv()
            except (EOFError, OSError):
                answer, error = None, BrokenExecutor("a worker has died")
                self._end()
            except Exception as unreadable:
                answer, error = None, unreadable
            if error is None:
                future.set_result(answer)
            else:
                future.set_exception(error)
        self._end()


def _work(pipe: Connection[Any, Any], plugins: list[tuple[str, str, str]]) -> None:
    """Run the calls that come, in a process of its own."""
    # Ctrl+C reaches all processes of a terminal; only the main one handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plugins != plugin_entries():
        use_plugins(plugins)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # the other side is gone
        while True:
            function, args, kwargs = pipe.recv()
            answer, failure = None, None
            try:
                answer = function(*args, **kwargs)
            except Exception as error:
                failure = error
            pipe.send((answer, failure))


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

    game_sets: Sequence[GameSet]
    result: BatchResult


class _Sent(NamedTuple):
    """A batch that was submitted."""

    game_sets: Sequence[GameSet]
    future: Future[BatchResult]


class Dispatcher:
    """Plays the game sets of a tournament on a pool.

    A batch that fails is played again, one game set at a time; what fails twice alone is void.

    Args:
        pool: The workers.
        config: The tournament.
        waiting: Returns a context in which the program may be interrupted.
        patience: Seconds without any result after which workers count as hung.
        note: Called with problems of workers.
    """

    def __init__(
        self,
        pool: Pool,
        config: TournamentConfig,
        waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
        patience: float = PATIENCE_SECONDS,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._pool = pool
        self._config = config
        self._waiting = waiting
        self._patience = patience
        self._note = note
        self._seconds_a_set: float | None = None
        self._largest = 1
        """The size of the largest batch played so far."""
        self._done: queue.SimpleQueue[object] = queue.SimpleQueue()

    def play(self, game_sets: Iterator[GameSet]) -> Iterator[Played]:
        """Play game sets.

        Yields:
            Batches in the order of the game sets.

        Raises:
            GameError: This pool can't play them at all.
        """
        sent: deque[_Sent] = deque()
        while True:
            most = 1 if self._pool.size == 1 else _AHEAD * self._pool.size + 1
            while len(sent) < most:
                chosen = tuple(itertools.islice(game_sets, self._next_size()))
                if not chosen:
                    break
                sent.append(self._submit(chosen))
            if not sent:
                return
            if not sent[0].future.done():
                self._wait()
            while sent and sent[0].future.done():
                batch = sent.popleft()
                yield Played(batch.game_sets, self._result_of(batch, sent))

    def _submit(self, game_sets: Sequence[GameSet]) -> _Sent:
        # A batch played in this process blocks.
        with self._waiting() if self._pool.plays_here else nullcontext():
            future = self._pool.submit(play_batch, self._config, game_sets, __version__)
        future.add_done_callback(self._done.put)
        return _Sent(game_sets, future)

    def _wait(self) -> None:
        """Wait until another batch is done, and replace the workers if they hang."""
        deadline = time.monotonic() + self._patience
        while True:
            with self._waiting(), contextlib.suppress(queue.Empty):
                self._done.get(timeout=_LOOK_SECONDS)
                return
            if time.monotonic() >= deadline:
                self._note(f"no batch was finished for {self._patience:g} s; new workers start.")
                with self._waiting():
                    self._pool.restart()
                return

    def _result_of(self, batch: _Sent, others: Sequence[_Sent]) -> BatchResult:
        """The result of a batch that is done; one that failed is played again."""
        why = _failure(batch.future)
        if why is None:
            result = batch.future.result()
            self._learn(len(batch.game_sets), result.seconds)
            return result
        count = len(batch.game_sets)
        which = f"a batch of {count} deals" if count > 1 else f"deal {batch.game_sets[0].number}"
        self._note(f"{which} is repeated: {why}.")
        # Nothing else is under way, so that a hang or a death can be put down to one game set.
        while not all(other.future.done() for other in others):
            self._wait()
        result = BatchResult()
        for game_set in batch.game_sets:
            result.add(self._play_alone(game_set))
        return result

    def _play_alone(self, game_set: GameSet) -> BatchResult:
        for _ in range(_TRIES):
            future = self._submit((game_set,)).future
            while not future.done():
                self._wait()
            why = _failure(future)
            if why is None:
                return future.result()
        self._note(f"deal {game_set.number} can't be played and is void: {why}.")
        return void_batch((game_set,))

    def _learn(self, game_sets: int, seconds: float) -> None:
        now, before = seconds / game_sets, self._seconds_a_set
        self._seconds_a_set = now if before is None else 0.7 * before + 0.3 * now
        self._largest = max(self._largest, game_sets)

    def _next_size(self) -> int:
        if self._seconds_a_set is None:
            return 1
        wanted = max(BATCH_SECONDS, SECONDS_PER_WORKER * self._pool.size)
        size = math.ceil(wanted / max(self._seconds_a_set, 1e-9))
        return max(1, min(size, _GROWTH * self._largest, _LARGEST_BATCH))


def _failure(future: Future[Any]) -> str | None:
    """Why a batch failed; None if it did not.

    Raises:
        GameError: No worker can play it.
    """
    try:
        error = future.exception()
    except CancelledError:
        return "a worker has died"
    if isinstance(error, GameError):
        raise error
    if isinstance(error, BrokenExecutor):
        return str(error)
    return None if error is None else f"{type(error).__name__}: {error}"
