"""An analyst for any perfect-information game: the heuristic after a one-decision search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Generic

from boardgames_cli.algorithms.open_analyst import OpenAnalyst
from boardgames_cli.core.analyst import CHANCE_TO_WIN, Choice, Judgement, Method, Scale, ranked
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, S, Seat, Traits
from boardgames_cli.core.view import G
from boardgames_cli.registry import heuristic_of

Returns = tuple[float, ...]

_REMEMBERED: Final = 100_000
_METHOD: Final = Method(False, "the game's heuristic, one decision further")


@dataclass(frozen=True)
class SearchAnalyst(OpenAnalyst[G, S, A, C], Generic[G, S, A, C]):
    """Evaluates positions with the heuristic, one decision after the choice in question.

    After a choice, chance acts if it is next, and then the next seat takes the action that the
    heuristic likes best for that seat. Every seat is assumed to maximise its own return. The change
    of the heuristic between a position and the next decision serves as the standard error of a
    value.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_ahead", {})
        object.__setattr__(self, "_heuristic", heuristic_of(self.game))

    @classmethod
    def why_not(cls, game: AnyGame) -> str | None:
        """None for perfect-information games with a heuristic."""
        reason = super().why_not(game)
        if reason is None and heuristic_of(game) is None:
            return "it has no evaluation of positions"
        return reason

    @property
    def scale(self) -> Scale:
        """Winning probability if two seats play for -1 or 1, else the range of returns."""
        low, high = self.game.utility
        if self.game.seats == 2 and Traits.ZERO_SUM in self.game.traits and high == 1:
            return CHANCE_TO_WIN
        return Scale("points", high - low)

    @property
    def method(self) -> Method:
        """The heuristic."""
        return _METHOD

    def leaf(self, state: S) -> Returns:
        """The heuristic's value of a position for every seat."""
        game = self.game
        if game.is_over(state):
            return game.returns(state)
        heuristic: Any = self._heuristic  # type: ignore[attr-defined]
        if game.seats == 2 and Traits.ZERO_SUM in game.traits:
            first = heuristic(game, state, 0)
            return (first, -first)
        return tuple(heuristic(game, state, seat) for seat in range(game.seats))

    def error_of(self, state: S, ahead: Returns) -> float:
        """The standard error of a value from one-decision search."""
        return max(abs(one - other) for one, other in zip(ahead, self.leaf(state), strict=True))

    def loss_error(self, errors: tuple[float, float]) -> float:
        """The standard error of the difference between the values of two choices."""
        return math.hypot(*errors)

    def judge_state(self, state: S) -> Judgement[A]:
        """Evaluate each choice by searching one more decision."""
        game = self.game
        (seat,) = game.to_act(state)
        choices: list[Choice[A]] = []
        for action in game.legal_actions(state, seat):
            after = game.apply(state, {seat: action})
            returns = self.ahead(after)
            error = 0.0 if game.is_over(after) else self.error_of(after, returns)
            choices.append(Choice(action, returns, error))
        best = max(choices, key=lambda choice: choice.returns[seat])
        with_errors = [
            Choice(
                choice.action,
                choice.returns,
                choice.error,
                loss_error=self.loss_error((best.error, choice.error)),
            )
            for choice in choices
        ]
        return ranked(seat, with_errors, self.method, best.error)

    def ahead(self, state: S) -> Returns:
        """The value of a position if the next seat to act chooses by the heuristic."""
        known: dict[S, Returns] = self._ahead  # type: ignore[attr-defined]
        found = known.get(state)
        if found is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            found = known[state] = self._look_ahead(state)
        return found

    def _look_ahead(self, state: S) -> Returns:
        game = self.game
        seats = game.to_act(state)
        if not seats:
            return game.returns(state)
        if seats == (CHANCE,):
            weighed = [
                (chance, self._after_chance(game.apply_chance(state, outcome)))
                for outcome, chance in game.chance_outcomes(state)
            ]
            return tuple(
                sum(chance * returns[seat] for chance, returns in weighed)
                for seat in range(game.seats)
            )
        return self._best_reply(state, seats[0])

    def _after_chance(self, state: S) -> Returns:
        """The value after one chance event; a second one is not expanded."""
        seats = self.game.to_act(state)
        if not seats or seats == (CHANCE,):
            return self.leaf(state)
        return self._best_reply(state, seats[0])

    def _best_reply(self, state: S, seat: Seat) -> Returns:
        game = self.game
        replies = (
            self.leaf(game.apply(state, {seat: action}))
            for action in game.legal_actions(state, seat)
        )
        return max(replies, key=lambda returns: returns[seat])
