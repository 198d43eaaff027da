"""What analysts of games without secrets have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

from boardgames_cli.core.analyst import CHANCE_TO_WIN, Analyst, AnyAnalyst, Judgement, Value
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S
from boardgames_cli.core.info import Traits
from boardgames_cli.core.view import G

_REMEMBERED: Final = 4096
"""Positions whose value is kept: neighbouring steps of a game ask for the same ones."""


@dataclass(frozen=True)
class OpenAnalyst(Analyst[G, S, A, C], Generic[G, S, A, C]):
    """Judges games in which one seat acts at a time and everybody sees everything.

    A position is worth what its best choice is worth, or the mean of what chance may bring; so the
    values of neighbouring positions fit together.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_judgements", {})

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for games without secrets and joint moves whose outcomes of chance are listed."""
        if Traits.HIDDEN in game.traits:
            return "it hides things from the seats"
        if Traits.SIMULTANEOUS in game.traits:
            return "all seats act at once there"
        if Traits.SAMPLED_CHANCE in game.traits:
            return "it has too many outcomes of chance to list"
        return None

    @abstractmethod
    def judge_state(self, state: S) -> Judgement[A]:
        """What each choice of the seat to act is worth."""

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """What each choice of the seat to act is worth: everybody knows the position."""
        known: dict[Any, Judgement[A]] = self._judgements  # type: ignore[attr-defined]
        key = self.memory_key(seen.state)
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = self.judge_state(seen.state)
        return known[key]

    def value(self, state: S) -> Value:
        """What a position is worth: exact at the end, else by its choices or its outcomes."""
        known: dict[Any, Value] = self._values  # type: ignore[attr-defined]
        key = self.memory_key(state)
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = self._work_out(state)
        return known[key]

    def memory_key(self, state: S) -> Any:
        """The same for states of one value only; by default the state itself."""
        return state

    def _work_out(self, state: S) -> Value:
        seats = self.game.to_act(state)
        if not seats:
            return finished(self, state)
        if seats == (CHANCE,):
            return mean(self, [(chance, value) for _, chance, value in self.outcomes(state)])
        judgement = self.judge(self.game.observe(state, seats[0]))
        return make_value(self, judgement.expected, judgement.error, judgement.method.is_exact)


def finished(analyst: AnyAnalyst, state: Any) -> Value:
    """The value of a position in which the game is over."""
    return make_value(analyst, analyst.game.returns(state), 0.0, is_exact=True)


def mean(analyst: AnyAnalyst, weighed: Sequence[tuple[float, Value]]) -> Value:
    """The mean of some values with their probabilities; their errors are taken for equal."""
    returns = tuple(
        sum(chance * value.returns[seat] for chance, value in weighed)
        for seat in range(analyst.game.seats)
    )
    error = sum(chance * value.error for chance, value in weighed)
    return make_value(analyst, returns, error, all(value.is_exact for _, value in weighed))


def make_value(
    analyst: AnyAnalyst, returns: tuple[float, ...], error: float, is_exact: bool
) -> Value:
    """A value, with the chances to win where returns stand for them."""
    chances: tuple[float, ...] = ()
    if analyst.scale is CHANCE_TO_WIN and analyst.game.seats == 2:
        own = min(1.0, max(0.0, (returns[0] + 1) / 2))
        chances = (own, 1 - own)
    return Value(tuple(returns), error, is_exact, chances)
