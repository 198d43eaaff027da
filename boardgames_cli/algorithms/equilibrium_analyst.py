"""An analyst for small games that need mixed strategies, by an equilibrium that it computes."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic

from boardgames_cli.algorithms.exploitability import strategy_quality, worth_of_actions
from boardgames_cli.algorithms.game_tree import (
    TreeError,
    information_set,
    stage_of,
    successors,
    tree_of,
    why_not_extensive,
)
from boardgames_cli.algorithms.open_analyst import finished, make_value, mean, usual_scale
from boardgames_cli.algorithms.regret_solver import Cfr, CfrSettings
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.analyst import Analyst, Choice, Judgement, Method, Scale, Value, ranked
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Traits
from boardgames_cli.core.text import percent
from boardgames_cli.core.view import G

_ITERATIONS: Final = 2000
_NODES: Final = 4_000_000
"""The nodes visited to compute an equilibrium: a few seconds."""
_EXACT: Final = 1e-3
"""The exploitability, as a share of the scale, below which an equilibrium counts as exact."""


@functools.lru_cache(maxsize=8)
def equilibrium_of(game: AnyGame) -> Strategy:
    """An equilibrium of a small game by CFR+, as good as a few seconds allow.

    Raises:
        TreeError: The game can't be expanded as a tree.
    """
    tree = tree_of(game)
    solver = Cfr(tree, CfrSettings())
    solver.run(min(_ITERATIONS, max(1, _NODES // len(tree.nodes))))
    table = {
        known.name: dict(zip(map(str, known.actions), row, strict=True))
        for known, row in zip(tree.information_sets, solver.average(), strict=True)
    }
    return Strategy.of(game, table)


@dataclass(frozen=True)
class EquilibriumAnalyst(Analyst[G, S, A, C], Generic[G, S, A, C]):
    """Judges a choice by what its seat knew, against others who play an equilibrium.

    An action that the equilibrium takes is no mistake. The value of a position is its expected
    return if all play the equilibrium on.
    """

    is_quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "_values", {})

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for small two-seat zero-sum games with hidden information or joint steps."""
        if not game.traits & (Traits.HIDDEN | Traits.SIMULTANEOUS):
            return "it needs no mixed strategies"
        reason = why_not_extensive(game)
        if reason is None and stage_of(game) != game:
            return "it repeats a smaller game"
        if reason is not None:
            return reason
        try:
            tree_of(game)
        except TreeError as error:
            return error.message.rstrip(".")
        return None

    @property
    def strategy(self) -> Strategy:
        """The equilibrium."""
        return equilibrium_of(self.game)

    @property
    def scale(self) -> Scale:
        """Winning probability if two seats play for -1 or 1, else the range of returns."""
        return usual_scale(self.game)

    @property
    def method(self) -> Method:
        """The equilibrium, with what the best answer to it gains."""
        gain = max(strategy_quality(self.game, self.strategy).exploitability, 0.0)
        is_exact = self.scale.share(gain) <= _EXACT
        return Method(is_exact, f"against an equilibrium (exploitability {gain:.0e})")

    def value(self, state: S) -> Value:
        """The expected returns if all play the equilibrium from a position on."""
        known: dict[S, Value] = self._values  # type: ignore[attr-defined]
        found = known.get(state)
        if found is None:
            found = known[state] = self._work_out(state)
        return found

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """Evaluate each choice, given what the seat knows."""
        seat = seen.seat
        assert seat is not None, "a spectator decides nothing"
        name = information_set(self.game, seen)
        worths, policy = _worths(self.game)[name], self.strategy.table[name]
        choices = []
        for action in seen.legal:
            own, frequency = worths[str(action)], policy[str(action)]
            returns = (-own, own) if seat else (own, -own)
            words = f"in equilibrium {percent(frequency)}"
            choices.append(Choice(action, returns, frequency=frequency, words=words))
        usual = math.fsum(choice.returns[0] * (choice.frequency or 0.0) for choice in choices)
        ordered = ranked(seat, choices, self.method, scale=self.scale).choices
        return Judgement(seat, ordered, (usual, -usual), self.method)

    def _work_out(self, state: S) -> Value:
        game = self.game
        seats = game.to_act(state)
        if not seats:
            return finished(self, state)
        if seats == (CHANCE,):
            return mean(self, [(chance, value) for _, chance, value in self.outcomes(state)])
        policies = {seat: self.strategy.policy(game, game.observe(state, seat)) for seat in seats}
        first = math.fsum(
            math.prod(policies[seat][action] for seat, action in step.joint.items())
            * self.value(after).returns[0]
            for step, after in successors(game, state)
        )
        return make_value(self, (first, -first), 0.0, is_exact=self.method.is_exact)


@functools.lru_cache(maxsize=8)
def _worths(game: Any) -> dict[str, dict[str, float]]:
    return worth_of_actions(tree_of(game), equilibrium_of(game))
