"""Workers that die, hang and fail: only what they played is played again, and the order stays."""

from __future__ import annotations

import itertools
import weakref
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from typing import Any

import pytest

from boardgames_cli.agents.remote.process_pool import Pool
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.pools import Dispatcher, InProcessPool
from boardgames_cli.tournament.rows import VOID, GameRow
from boardgames_cli.tournament.worker import BatchResult, play_batch
from tests.tournament.test_worker import games_of, plan

CONFIG, DEALS = plan("kuhn", "random", "rock", games=240)
Fault = Callable[[int], str]
"""What happens to the worker that plays a deal for the nth time: "", "die", "raise" or "hang"."""


class Shaky(Pool):
    """Two workers, of which one may die or hang."""

    def __init__(self, faults: dict[int, Fault]) -> None:
        self.faults = faults
        self.played: Counter[int] = Counter()
        self.restarts = 0
        self._under_way: list[tuple[Future[BatchResult], tuple[Any, ...]]] = []
        self._hung: list[Future[BatchResult]] = []

    @property
    def size(self) -> int:
        return 2

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[BatchResult] = Future()
        self._under_way.append((future, args))
        # The last ones in are done first, so results come in another order than they should.
        if len(self._under_way) >= 3 or len(args[1]) < 2 or self.restarts:
            for task in reversed(self._under_way):
                self._play(*task)
            self._under_way.clear()
        return future

    def _play(self, future: Future[BatchResult], args: tuple[Any, ...]) -> None:
        for deal in args[1]:
            self.played[deal.number] += 1
            fault = self.faults.get(deal.number, always(""))(self.played[deal.number])
            if fault == "hang":
                self._hung.append(future)
            elif fault:
                died = BrokenExecutor("a process died")
                future.set_exception(died if fault == "die" else MemoryError("too much"))
            if fault:
                return
        future.set_result(play_batch(*args))

    def restart(self) -> None:
        self.restarts += 1
        for future in (*self._hung, *(future for future, _ in self._under_way)):
            future.set_exception(BrokenExecutor("a worker was killed"))
        self._hung.clear()
        self._under_way.clear()


def play(pool: Pool, patience: float = 60.0) -> tuple[BatchResult, list[str]]:
    notes: list[str] = []
    dispatcher = Dispatcher(pool, CONFIG, patience=patience, note=notes.append)
    whole = BatchResult()
    for result in dispatcher.play(iter(DEALS)):
        whole.add(result)
    assert [row.deal for row in games(whole)[::2]] == list(range(120))
    return whole, notes


def games(result: BatchResult) -> list[GameRow]:
    untimed: dict[str, Any] = {"decisions": (), "seconds": ()}
    return [row._replace(**untimed) for row in games_of(result)]


def endings(result: BatchResult) -> dict[int, str]:
    return {row.deal: row.ending for row in games(result) if row.ending}


WELL = play_batch(CONFIG, DEALS)


def always(fault: str) -> Fault:
    return lambda _: fault


def once(fault: str) -> Fault:
    return lambda time: fault if time == 1 else ""


@pytest.mark.parametrize("fault", ["die", "raise", "hang"])
def test_a_fault_costs_its_batch_and_nothing_else(fault: str) -> None:
    pool = Shaky({50: once(fault)})
    result, notes = play(pool, patience=0.3)
    assert games(result) == games(WELL)
    assert result.tally.deals == WELL.tally.deals
    assert endings(result) == {}
    assert pool.played[0] == 1
    assert notes


@pytest.mark.parametrize("fault", ["die", "raise", "hang"])
def test_a_deal_that_nobody_can_play_is_void_and_no_other(fault: str) -> None:
    pool = Shaky({50: always(fault)})
    result, notes = play(pool, patience=0.3)
    assert endings(result) == {50: VOID}
    assert [sums.void for sums in result.tally.totals(2)] == [2, 2]
    assert [row for row in games(result) if row.deal != 50] == [
        row for row in games(WELL) if row.deal != 50
    ]
    assert max(pool.played.values()) == pool.played[50]
    assert any("deal 50" in note and "void" in note for note in notes)


def test_what_no_worker_can_do_ends_the_run() -> None:
    class Refusing(Shaky):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[BatchResult] = Future()
            future.set_exception(GameError("no such file"))
            return future

    with pytest.raises(GameError, match="no such file"):
        play(Refusing({}))


def test_batches_grow_with_what_they_cost() -> None:
    class Counting(Shaky):
        sizes: tuple[int, ...] = ()

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            self.sizes += (len(args[1]),)
            return super().submit(fn, *args, **kwargs)

    pool = Counting({})
    pool.restarts = 1  # results come at once
    play(pool)
    assert pool.sizes[0] == 1
    assert max(pool.sizes) > 10
    assert all(two <= 4 * max(1, one) for one, two in itertools.pairwise(sorted(pool.sizes)))


def test_what_was_played_is_not_kept() -> None:
    futures: list[weakref.ref[Future[BatchResult]]] = []

    class Watched(InProcessPool):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            futures.append(weakref.ref(future))
            return future

    dispatcher = Dispatcher(Watched(), CONFIG)
    assert sum(len(result.lines) for result in dispatcher.play(iter(DEALS))) == 120
    assert len(futures) > 2
    assert not any(future() for future in futures)
