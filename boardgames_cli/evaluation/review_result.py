"""A review: the evaluation of a finished game, step by step and seat by seat.

A review is plain data, with actions as notations, so that it can be stored next to the save and
shown without the rules. For every seat the parts add up::

    result = start + luck + own + others + rest

*start* is the value before the first step, *luck* the change in value by chance, *own* and
*others* the changes by the decisions of the seat and of all others, compared with those that the
value expects, and *rest* the corrections of
the estimate, which are 0 if all values are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.codec.fields import Codec, is_number
from boardgames_cli.core.analyst import (
    CERTAIN,
    NO_REASON,
    Choice,
    Mark,
    Method,
    Reason,
    Scale,
    Value,
)
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Seat

Changes = tuple[float, ...]
"""The change in the expected return of each seat."""


_ROUNDING: Final = 1e-9
_FEW: Final = 10
"""Over fewer decisions an accuracy would say more of the positions than of the player."""


class StepKind(Enum):
    """Who acted in a step."""

    CHANCE = "chance"
    DECISION = "decision"
    JOINT = "joint"
    """Several seats acted at once."""


class MarkCodec(Codec[Mark]):
    """A mark, written as its word."""

    def write(self, value: Mark) -> str:
        return value.word

    def read(self, data: Any, field: str) -> Mark:
        for mark in Mark:
            if mark.word == data:
                return mark
        raise PositionError(f"{field} is {data!r}.")


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """One choice that a seat had; see `core.analyst.Choice`."""

    action: str
    returns: tuple[float, ...]
    error: float
    loss: float
    loss_error: float
    frequency: float | None = None
    words: str = ""
    label: str = ""
    """Its label; by default the notation."""
    plies_lost: int = 0

    @classmethod
    def of(cls, choice: Choice[Any], label: str) -> ReviewedChoice:
        """A choice of an analyst as plain data."""
        return cls(
            str(choice.action), choice.returns, choice.error, choice.loss, choice.loss_error,
            choice.frequency, choice.words, label, choice.plies_lost,
        )  # fmt: skip

    @property
    def sure_loss(self) -> float:
        """The loss; 0 if it is within its error."""
        return self.loss if self.loss > CERTAIN * self.loss_error else 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's decision and the alternatives."""

    seat: Seat
    played: str
    choices: tuple[ReviewedChoice, ...]
    """The choices, best first, including the one played."""
    mark: Annotated[Mark, MarkCodec()] = Mark.GOOD
    moment: str = ""
    """When it was made, in the game's own count, such as ``hand 3``."""
    reason: Reason = NO_REASON
    """Why the best choice was better; empty if the difference is negligible."""
    settled: float = 0.0
    """The part of the returns that it can't change; see `core.analyst.Analyst.settled`."""

    @property
    def choice(self) -> ReviewedChoice:
        return next(choice for choice in self.choices if choice.action == self.played)

    @property
    def loss(self) -> float:
        """The loss in expected return compared with the best choice."""
        return self.choice.loss

    @property
    def loss_error(self) -> float:
        return self.choice.loss_error

    @property
    def sure_loss(self) -> float:
        """The loss; 0 if it is within its error."""
        return self.choice.sure_loss

    @property
    def random_loss(self) -> float:
        """The mean loss of all choices, those within their error counting as 0."""
        return math.fsum(choice.sure_loss for choice in self.choices) / len(self.choices)

    @property
    def best(self) -> ReviewedChoice:
        return self.choices[0]

    @property
    def is_mistake(self) -> bool:
        return self.mark is not Mark.GOOD

    @property
    def is_open(self) -> bool:
        """Whether the choices differ in value by more than their error."""
        return any(choice.sure_loss > _ROUNDING for choice in self.choices)

    @property
    def is_forced(self) -> bool:
        return len(self.choices) < 2


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """One step of the game."""

    ply: int
    """The number of steps before."""
    kind: StepKind
    value: Value | None
    """The value of the position before the step; None if it was not evaluated."""
    luck: Changes
    """The change by chance, and by hidden information that came to light."""
    own: Changes
    """The change of each seat's value by its own decision."""
    others: Changes
    """The change of each seat's value by the decisions of the others; in a joint step, by all
    decisions together."""
    rest: Changes
    """The correction of the estimate."""
    error: float = 0.0
    """The standard error of these changes: from the correction of the estimate, or from the
    simulations."""
    decisions: tuple[Decision, ...] = ()
    seat: Seat | None = None
    """The seat for which chance acted; None if no single seat."""
    label: str = ""
    """What chance did for that seat, such as ``threw 3``."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A whole game for one seat; all parts are in units of the game's returns."""

    seat: Seat
    result: float
    """Of a partial review, the value of the position up to which it goes."""
    start: float
    luck: float
    """By all of chance."""
    luck_of_others: float
    """The part of `luck` by chance that acted for other seats, such as their throws."""
    own: float
    others: float
    rest: float
    error: float
    """The standard error of the other parts; 0 if everything is exact.

    The root of the sum of the squared errors of the steps, treated as independent.
    """
    accuracy: float | None
    """From 0, as random choices, to 100, as the game's best level; None if there are too few
    decisions for it to say anything."""
    decisions: int
    """The number of decisions whose choices differ in value."""
    mean_loss: float
    """The mean loss of a decision; losses within their error count as 0."""
    random_loss: float
    """What random choices in the same decisions lose on average."""
    cost: float
    """What its choices cost in the whole game, in returns."""
    counts: Mapping[Mark, int]
    """The number of decisions with each mark."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game; partial until all steps are reviewed."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    """The specification of every seat's holder."""
    names: tuple[str, ...]
    scale: Scale
    method: Method
    steps: tuple[ReviewStep, ...]
    total_steps: int
    final: Value | None = None
    """The value of the final position; None while the review is partial."""
    remarks: tuple[str, ...] = ()
    """Sentences about the whole game."""
    best_ratio: float = 0.0
    """What the game's best level loses, as a share of what random choices lose."""

    @property
    def is_complete(self) -> bool:
        return self.final is not None

    def value_at(self, ply: int) -> Value | None:
        """The value of the position at a ply; None if it was not computed."""
        if ply < len(self.steps):
            return self.steps[ply].value
        return self.final if ply == self.total_steps else None

    def mistakes(self, seat: Seat | None = None) -> list[tuple[ReviewStep, Decision]]:
        """All mistakes in the order of the game; of one seat or of all."""
        return [
            (step, decision)
            for step in self.steps
            for decision in step.decisions
            if decision.is_mistake and seat in (None, decision.seat)
        ]

    def summary(self, seat: Seat) -> SeatSummary:
        """The summary for a seat; of a partial review, of the steps so far."""
        made = [one for step in self.steps for one in step.decisions if one.seat == seat]
        open_decisions = [decision for decision in made if decision.is_open]
        lost = math.fsum(decision.sure_loss for decision in open_decisions)
        at_random = math.fsum(decision.random_loss for decision in open_decisions)
        # Of simulations, losses within their error are as often gains.
        costs = [
            decision.sure_loss if self.method.plays else decision.loss
            for decision in made
            if not decision.choice.plies_lost
        ]
        count = max(1, len(open_decisions))
        first = self.value_at(0)
        start = first.returns[seat] if first is not None else 0.0
        luck = math.fsum(step.luck[seat] for step in self.steps)
        own = math.fsum(step.own[seat] for step in self.steps)
        others = math.fsum(step.others[seat] for step in self.steps)
        rest = math.fsum(step.rest[seat] for step in self.steps)
        return SeatSummary(
            seat=seat,
            result=start + luck + own + others + rest
            if self.final is None
            else self.final.returns[seat],
            start=start,
            luck=luck,
            luck_of_others=math.fsum(
                step.luck[seat] for step in self.steps if step.seat not in (None, seat)
            ),
            own=own,
            others=others,
            rest=rest,
            error=math.sqrt(math.fsum(step.error**2 for step in self.steps)),
            accuracy=accuracy(lost, at_random, self.best_ratio) if count >= _FEW else None,
            decisions=len(open_decisions),
            mean_loss=lost / count,
            random_loss=at_random / count,
            cost=math.fsum(costs),
            counts={
                mark: sum(decision.mark is mark for decision in open_decisions) for mark in Mark
            },
        )


def accuracy(lost: float, at_random: float, best_ratio: float) -> float | None:
    """From 0, as random choices, to 100, as those of the best level; None with nothing to lose."""
    if at_random <= 0:
        return None
    return min(100.0, max(0.0, 100 * (1 - lost / at_random) / (1 - best_ratio)))


#
# A throw and the move after it are two steps of a game, but readers want to see their luck and loss
# together.


@dataclass(frozen=True, slots=True)
class Turn:
    """Chance steps for one seat, and its decisions right after them.

    A turn may lack either part. A joint step, or a chance step for no single seat, is a turn of its
    own.
    """

    steps: tuple[ReviewStep, ...]

    @property
    def first(self) -> int:
        return self.steps[0].ply

    @property
    def last(self) -> int:
        return self.steps[-1].ply

    @property
    def seat(self) -> Seat | None:
        """The seat whose turn it is; None if no single seat's."""
        return _seat_of(self.steps[0])

    @property
    def thrown(self) -> tuple[ReviewStep, ...]:
        return tuple(step for step in self.steps if step.kind is StepKind.CHANCE)

    @property
    def decisions(self) -> tuple[Decision, ...]:
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
    seat = _seat_of(before)
    if seat is None or seat != _seat_of(after):
        return False
    return before.kind is StepKind.CHANCE or after.kind is StepKind.DECISION


def _seat_of(step: ReviewStep) -> Seat | None:
    if step.kind is StepKind.CHANCE:
        return step.seat
    return step.decisions[0].seat if step.kind is StepKind.DECISION else None


_LARGEST: Final = 1e15
"""The maximum of every number, so that sums and squares of them are finite."""
_SMALLEST_SCALE: Final = 1e-6


def to_json(review: Review) -> dict[str, Any]:
    """A review as a JSON object."""
    return object_codec(Review).write(review)


def from_json(data: Any) -> Review:
    """Read a review from JSON.

    Raises:
        ValueError: It is not a valid review; the message names the field.
    """
    if any(abs(number) > _LARGEST for number in _numbers(data)):
        raise ValueError("a number is too large")
    try:
        review = object_codec(Review).read(data, "review")
    except PositionError as error:
        raise ValueError(error.message) from error
    seats = range(len(review.names))
    if review.scale.size < _SMALLEST_SCALE:
        raise ValueError("the scale is too small")
    if not 0 <= review.best_ratio < 1:
        raise ValueError("the best level is no better than random choices")
    if len(review.steps) > review.total_steps:
        raise ValueError("there are more steps than the game has")
    if review.is_complete and len(review.steps) < review.total_steps:
        raise ValueError("it has the last value, but not all steps")
    for ply, step in enumerate(review.steps):
        if step.ply != ply:
            raise ValueError(f"step {step.ply} is in the place of step {ply}")
        _check_step(step, seats)
    _check_value(review.final, seats)
    return review


def _check_step(step: ReviewStep, seats: range) -> None:
    _check_value(step.value, seats)
    _check_errors(step.error)
    changes = (step.luck, step.own, step.others, step.rest)
    if any(len(one) != len(seats) for one in changes) or step.seat not in (None, *seats):
        raise ValueError(f"step {step.ply} has the wrong number of seats")
    if step.kind is StepKind.DECISION and len(step.decisions) != 1:
        raise ValueError(f"step {step.ply} is not one decision")
    for decision in step.decisions:
        if decision.seat not in seats:
            raise ValueError(f"step {step.ply} has a decision of another seat")
        if decision.played not in [choice.action for choice in decision.choices]:
            raise ValueError(f"step {step.ply}: {decision.played} is not among the choices")
        for choice in decision.choices:
            _check_errors(choice.error, choice.loss_error)
            if len(choice.returns) != len(seats):
                raise ValueError(f"step {step.ply}: a choice has the wrong number of seats")


def _check_value(value: Value | None, seats: range) -> None:
    if value is None:
        return
    _check_errors(value.error)
    if len(value.returns) != len(seats) or len(value.chances) not in (0, len(seats)):
        raise ValueError("a value has the wrong number of seats")


def _check_errors(*errors: float) -> None:
    if min(errors) < 0:
        raise ValueError("an error is negative")


def _numbers(data: Any) -> Iterator[float]:
    if is_number(data):
        yield data
    elif isinstance(data, list | Mapping):
        for item in data.values() if isinstance(data, Mapping) else data:
            yield from _numbers(item)
