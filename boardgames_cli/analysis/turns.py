"""The turns of a reviewed game: what chance did for a seat, and what it decided right after that.

A throw and the move after it are two steps of a game, but one thing to a reader, who wants its luck
and its loss side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from boardgames_cli.analysis.review import Decision, Review, ReviewStep, StepKind
from boardgames_cli.core.game import Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """Steps of chance for one seat, and its decisions right after them.

    A turn may lack either part; a step in which several act, or in which chance acts for nobody
    alone, is a turn by itself.
    """

    steps: tuple[ReviewStep, ...]

    @property
    def first(self) -> int:
        """How many steps of the game came before it."""
        return self.steps[0].ply

    @property
    def last(self) -> int:
        """The ply of its last step."""
        return self.steps[-1].ply

    @property
    def seat(self) -> Seat | None:
        """Whose turn it is; None if nobody's alone."""
        return _seat_of(self.steps[0])

    @property
    def thrown(self) -> tuple[ReviewStep, ...]:
        """The steps of chance in it."""
        return tuple(step for step in self.steps if step.kind is StepKind.CHANCE)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was decided in it."""
        return tuple(decision for step in self.steps for decision in step.decisions)

    @property
    def label(self) -> str:
        """What chance did, such as ``threw 3``; empty if nothing."""
        return ", ".join(step.label for step in self.thrown if step.label)

    @property
    def luck(self) -> float:
        """What chance changed for its seat; 0 in a turn of nobody."""
        seat = self.seat
        return 0.0 if seat is None else math.fsum(step.luck[seat] for step in self.thrown)

    @property
    def loss(self) -> float:
        """What its decisions cost together."""
        return math.fsum(decision.loss for decision in self.decisions)


def turn_at(review: Review, ply: int) -> Turn:
    """The turn to which a step belongs.

    Raises:
        IndexError: There is no such step, or it is not judged yet.
    """
    steps = review.steps
    if not 0 <= ply < len(steps):
        raise IndexError(f"there is no judged step {ply}")
    first = last = ply
    while first and _goes_on(steps[first - 1], steps[first]):
        first -= 1
    while last + 1 < len(steps) and _goes_on(steps[last], steps[last + 1]):
        last += 1
    return Turn(steps[first : last + 1])


def turns(review: Review) -> Iterator[Turn]:
    """All turns in order, as far as the game is judged."""
    ply = 0
    while ply < len(review.steps):
        turn = turn_at(review, ply)
        yield turn
        ply = turn.last + 1


def throw_before(review: Review, step: ReviewStep) -> Turn | None:
    """The turn that a decision answers as its first one, with a throw; None if nothing was thrown.

    A second decision in a turn does not answer the throw again.
    """
    turn = turn_at(review, step.ply)
    thrown = turn.thrown
    return turn if thrown and step.ply == thrown[-1].ply + 1 else None


def awaits_decision(review: Review, ply: int) -> bool:
    """Whether a step is a throw that its seat answers with a decision, so that both are one."""
    steps = review.steps
    if not 0 <= ply < len(steps) or steps[ply].kind is not StepKind.CHANCE:
        return False
    return bool(turn_at(review, ply).decisions)


def _goes_on(before: ReviewStep, after: ReviewStep) -> bool:
    """Whether a step belongs to the turn of the one before it."""
    seat = _seat_of(before)
    if seat is None or seat != _seat_of(after):
        return False
    return before.kind is StepKind.CHANCE or after.kind is StepKind.DECISION


def _seat_of(step: ReviewStep) -> Seat | None:
    """Who acts in a step, or for whom chance does; None if nobody alone."""
    if step.kind is StepKind.CHANCE:
        return step.seat
    return step.decisions[0].seat if step.kind is StepKind.DECISION else None
