"""Achievements: what a person did in a finished game that shows what the game is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.spec import GameSpec


class SeenTurn(NamedTuple):
    """One step of a game as one seat saw it."""

    before: Any
    """The state before it, with everything redacted that the seat could not know."""
    action: Any
    """The seat's own action; None if chance or only others acted."""
    after: Any
    """The state after it, redacted as well."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game as one seat saw it."""

    match: AnyMatch
    seat: Seat

    @property
    def is_won(self) -> bool:
        """Whether the seat has won."""
        return self.seat in self.match.winners

    @cached_property
    def states(self) -> list[Any]:
        """All states, redacted for the seat."""
        match = self.match
        redact, plies = match.game.redact, range(match.ply + 1)
        return [redact(match.state_at(ply), self.seat) for ply in plies]

    @property
    def turns(self) -> Iterator[SeenTurn]:
        """All steps, in order."""
        for ply, step in enumerate(self.match.steps):
            yield SeenTurn(self.states[ply], step.joint.get(self.seat), self.states[ply + 1])

    @property
    def own_turns(self) -> Iterator[SeenTurn]:
        """The steps in which the seat acted, in order."""
        return (turn for turn in self.turns if turn.action is not None)


@dataclass(frozen=True, slots=True)
class Achievement:
    """One achievement of a game."""

    id: str
    """A word that results keep; it must not change."""
    title: str
    task: str
    """A sentence that says how it is earned."""
    lesson: str
    """A sentence about the game that it teaches."""
    is_earned: Callable[[FinishedGame], bool]
    """Whether a game earns it."""


def achievements_of(spec: GameSpec) -> tuple[Achievement, ...]:
    """The achievements of a game; empty if it has none.

    Raises:
        ImportError: The manifest names what does not exist.
    """
    found: tuple[Achievement, ...] | None = spec.load_part("achievements")
    return found or ()


def earned_in(spec: GameSpec, match: AnyMatch, seat: Seat) -> tuple[str, ...]:
    """The ids of what a seat has earned in a finished game.

    An achievement whose check fails is not earned: the result of a game matters more.
    """
    game, found = FinishedGame(match, seat), list[str]()
    for one in achievements_of(spec):
        try:
            if one.is_earned(game):
                found.append(one.id)
        except Exception:  # noqa: S112  # of a plug-in
            continue
    return tuple(found)
