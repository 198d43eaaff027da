"""Expectimax search."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from boardgames_cli.algorithms.action_values import HeuristicAgent, estimate, why_unfit
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.game import CHANCE, A, AnyGame, Game, Observation, S, Seat, Traits
from boardgames_cli.core.options import option
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import spec_of

_MEMORY: Final = 500_000
"""The size of the transposition table: at most 200 MB, reached in searches of minutes."""

HASTE: Final = 1 - 1e-6
"""The discount per decision: a win now beats a later one, which might be postponed for ever."""

WORTHWHILE: Final = 3.0
"""Seconds of search in this process after which compiling pays off. Compiling takes about as long,
so that a game against a person never waits for it, and a tournament soon benefits."""

_searched: Final[defaultdict[str, float]] = defaultdict(float)
"""Seconds for which each game was searched without compiled rules."""


def compiled_search(game: AnyGame, heuristic: Heuristic) -> Any:
    """The compiled search of a game (`GameSpec.search`).

    None until compiling pays off, without the extra ``fast``, or if there is none.
    """
    if _searched[game.info.id] < WORTHWHILE:
        return None
    try:
        make = spec_of(game).load_part("search")
    except MissingPackageError:
        return None
    return make and make(game, heuristic)


class _StoppedError(Exception):
    """A limit was reached during a search."""


@dataclass
class Expectimax(HeuristicAgent[S, A]):
    """Searches several decisions ahead and weights chance outcomes by their probability.

    The value of a node is the maximum where the seat decides, the minimum where its opponent does,
    and the mean at chance nodes (Michie, "Game-playing and game-learning automata", 1966).
    Iterative deepening ensures that there is always an answer; the first depth is always completed.
    If the game has compiled rules, they search the last decisions, with the same result.
    """

    depth: int = option(2, "decisions to look ahead", low=1, high=30)

    _compiled: Any = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        refused = Traits.HIDDEN, Traits.SAMPLED_CHANCE
        return why_unfit(game, *refused, is_duel=True) or super().supports(game)

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Start a game. The first time this may load or compile rules, which takes a while."""
        super().reset(game, seat)
        self._compiled = compiled_search(game, self._heuristic)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The values of the deepest completed search; see `EvaluatesActions`."""
        # A new table for every decision: results must not depend on earlier searches. Compiled
        # rules do not count nodes, so they are not used with a node limit.
        compiled = self._compiled if thinking.budget.nodes is None else None
        search = _Search(self._game, self._heuristic, compiled, seen.own_seat, thinking.should_stop)
        values: dict[A, float] = {}
        started = time.thread_time()
        for depth in range(1, self.depth + 1):
            try:
                values = search.root(seen.state, seen.legal, depth)
            except _StoppedError:
                break
            thinking.report(f"depth {depth}, {search.nodes:,} nodes")
        if self._compiled is None:
            _searched[self._game.info.id] += time.thread_time() - started
        return values


class _Search(Generic[S, A]):
    def __init__(
        self,
        game: Game[S, A, Any],
        heuristic: Heuristic,
        compiled: Any,
        seat: Seat,
        should_stop: Callable[[int], bool],
    ) -> None:
        self.nodes = 0
        self._game = game
        self._heuristic = heuristic
        self._compiled = compiled
        self._seat = seat
        self._should_stop = should_stop
        self._known: dict[tuple[S, int], float | None] = {}
        """Values by state and depth; None while they are worked out."""

    def root(self, state: S, actions: tuple[A, ...], depth: int) -> dict[A, float]:
        return {
            action: self._value(self._game.apply(state, {self._seat: action}), depth - 1)
            for action in actions
        }

    def _value(self, state: S, depth: int) -> float:
        if depth == 0:
            self.nodes += 1
            return estimate(self._game, self._heuristic, state, self._seat)
        key = (state, depth)
        if key in self._known:
            known = self._known[key]
            # Chance alone may lead back, as where throws that can't be used pass the turn.
            if known is None:
                return estimate(self._game, self._heuristic, state, self._seat)
            return known
        self._known[key] = None
        found = self._search(state, depth)
        if len(self._known) > _MEMORY:
            del self._known[key]
        else:
            self._known[key] = found
        return found

    def _search(self, state: S, depth: int) -> float:
        self.nodes += 1
        game = self._game
        to_act = game.to_act(state)
        if not to_act:
            return game.returns(state)[self._seat]
        # Checked at inner nodes only: the check takes time, and most nodes are leaves.
        if self._should_stop(self.nodes):
            raise _StoppedError
        if self._compiled is not None and depth <= self._compiled.deepest:
            value: float | None = self._compiled.value(state, self._seat, depth)
            if value is not None:
                return value
        if to_act == (CHANCE,):
            return sum(
                probability * self._value(game.apply_chance(state, outcome), depth)
                for outcome, probability in game.chance_outcomes(state)
            )
        player = to_act[0]
        values = (
            self._value(game.apply(state, {player: action}), depth - 1)
            for action in game.legal_actions(state, player)
        )
        return HASTE * (max(values) if player == self._seat else min(values))
