"""An analyst for small games that need mixed strategies, by an equilibrium that it computes."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Self

from boardgames_cli.algorithms.analysts.open_analyst import RememberingAnalyst, make_value
from boardgames_cli.algorithms.exploitability import strategy_quality, worth_of_actions
from boardgames_cli.algorithms.game_tree import (
    HasStages,
    StagePlace,
    information_set,
    stage_of,
    successors,
    tree_of,
    why_no_tree,
)
from boardgames_cli.algorithms.regret_solver import Cfr, CfrSettings
from boardgames_cli.algorithms.strategy import Strategy, bundled_strategy
from boardgames_cli.core.analyst import Choice, Judgement, Method, Value, ranked
from boardgames_cli.core.game import A, AnyGame, C, Observation, S, Seat, Traits
from boardgames_cli.core.presentation.view import G
from boardgames_cli.core.text import percent

_ITERATIONS: Final = 2000
_NODES: Final = 4_000_000
"""The nodes visited to compute an equilibrium: a few seconds."""
_EXACT: Final = 1e-3
"""The exploitability, as a share of the scale, below which an equilibrium counts as exact."""
_ROUNDING: Final = 1e-9


@functools.lru_cache(maxsize=8)
def equilibrium_of(game: AnyGame) -> Strategy:
    """An equilibrium of a small game: the one that comes with it, or else by CFR+.

    CFR+ makes it as good as a few seconds allow.

    Raises:
        TreeError: The game can't be expanded as a tree.
        LearnedFileError: The strategy that comes with the game is damaged or incomplete.
    """
    tree = tree_of(game)
    bundled = bundled_strategy(game)
    if bundled is not None and bundled.fits(game) is None:
        bundled.profile(tree)
        return bundled
    solver = Cfr(tree, CfrSettings())
    solver.run(min(_ITERATIONS, max(1, _NODES // len(tree.nodes))))
    return Strategy.of(game, tree.named(solver.average()))


@dataclass(frozen=True)
class EquilibriumAnalyst(RememberingAnalyst[G, S, A, C], Generic[G, S, A, C]):
    """Judges a choice by what its seat knew, against others who play an equilibrium.

    An action that the equilibrium takes is no mistake. The value of a position is its expected
    return if all play the equilibrium on. In a repeated game, each stage is judged by itself.
    """

    is_quick: ClassVar[bool] = True
    remembered: ClassVar[int] = 100_000

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for small two-seat zero-sum games with hidden information or joint steps."""
        if not game.traits & (Traits.HIDDEN | Traits.SIMULTANEOUS):
            return "it needs no mixed strategies"
        return why_no_tree(game)

    @functools.cached_property
    def strategy(self) -> Strategy:
        """The equilibrium of the game, or of its stage."""
        return equilibrium_of(stage_of(self.game))

    @functools.cached_property
    def worths(self) -> dict[str, dict[str, float]]:
        """The value of each action to its seat in this stage, by information set and notation."""
        return worth_of_actions(tree_of(stage_of(self.game)), self.strategy)

    @functools.cached_property
    def method(self) -> Method:
        """The equilibrium, with what the best answer to it gains if it is not exact."""
        quality = strategy_quality(stage_of(self.game), self.strategy)
        gain = quality.exploitability if quality.exploitability > _ROUNDING else 0.0
        text = "against an equilibrium, by what the seat knew"
        if gain:
            text += f"; the best answer to it gains {gain:.0e}"
        return Method(self.scale.share(gain) <= _EXACT, text)

    def settled(self, seen: Observation[S, A]) -> float:
        """What the stages before have brought the seat, and what those after are worth to it."""
        if self._stage is None:
            return 0.0
        total = self._other_stages(self._place(seen.state))
        return -total if seen.seat else total

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        seat = seen.own_seat
        name = information_set(self.game, seen)
        worths, policy, settled = self.worths[name], self.strategy.table[name], self.settled(seen)
        choices = []
        for action in seen.legal:
            own, frequency = settled + worths[str(action)], policy[str(action)]
            returns = (-own, own) if seat else (own, -own)
            words = f"in equilibrium {percent(frequency)}"
            choices.append(Choice(action, returns, frequency=frequency, words=words))
        usual = math.fsum(choice.returns[0] * (choice.frequency or 0.0) for choice in choices)
        ordered = ranked(seat, choices, self.method, scale=self.scale).choices
        return Judgement(seat, ordered, (usual, -usual), self.method)

    def decision_value(self, state: S, seats: Sequence[Seat]) -> Value:
        game = self.game
        policies = {seat: self.strategy.policy(game, game.observe(state, seat)) for seat in seats}
        first = math.fsum(
            math.prod(policies[seat][action] for seat, action in step.joint.items())
            * self.value(after).returns[0]
            for step, after in successors(game, state)
        )
        return make_value(self, (first, -first), 0.0, is_exact=self.method.is_exact)

    @functools.cached_property
    def _stage(self) -> Self | None:
        stage: Any = stage_of(self.game)
        return None if stage == self.game else type(self)(stage, self.table)

    def _place(self, state: S) -> StagePlace:
        game: AnyGame = self.game
        assert isinstance(game, HasStages), "no other game is repeated"
        return game.place_in_stage(state)

    def _other_stages(self, place: StagePlace) -> float:
        assert self._stage is not None, "there are no others"
        _, _, settled, later = place
        return settled + later * self._stage.value(self._stage.game.initial_state()).returns[0]

    def _work_out(self, state: S) -> Value:
        if self._stage is None:
            return super()._work_out(state)
        place = self._place(state)
        total = self._other_stages(place) + self._stage.value(place[0]).returns[place[1]]
        return make_value(self, (total, -total), 0.0, is_exact=self.method.is_exact)
