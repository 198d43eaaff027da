"""The turns of a reviewed game: a throw of the dice and the decisions right after it.

A throw and the move after it are two steps of a game, but readers want to see their luck and loss
together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from boardgames_cli.core.game import Seat
from boardgames_cli.evaluation.review import Decision, Review, ReviewStep, StepKind


@dataclass(frozen=True, slots=True)
class Turn:
    """Chance steps for one seat, and its decisions right after them.

    A turn may lack either part. A joint step, or a chance step for no single seat, is a turn of its
    own.
    """

    steps: tuple[ReviewStep, ...]

    @property
    def first(self) -> int:
        """The number of steps before it."""
        return self.steps[0].ply

    @property
    def last(self) -> int:
        """The ply of its last step."""
        return self.steps[-1].ply

    @property
    def seat(self) -> Seat | None:
        """The seat whose turn it is; None if no single seat's."""
        return _seat_of(self.steps[0])

    @property
    def thrown(self) -> tuple[ReviewStep, ...]:
        """Its chance steps."""
        return tuple(step for step in self.steps if step.kind is StepKind.CHANCE)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Its decisions."""
        return tuple(decision for step in self.steps for decision in step.decisions)

    @property
    def label(self) -> str:
        """What chance did, such as ``threw 3``; may be empty."""
        return ", ".join(step.label for step in self.thrown if step.label)

    @property
    def luck(self) -> float:
        """The luck of its seat; 0 if there is no single seat."""
        seat = self.seat
        return 0.0 if seat is None else math.fsum(step.luck[seat] for step in self.thrown)

    @property
    def loss(self) -> float:
        """The total loss of its decisions."""
        return math.fsum(decision.loss for decision in self.decisions)


def turn_at(review: Review, ply: int) -> Turn:
    """The turn that contains a step.

    Raises:
        IndexError: There is no such step, or it is not reviewed yet.
    """
    steps = review.steps
    if not 0 <= ply < len(steps):
        raise IndexError(f"there is no reviewed step {ply}")
    first = last = ply
    while first and _goes_on(steps[first - 1], steps[first]):
        first -= 1
    while last + 1 < len(steps) and _goes_on(steps[last], steps[last + 1]):
        last += 1
    return Turn(steps[first : last + 1])


def turns(review: Review) -> Iterator[Turn]:
    """All turns in order, as far as the game is reviewed."""
    ply = 0
    while ply < len(review.steps):
        turn = turn_at(review, ply)
        yield turn
        ply = turn.last + 1


def throw_before(review: Review, step: ReviewStep) -> Turn | None:
    """The turn of a decision if it is the first decision after a throw; otherwise None."""
    turn = turn_at(review, step.ply)
    thrown = turn.thrown
    return turn if thrown and step.ply == thrown[-1].ply + 1 else None


def awaits_decision(review: Review, ply: int) -> bool:
    """Whether a step is a throw that is followed by a decision of its seat."""
    steps = review.steps
    if not 0 <= ply < len(steps) or steps[ply].kind is not StepKind.CHANCE:
        return False
    return bool(turn_at(review, ply).decisions)


def _goes_on(before: ReviewStep, after: ReviewStep) -> bool:
    """Whether a step belongs to the same turn as the one before it."""
    seat = _seat_of(before)
    if seat is None or seat != _seat_of(after):
        return False
    return before.kind is StepKind.CHANCE or after.kind is StepKind.DECISION


def _seat_of(step: ReviewStep) -> Seat | None:
    """The seat that acts in a step, or for which chance acts; None if no single seat."""
    if step.kind is StepKind.CHANCE:
        return step.seat
    return step.decisions[0].seat if step.kind is StepKind.DECISION else None
