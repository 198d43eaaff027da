"""What hands the games of a tournament to workers, and an executor that plays in this process.

`agents.remote.process_pool` has local processes, and `cluster` a Dask cluster.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, NamedTuple

from boardgames_cli import __version__
from boardgames_cli.agents.remote.process_pool import Pool
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.players import release_players
from boardgames_cli.tournament.schedule import GameSet
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult, play_batch, void_batch


class InProcessPool(Pool):
    """Plays in this process and thread: futures are finished when `submit` returns."""

    plays_here = True

    @property
    def size(self) -> int:
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
        release_players()


PATIENCE_SECONDS: Final = 1800.0
"""Workers count as hung if no batch is finished for this time."""

BATCH_SECONDS: Final = 0.5
"""The target duration of a batch; sending one costs a few milliseconds."""

SECONDS_PER_WORKER: Final = 0.005
"""The minimum per worker with many workers, since one process serves them all."""

_LARGEST_BATCH: Final = 50_000
_GROWTH: Final = 4

_AHEAD: Final = 3
"""The maximum number of batches per worker: running, waiting, or finished out of order."""

_TRIES: Final = 2
_LOOK_SECONDS: Final = 0.2


class _Sent(NamedTuple):
    game_sets: Sequence[GameSet]
    future: Future[BatchResult]


class Dispatcher:
    """Plays the game sets of a tournament on a pool.

    A batch that fails is played again, one game set at a time; what fails twice alone is void.
    Within the context that ``waiting`` returns the program may be interrupted. Without any result
    for the patience in seconds, workers count as hung.
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
        self._done = threading.Event()
        """Set when a batch is done that may not have been looked at yet."""

    def play(self, game_sets: Iterator[GameSet]) -> Iterator[BatchResult]:
        """Play game sets; yield the results of batches of them, in their order.

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
                yield self._result_of(batch, sent)

    def _submit(self, game_sets: Sequence[GameSet]) -> _Sent:
        # A batch played in this process blocks.
        with self._waiting() if self._pool.plays_here else nullcontext():
            future = self._pool.submit(play_batch, self._config, game_sets, __version__)
        future.add_done_callback(lambda _: self._done.set())
        return _Sent(game_sets, future)

    def _wait(self) -> None:
        deadline = time.monotonic() + self._patience
        while True:
            with self._waiting():
                is_done = self._done.wait(_LOOK_SECONDS)
            if is_done:
                self._done.clear()
                return
            if time.monotonic() >= deadline:
                self._note(f"no batch was finished for {self._patience:g} s; new workers start.")
                with self._waiting():
                    self._pool.restart()
                return

    def _result_of(self, batch: _Sent, others: Sequence[_Sent]) -> BatchResult:
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
    try:
        error = future.exception()
    except CancelledError:
        return "a worker has died"
    if isinstance(error, GameError):
        raise error
    if isinstance(error, BrokenExecutor):
        return str(error)
    return None if error is None else f"{type(error).__name__}: {error}"
