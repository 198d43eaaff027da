"""An analyst for any game, by tree search."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic

from boardgames_cli.algorithms.analysts.open_analyst import RememberingAnalyst, make_value, mean
from boardgames_cli.algorithms.tree_search import Returns, RolloutPolicy, TreeSearch
from boardgames_cli.core.analyst import Choice, Judgement, Method, Value, ranked
from boardgames_cli.core.game import A, C, Observation, S, Seat, Traits
from boardgames_cli.core.presentation.view import G

_SIMULATIONS: Final = 400
_MOST_OUTCOMES: Final = 12
"""With more outcomes of chance, their values are not worked out one by one."""
_PRIOR: Final = 1.0
"""An estimate counts as if there were one more result at a distance of the whole spread, so that
no error is 0 because all of few results are equal."""
_METHOD: Final = Method(False, f"a search of {_SIMULATIONS} simulations", _SIMULATIONS)


@dataclass(frozen=True)
class SimulationAnalyst(RememberingAnalyst[G, S, A, C], Generic[G, S, A, C]):
    """Values choices and positions by the results of a tree search (`algorithms.tree_search`).

    What the search proves is exact. Other choices are judged by what the seat knows, each with the
    standard error of its simulations.
    """

    version: ClassVar[int] = 2
    every: ClassVar[int] = 4

    @functools.cached_property
    def _rollouts(self) -> RolloutPolicy:
        return RolloutPolicy(self.game, self.heuristic, 0 if self.heuristic else 1000)

    @property
    def method(self) -> Method:
        return _METHOD

    def outcomes(self, state: S) -> Sequence[tuple[C, float, Value]]:
        """Every chance outcome with its value, if they are listed and few."""
        if Traits.SAMPLED_CHANCE in self.game.traits:
            return ()
        if len(self.game.chance_outcomes(state)) > _MOST_OUTCOMES:
            return ()
        return super().outcomes(state)

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """Evaluate each choice by the simulations in which it was made."""
        seat = seen.own_seat
        search = self._search(seen, None)
        everything = [returns for row in search.results.values() for returns in row]
        policy = search.policy()
        choices = []
        for action in seen.legal:
            row, solved = search.results.get(action, []), search.solved(action)
            returns, error = _mean_of(row or everything, search.spread, seat)
            if solved:
                returns, error = tuple(solved), 0.0
            frequency = policy[action] if 0 < policy[action] < 1 else None
            choices.append(Choice(action, returns, error, frequency=frequency))
        return ranked(seat, choices, _METHOD, self.scale)

    def chance_value(self, state: S) -> Value:
        """The mean of the outcomes' values, or of games played on if they are too many."""
        weighed = [(chance, value) for _, chance, value in self.outcomes(state)]
        if weighed:
            return mean(self, weighed)
        rng = random.Random(1)
        played = [self._rollouts.play(state, rng) for _ in range(_SIMULATIONS)]
        spread = max(map(max, played)) - min(map(min, played))
        return make_value(self, *_mean_of(played, spread, 0), is_exact=False)

    def decision_value(self, state: S, seats: Sequence[Seat]) -> Value:
        """The mean returns of a search that knows the position, after the choice it makes."""
        search = self._search(self.game.observe(state, seats[0]), state)
        if search.root.solved:
            return make_value(self, tuple(search.root.solved), 0.0, is_exact=True)
        # A mixed strategy may give a share to an action that no simulation has tried.
        chosen = (action for action, share in search.policy().items() if share)
        row = [result for action in chosen for result in search.results.get(action, ())]
        return make_value(self, *_mean_of(row, search.spread, seats[0]), is_exact=False)

    def _search(self, seen: Observation[S, A], state: S | None) -> TreeSearch[S, A]:
        """Search a decision; with a state, one in which nothing is hidden from the search."""
        search: TreeSearch[Any, A] = TreeSearch(
            self.game, seen, self._rollouts, random.Random(1), known=state
        )
        search.run(_SIMULATIONS, lambda _: False)
        return search


def _mean_of(row: Sequence[Returns], spread: float, seat: Seat) -> tuple[tuple[float, ...], float]:
    count = len(row)
    means = tuple(math.fsum(column) / count for column in zip(*row, strict=True))
    squares = math.fsum((returns[seat] - means[seat]) ** 2 for returns in row)
    return means, math.sqrt((squares + _PRIOR * spread**2) / (count + _PRIOR) / count)
