"""A review: what a game that was played comes to, step by step and seat by seat.

Everything here is plain data, with actions as their notation, so that it can be kept beside the
save and shown without the rules. For every seat the parts add up::

    result = start + luck + own + others + rest

*start* is what the game was worth before the first step, *luck* what chance changed, *own* and
*others* what the decisions of the seat and of all others changed, and *rest* what an estimate had
to correct in itself: nothing where all values are exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from boardgames_cli.core.analyst import (
    CERTAIN,
    NO_REASON,
    Mark,
    Method,
    Reason,
    Remark,
    Scale,
    Value,
)
from boardgames_cli.core.game import Seat

Changes = tuple[float, ...]
"""By seat, by how much something changed the expected return."""


_ROUNDING: Final = 1e-9


class StepKind(Enum):
    """Who acted in a step."""

    CHANCE = "chance"
    DECISION = "decision"
    JOINT = "joint"
    """Several seats at once."""


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
    """What people call it; the notation, if they call it so."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat chose, and what else it could have chosen."""

    seat: Seat
    played: str
    choices: tuple[ReviewedChoice, ...]
    """The best first; the one played is among them."""
    mark: Mark = Mark.GOOD
    moment: str = ""
    """When it was, in the game's own count, such as ``hand 3``."""
    reason: Reason = NO_REASON
    """Why the best choice was better; empty if it hardly was."""

    @property
    def choice(self) -> ReviewedChoice:
        """The choice that was taken."""
        return next(choice for choice in self.choices if choice.action == self.played)

    @property
    def loss(self) -> float:
        """How much less it brought than the best choice, as expected at the time."""
        return self.choice.loss

    @property
    def loss_error(self) -> float:
        """The standard error of the loss."""
        return self.choice.loss_error

    @property
    def sure_loss(self) -> float:
        """The loss; 0 if its error could explain it."""
        return self.loss if self.loss > CERTAIN * self.loss_error else 0.0

    @property
    def better(self) -> str:
        """The best choice."""
        return self.choices[0].action

    @property
    def best(self) -> ReviewedChoice:
        """The best choice."""
        return self.choices[0]

    @property
    def is_mistake(self) -> bool:
        """Whether it cost so much that it has a mark."""
        return self.mark is not Mark.GOOD

    @property
    def is_open(self) -> bool:
        """Whether it mattered what was chosen, as far as that is sure."""
        return any(
            choice.loss > max(_ROUNDING, CERTAIN * choice.loss_error) for choice in self.choices
        )

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to choose."""
        return len(self.choices) < 2


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """One step of the game."""

    ply: int
    """How many steps came before."""
    kind: StepKind
    value: Value | None
    """What the position was worth before the step; None between the steps that are judged."""
    luck: Changes
    """What chance changed, and what came of things that nobody could know."""
    own: Changes
    """What each seat's own decision changed for it."""
    others: Changes
    """What the decisions of all others changed for each seat; where several act at once, what all
    did together."""
    rest: Changes
    """What the estimate corrected in itself."""
    error: float = 0.0
    """How far off these changes may be: what the estimate corrected in itself here, or the standard
    error of what was played out."""
    decisions: tuple[Decision, ...] = ()
    seat: Seat | None = None
    """For whom chance acted; None if it did not, or for nobody alone."""
    label: str = ""
    """What chance did for that seat, such as ``threw 3``."""

    def __post_init__(self) -> None:
        assert len(self.luck) == len(self.own) == len(self.others) == len(self.rest)


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A whole game for one seat; all parts are in units of the game's returns."""

    seat: Seat
    result: float
    start: float
    luck: float
    own: float
    others: float
    rest: float
    error: float
    """The standard error of the other parts; 0 if everything is exact.

    The root of the sum of the squares of what the steps were off by, as if they were independent.
    """
    accuracy: float | None
    """0 to 100, the mean over its decisions; None if it had none."""
    decisions: int
    """Decisions in which it mattered what was chosen."""
    mean_loss: float
    """What a decision cost on average, where the loss is beyond its error."""
    counts: Mapping[Mark, int]
    """How many decisions have each mark."""


@dataclass(frozen=True, slots=True)
class Review:
    """A game, judged; partial as long as not all of its steps are."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    """The specification of every seat's owner."""
    names: tuple[str, ...]
    scale: Scale
    method: Method
    steps: tuple[ReviewStep, ...]
    total_steps: int
    final: Value | None = None
    """What the position was worth after the last step; None while the review is partial."""
    remarks: tuple[Remark, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every step is judged."""
        return self.final is not None

    def value_at(self, ply: int) -> Value | None:
        """What the position was worth at a ply, or None if that was not worked out."""
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
        """What the game came to for a seat; of a partial review, as far as it goes."""
        open_decisions = [
            decision
            for step in self.steps
            for decision in step.decisions
            if decision.seat == seat and decision.is_open
        ]
        losses = [decision.sure_loss for decision in open_decisions]
        last = self.final or next(
            (step.value for step in reversed(self.steps) if step.value is not None), None
        )
        first = self.value_at(0)
        return SeatSummary(
            seat=seat,
            result=last.returns[seat] if last is not None else 0.0,
            start=first.returns[seat] if first is not None else 0.0,
            luck=math.fsum(step.luck[seat] for step in self.steps),
            own=math.fsum(step.own[seat] for step in self.steps),
            others=math.fsum(step.others[seat] for step in self.steps),
            rest=math.fsum(step.rest[seat] for step in self.steps),
            error=math.sqrt(math.fsum(step.error**2 for step in self.steps)),
            accuracy=_mean([accuracy(self.scale.share(loss)) for loss in losses]),
            decisions=len(losses),
            mean_loss=_mean(losses) or 0.0,
            counts={
                mark: sum(decision.mark is mark for decision in open_decisions) for mark in Mark
            },
        )


def accuracy(share: float) -> float:
    """The accuracy of one decision, 0 to 100, by the share of the scale that it lost.

    The curve is the one that lichess.org gives its players ("Accuracy metric", 2021), where a share
    is one of the chances to win.
    """
    return min(100.0, max(0.0, 103.1668 * math.exp(-4.354 * share) - 3.1669))


def _mean(numbers: Sequence[float]) -> float | None:
    return math.fsum(numbers) / len(numbers) if numbers else None
