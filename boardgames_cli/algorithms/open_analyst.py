"""The base of analysts for games with perfect information."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from boardgames_cli.core.analyst import CHANCE_TO_WIN, Analyst, AnyAnalyst, Judgement, Value
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Traits
from boardgames_cli.core.view import G

_REMEMBERED: Final = 4096
"""The size of the cache of values: neighbouring steps ask for the same positions."""


@dataclass(frozen=True)
class OpenAnalyst(Analyst[G, S, A, C], Generic[G, S, A, C]):
    """Analyses sequential games with perfect information.

    The value of a position is that of its best choice, or the mean over chance outcomes, so that
    the values of successive positions are consistent.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_judgements", {})

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for sequential games with perfect information and listed chance outcomes."""
        if Traits.HIDDEN in game.traits:
            return "it hides things from the seats"
        if Traits.SIMULTANEOUS in game.traits:
            return "all seats act at once there"
        if Traits.SAMPLED_CHANCE in game.traits:
            return "it has too many outcomes of chance to list"
        return None

    @abstractmethod
    def judge_state(self, state: S) -> Judgement[A]:
        """Evaluate each choice of the seat to act."""

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """Evaluate each choice of the seat to act; nothing in the position is hidden."""
        known: dict[Any, Judgement[A]] = self._judgements  # type: ignore[attr-defined]
        key = self.memory_key(seen.state)
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = self.judge_state(seen.state)
        return known[key]

    def value(self, state: S) -> Value:
        """The value of a position: exact at the end, else from its choices or outcomes."""
        known: dict[Any, Value] = self._values  # type: ignore[attr-defined]
        key = self.memory_key(state)
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = self._work_out(state)
        return known[key]

    def memory_key(self, state: S) -> Any:
        """The cache key: equal only for states of equal value; by default the state itself."""
        return state

    def _work_out(self, state: S) -> Value:
        seats = self.game.to_act(state)
        if not seats:
            return finished(self, state)
        if seats == (CHANCE,):
            return mean(self, [(chance, value) for _, chance, value in self.outcomes(state)])
        judgement = self.judge(self.game.observe(state, seats[0]))
        value = make_value(self, judgement.expected, judgement.error, judgement.method.is_exact)
        return replace(value, distance=judgement.best.distance)


def finished(analyst: AnyAnalyst, state: Any) -> Value:
    """The exact value of a finished game."""
    return make_value(analyst, analyst.game.returns(state), 0.0, is_exact=True)


def mean(analyst: AnyAnalyst, weighed: Sequence[tuple[float, Value]]) -> Value:
    """The mean of values weighted by probability; their errors are treated as equal."""
    returns = tuple(
        sum(chance * value.returns[seat] for chance, value in weighed)
        for seat in range(analyst.game.seats)
    )
    error = sum(chance * value.error for chance, value in weighed)
    return make_value(analyst, returns, error, all(value.is_exact for _, value in weighed))


def make_value(
    analyst: AnyAnalyst, returns: tuple[float, ...], error: float, is_exact: bool
) -> Value:
    """Make a value, with winning probabilities if the returns imply them."""
    chances: tuple[float, ...] = ()
    if analyst.scale is CHANCE_TO_WIN and analyst.game.seats == 2:
        own = min(1.0, max(0.0, (returns[0] + 1) / 2))
        chances = (own, 1 - own)
    return Value(tuple(returns), error, is_exact, chances)
