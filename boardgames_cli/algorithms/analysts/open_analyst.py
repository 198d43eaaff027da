"""The base of generic analysts, and those for games with perfect information."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from boardgames_cli.algorithms.action_values import why_unfit
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.analyst import (
    CHANCE_TO_WIN,
    Analyst,
    AnyAnalyst,
    Choice,
    Judgement,
    Method,
    Scale,
    Value,
    ranked,
)
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Seat, Traits, winners
from boardgames_cli.core.presentation.view import G
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import heuristic_of, spec_of

T = TypeVar("T")

Returns: TypeAlias = tuple[float, ...]

_LOOKED_AHEAD: Final = 100_000
_SEARCHED: Final = 20_000
"""About so many positions are searched for a decision, at most."""
_USUAL_CHOICES: Final = 6
"""A position with fewer is likely to be followed by some with as many."""
_USUAL_DEPTH: Final = "2"
"""The depth of a level by `expectimax` that does not say it."""


@dataclass(frozen=True)
class RememberingAnalyst(Analyst[G, S, A, C], Generic[G, S, A, C]):
    """Values a position by its outcomes of chance or its decision, and remembers the values."""

    remembered: ClassVar[int] = 4096
    """The most values to remember: neighbouring steps ask for the same positions."""

    @cached_property
    def _known(self) -> dict[str, dict[Any, Any]]:
        return defaultdict(dict)

    def recall(self, kind: str, key: Any, make: Callable[[], T], most: int | None = None) -> T:
        """What is remembered of a kind under a key; made if it is new.

        When there are as many as `remembered`, or another number, all of them are forgotten.
        """
        known = self._known[kind]
        found: T | None = known.get(key)
        if found is None:
            if len(known) >= (most or self.remembered):
                known.clear()
            found = known[key] = make()
        return found

    @cached_property
    def heuristic(self) -> Heuristic | None:
        """The game's evaluation of positions, if it has one."""
        return heuristic_of(self.game)

    @property
    def scale(self) -> Scale:
        """Winning probability if two seats play for -1 or 1, else the range of returns."""
        low, high = self.game.utility
        if self.game.seats == 2 and Traits.ZERO_SUM in self.game.traits and high == 1:
            return CHANCE_TO_WIN
        return Scale("points", high - low)

    def value(self, state: S) -> Value:
        """The value of a position: exact at the end, else from its decision or outcomes."""
        return self.recall("value", self.memory_key(state), lambda: self._work_out(state))

    def memory_key(self, state: S) -> Any:
        """The cache key: equal only for states of equal value; by default the state itself."""
        return state

    @abstractmethod
    def decision_value(self, state: S, seats: Sequence[Seat]) -> Value:
        """The value of a position in which seats are to act."""

    def chance_value(self, state: S) -> Value:
        """The value of a position in which chance is to act."""
        return mean(self, [(chance, value) for _, chance, value in self.outcomes(state)])

    def leaf(self, state: S) -> Returns:
        """The heuristic's value of a position for every seat; without one, the returns so far."""
        game, heuristic = self.game, self.heuristic
        if heuristic is None or game.is_over(state):
            return game.returns(state)
        if game.seats == 2 and Traits.ZERO_SUM in game.traits:
            first = heuristic(game, state, 0)
            return (first, -first)
        return tuple(heuristic(game, state, seat) for seat in range(game.seats))

    def _work_out(self, state: S) -> Value:
        seats = self.game.to_act(state)
        if not seats:
            return make_value(self, self.game.returns(state), 0.0, is_exact=True)
        if seats != (CHANCE,):
            return self.decision_value(state, seats)
        pending, key = self._known["pending"], self.memory_key(state)
        if key in pending:  # chance led back here, as where throws that can't be used pass the turn
            return make_value(self, self.leaf(state), 0.0, is_exact=False)
        pending[key] = True
        try:
            return self.chance_value(state)
        finally:
            del pending[key]


@dataclass(frozen=True)
class OpenAnalyst(RememberingAnalyst[G, S, A, C], Generic[G, S, A, C]):
    """Analyses sequential games with perfect information.

    The value of a position is that of its best choice, or the mean over chance outcomes, so that
    the values of successive positions are consistent.
    """

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for sequential games with perfect information and listed chance outcomes."""
        return why_unfit(game, Traits.HIDDEN, Traits.SIMULTANEOUS, Traits.SAMPLED_CHANCE)

    @abstractmethod
    def judge_state(self, state: S) -> Judgement[A]:
        """Evaluate each choice of the seat to act."""

    def judge(
        self, seen: Observation[S, A], earlier: Sequence[Observation[S, A]] = ()
    ) -> Judgement[A]:
        """Evaluate each choice of the seat to act; nothing in the position is hidden."""
        state = seen.state
        return self.recall("judgement", self.memory_key(state), lambda: self.judge_state(state))

    def decision_value(self, state: S, seats: Sequence[Seat]) -> Value:
        judgement = self.judge(self.game.observe(state, seats[0]))
        value = make_value(self, judgement.expected, judgement.error, judgement.method.is_exact)
        return replace(value, distance=judgement.best.distance)


@dataclass(frozen=True)
class SearchAnalyst(OpenAnalyst[G, S, A, C], Generic[G, S, A, C]):
    """Evaluates positions with the heuristic, some decisions after the choice in question.

    After a choice, chance acts if it is next, and then the next seat takes the action that the
    heuristic likes best for that seat. Every seat is assumed to maximise its own return. The change
    of the heuristic between a position and the next decision serves as the standard error of a
    value. Where it searches further, that is the change by the last decision that it searches.
    """

    is_thorough: bool = False
    """Whether it searches as far as the game's deepest level, if that takes no more than a second
    or two."""

    version: ClassVar[int] = 2
    decisions: ClassVar[int] = 1
    """The least number of decisions that are searched after a choice."""
    known_by: ClassVar[str] = "every result is known"
    """How exact values are known."""

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for perfect-information games with a heuristic."""
        reason = super().why_not(game)
        if reason is None and heuristic_of(game) is None:
            return "it has no evaluation of positions"
        return reason

    @property
    def method(self) -> Method:
        most = self._most_decisions
        further = f"up to {most} decisions" if most > 1 else "one decision"
        return Method(False, f"the game's heuristic, {further} further")

    def thorough(self) -> Self:
        return replace(self, is_thorough=True)

    @cached_property
    def _most_decisions(self) -> int:
        levels = map(split_agent, spec_of(self.game).levels.values()) if self.is_thorough else ()
        depths = [
            int(options.get("depth", options.get("", _USUAL_DEPTH)))
            for name, options in levels
            if name == "expectimax"
        ]
        return max(self.decisions, *(depth - 1 for depth in depths), 1)

    def _decisions_of(self, choices: int) -> int:
        depth, each = self._most_decisions, max(choices, _USUAL_CHOICES)
        while depth > self.decisions and each ** (depth + 1) > _SEARCHED:
            depth -= 1
        return depth

    def known(self, state: S) -> Returns | None:
        """The value of a position for every seat where it is known, such as from a table."""
        del state  # by default nothing is
        return None

    def leaf(self, state: S) -> Returns:
        known = self.known(state)
        return super().leaf(state) if known is None else known

    def value(self, state: S) -> Value:
        """The known value, otherwise from the choices or the outcomes of chance."""
        known = self.known(state)
        if known is None:
            return super().value(state)
        error = self.error_of(state, known)
        return make_value(self, known, error, is_exact=not error)

    def rough_value(self, state: S) -> Value:
        return make_value(self, self.leaf(state), 0.0, self.game.is_over(state))

    def error_of(self, state: S, ahead: Returns, less: int = 0) -> float:
        """The standard error of a value by search: its difference from that of a shorter one."""
        before = self.ahead(state, less)
        return max(abs(one - other) for one, other in zip(ahead, before, strict=True))

    def judge_state(self, state: S) -> Judgement[A]:
        game = self.game
        (seat,) = game.to_act(state)
        choices: list[Choice[A]] = []
        legal = game.legal_actions(state, seat)
        depth = self._decisions_of(len(legal))
        for action in legal:
            after = game.apply(state, {seat: action})
            returns = self.ahead(after, depth)
            error = 0.0 if game.is_over(after) else self.error_of(after, returns, depth - 1)
            choices.append(Choice(action, returns, error))
        is_exact = not any(choice.error for choice in choices)
        return ranked(seat, choices, Method(True, self.known_by) if is_exact else self.method)

    def ahead(self, state: S, decisions: int | None = None) -> Returns:
        """The value of a position if the next seats to act choose by the heuristic.

        By default as many of them do as this analyst searches.
        """
        depth = self.decisions if decisions is None else decisions
        exact = self.known(state) if depth else None
        if not depth or (exact is not None and not self.error_of(state, exact)):
            return self.leaf(state)
        return self.recall(
            "ahead", (state, depth), lambda: self._look_ahead(state, depth), _LOOKED_AHEAD
        )

    def _look_ahead(self, state: S, depth: int) -> Returns:
        game = self.game
        seats = game.to_act(state)
        if not seats:
            return game.returns(state)
        if seats == (CHANCE,):
            weighed = []
            for outcome, chance in game.chance_outcomes(state):
                after = game.apply_chance(state, outcome)
                # A second event of chance is not expanded.
                seat = next(iter(game.to_act(after)), CHANCE)
                found = self.leaf(after) if seat == CHANCE else self._best_reply(after, seat, depth)
                weighed.append((chance, found))
            return tuple(
                sum(chance * returns[seat] for chance, returns in weighed)
                for seat in range(game.seats)
            )
        return self._best_reply(state, seats[0], depth)

    def _best_reply(self, state: S, seat: Seat, depth: int) -> Returns:
        game = self.game
        replies = (
            self.ahead(game.apply(state, {seat: action}), depth - 1)
            for action in game.legal_actions(state, seat)
        )
        return max(replies, key=lambda returns: returns[seat])


def finished_with_winners(analyst: AnyAnalyst, state: Any) -> Value:
    """The exact value of a finished game; all with the most returns share the win."""
    returns = analyst.game.returns(state)
    best = winners(returns) or range(len(returns))
    chances = tuple((seat in best) / len(best) for seat in range(len(returns)))
    return Value(returns, is_exact=True, chances=chances)


def mean(analyst: AnyAnalyst, weighed: Sequence[tuple[float, Value]]) -> Value:
    """The mean of values and chances by probability; errors are treated as equal."""
    returns = tuple(
        sum(chance * value.returns[seat] for chance, value in weighed)
        for seat in range(analyst.game.seats)
    )
    error = sum(chance * value.error for chance, value in weighed)
    found = make_value(analyst, returns, error, all(value.is_exact for _, value in weighed))
    if found.chances or not all(value.chances for _, value in weighed):
        return found
    seats = range(analyst.game.seats)
    chances = (math.fsum(share * value.chances[seat] for share, value in weighed) for seat in seats)
    return replace(found, chances=tuple(chances))


def make_value(
    analyst: AnyAnalyst, returns: tuple[float, ...], error: float, is_exact: bool
) -> Value:
    """Make a value, with winning probabilities if the returns imply them."""
    chances: tuple[float, ...] = ()
    if analyst.scale is CHANCE_TO_WIN and analyst.game.seats == 2:
        own = min(1.0, max(0.0, (returns[0] + 1) / 2))
        chances = (own, 1 - own)
    return Value(tuple(returns), error, is_exact, chances)
