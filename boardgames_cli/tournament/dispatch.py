"""Dispatches batches to workers and returns the results in order, surviving failures.

The batch size adapts to the duration of deals, so that the overhead of sending is negligible.
Results depend neither on batch sizes nor on which worker plays what.

When a worker dies, all pending batches may be lost, and any of them may be the cause. They are
repeated one at a time. A batch that fails twice alone is played deal by deal, and a deal that fails
twice alone is recorded as void.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.players import Job
from boardgames_cli.tournament.pools import Pool
from boardgames_cli.tournament.schedule import Deal
from boardgames_cli.tournament.worker import BatchResult, void_batch

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

    deals: Sequence[Deal]
    result: BatchResult


@dataclass(eq=False, slots=True)
class _Batch:
    number: int
    deals: Sequence[Deal]
    pieces: deque[Sequence[Deal]]
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
        self._batches: dict[int, _Batch] = {}
        """The batches submitted and not returned yet."""
        self._futures: dict[Future[BatchResult], _Batch] = {}
        self._suspects: deque[_Batch] = deque()
        self._done: queue.SimpleQueue[Future[BatchResult]] = queue.SimpleQueue()

    def play(self, deals: Iterator[Deal]) -> Iterator[Played]:
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

    def _submit_more(self, deals: Iterator[Deal], numbers: Iterator[int]) -> None:
        # A suspect runs alone, so that a failure identifies it.
        most = 1 if self._pool.size == 1 else _AHEAD * self._pool.size + 1
        while not self._suspects and len(self._batches) < most:
            chosen = tuple(itertools.islice(deals, self._next_size()))
            if not chosen:
                return
            number = next(numbers)
            batch = self._batches[number] = _Batch(number, chosen, deque([chosen]))
            self._submit(batch)

    def _submit(self, batch: _Batch) -> None:
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

    def _take(self, batch: _Batch, result: BatchResult) -> None:
        piece = batch.pieces.popleft()
        self._learn(len(piece), result.seconds)
        batch.result.add(result)
        batch.tries = 0
        if batch.pieces:
            self._suspect(batch)
        elif batch in self._suspects:
            self._suspects.remove(batch)

    def _suspect(self, batch: _Batch) -> None:
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

    def _blame(self, batch: _Batch, why: str) -> None:
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
