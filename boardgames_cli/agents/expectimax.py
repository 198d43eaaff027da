"""Search through decisions and chance alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from boardgames_cli.algorithms.action_values import HeuristicAgent, estimate
from boardgames_cli.algorithms.compiled_search import (
    HASTE,
    CompiledSearch,
    count_seconds,
    worthwhile_search,
)
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import CHANCE, A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.options import option
from boardgames_cli.core.spec import Heuristic

_MEMORY: Final = 500_000
"""Values remembered: 200 MB at most, in searches that run for minutes."""


class _StoppedError(Exception):
    """The limit was reached in the middle of a search."""


@dataclass
class Expectimax(HeuristicAgent[S, A]):
    """Looks several decisions ahead and weighs every outcome of chance by its probability.

    The seat takes the highest value where it decides, expects the lowest where its opponent does,
    and the mean where chance acts (Michie, "Game-playing and game-learning automata", 1966). Depths
    are searched one after another, so that there is an answer whenever the thinking must end; the
    first depth is always finished. Where the game has compiled rules, they search the last
    decisions, with the same result.
    """

    depth: int = option(2, "decisions to look ahead", low=1, high=30)

    _compiled: CompiledSearch | None = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Two seats with opposite interests, nothing hidden, chance listed, and a heuristic."""
        traits = game.traits
        if Traits.HIDDEN in traits:
            return "it hides things from the seats"
        if Traits.SAMPLED_CHANCE in traits:
            return "it has too many outcomes of chance to list"
        if game.seats != 2 or Traits.ZERO_SUM not in traits:
            return "it needs two seats, one winning what the other loses"
        return super().supports(game)

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Begin a game; the first time this may load or compile rules, which takes a while."""
        super().reset(game, seat)
        self._compiled = worthwhile_search(game, self._heuristic)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """What each action is worth by the deepest search finished; see `EvaluatesActions`."""
        assert seen.seat is not None, "a spectator has no actions"
        # A fresh memory for every decision: the answer must not depend on what was asked before.
        # Compiled rules count no nodes, so that a limit of nodes does without them.
        compiled = self._compiled if thinking.budget.nodes is None else None
        search = _Search(self._game, self._heuristic, compiled, seen.seat, thinking.should_stop)
        values: dict[A, float] = {}
        started = time.thread_time()
        for depth in range(1, self.depth + 1):
            try:
                values = search.root(seen.state, seen.legal, depth)
            except _StoppedError:
                break
            thinking.report(f"depth {depth}, {search.nodes:,} nodes")
        if self._compiled is None:
            count_seconds(self._game, time.thread_time() - started)
        return values


class _Search(Generic[S, A]):
    """One decision's search. All values are those of one seat, at its own and at other nodes."""

    def __init__(
        self,
        game: Game[S, A, Any],
        heuristic: Heuristic,
        compiled: CompiledSearch | None,
        seat: Seat,
        should_stop: Callable[[int], bool],
    ) -> None:
        self.nodes = 0
        self._game = game
        self._heuristic = heuristic
        self._compiled = compiled
        self._seat = seat
        self._should_stop = should_stop
        self._known: dict[tuple[S, int], float] = {}

    def root(self, state: S, actions: tuple[A, ...], depth: int) -> dict[A, float]:
        """The value of every action, ``depth`` decisions deep, this one included."""
        return {
            action: self._value(self._game.apply(state, {self._seat: action}), depth - 1)
            for action in actions
        }

    def _value(self, state: S, depth: int) -> float:
        """What a state is worth to the seat when ``depth`` more decisions are looked at."""
        if depth == 0:
            self.nodes += 1
            return estimate(self._game, self._heuristic, state, self._seat)
        key = (state, depth)
        known = self._known.get(key)
        if known is None:
            known = self._search(state, depth)
            if len(self._known) < _MEMORY:
                self._known[key] = known
        return known

    def _search(self, state: S, depth: int) -> float:
        self.nodes += 1
        game = self._game
        to_act = game.to_act(state)
        if not to_act:
            return game.returns(state)[self._seat]
        # Asked at inner nodes only: they are few beside the leaves, and asking takes time.
        if self._should_stop(self.nodes):
            raise _StoppedError
        if self._compiled is not None and depth <= self._compiled.deepest:
            value = self._compiled.value(state, self._seat, depth)
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
