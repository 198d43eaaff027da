"""What the others may be like, and how likely each of that is after what they have decided."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from typing import Final

from boardgames_cli.games.deepsea.agents.plans import (
    WIDTH,
    Floats,
    Sea,
    Tables,
    drops,
    returns,
    risk_plan,
    rule,
    takes,
)

DIRECTION, TAKING, DROPPING = 0, 1, 2
"""The questions that a diver answers: turn back? take? put down?"""

_SURPRISE: Final = 0.05
"""The least chance of a decision that a plan does not foresee: nobody is pure."""


def _likely() -> Iterator[tuple[float, Sequence[float]]]:
    """Plans of many sorts, each with its weight before anything was seen."""
    yield 3.0, rule(slip=0.5)
    for chips, worth, up in product((1, 2, 3), (0.0, 4.0, 8.0), (0, 2)):
        yield 1.0, rule(chips_down=chips, chips_return=chips, worth_down=worth, chips_up=up)
    yield 2.0, rule(chips_down=9, chips_return=1, worth_down=12.0, chips_up=9, worth_up=12.0)
    for depth, chips in product((5, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24), (0, 1, 2)):
        yield 0.7, rule(chips_down=chips, depth=depth, chips_up=chips)
    for mark, chips in product((8, 12, 16, 20), (1, 2, 3)):
        yield 0.7, rule(chips_down=chips, worth_down=4.0, low_oxygen=mark, chips_up=2)
    for risk, chips in product((0.7, 1.0, 1.3), (2, 4)):
        yield 0.7, rule(chips_down=chips, worth_down=4.0, risk_return=risk, risk_take=risk,
                        chips_up=2, slip=0.1)  # fmt: skip
    for fear, least, ahead in product((0.3, 0.7, 1.1), (0.0, 3.0), (1, 3)):
        down = (least, least / 2, 0.0, 0.0)
        yield 3.0, risk_plan(fear=fear, growth=fear, take_down=down, ahead=ahead, slip=0.08)


_LIKELY: Final = tuple(_likely())
RIVAL_PLANS: Final[Sequence[float]] = [number for _, plan in _LIKELY for number in plan]
"""All plans that are thought of, one after the other."""
PRIOR: Final[Sequence[float]] = [
    weight / sum(weight for weight, _ in _LIKELY) for weight, _ in _LIKELY
]


def weigh(
    weights: Floats,
    first: int,
    sea: Sea,
    tables: Tables,
    plans: Sequence[float],
    seat: int,
    question: int,
    answer: bool,
) -> None:
    """Take in a decision by Bayes' rule.

    Args:
        weights: The likelihoods of all plans, for one seat after the other; they are changed.
        first: Where those of the seat begin.
        sea: The position in which it was decided.
        tables: See `plans.Tables`.
        plans: The plans; their number follows from their length.
        seat: Who decided.
        question: `DIRECTION`, `TAKING` or `DROPPING`.
        answer: Whether the seat turned back, took, put down.
    """
    count = len(plans) // WIDTH
    total = 0.0
    for plan in range(count):
        base = plan * WIDTH
        if question == DIRECTION:
            expected = returns(sea, tables, plans, base, seat)
        elif question == TAKING:
            expected = takes(sea, tables, plans, base, seat)
        else:
            expected = drops(sea, tables, plans, base, seat)
        slip = max(plans[base + 1], _SURPRISE)
        weights[first + plan] *= 1.0 - slip if expected == answer else slip
        total += weights[first + plan]
    for plan in range(count):
        weights[first + plan] /= total


class OpponentModel:
    """For every seat how likely each plan is.

    Args:
        seats: Number of seats at the table.
    """

    def __init__(self, seats: int) -> None:
        self._seats = range(seats)
        self._weights = list(PRIOR) * seats
        self._sums = [list(accumulate(PRIOR)) for _ in self._seats]
        self._bases = range(0, len(RIVAL_PLANS), WIDTH)

    def learn(self, sea: Sea, tables: Tables, seat: int, question: int, answer: bool) -> None:
        """Take in what a diver decided; see `weigh`."""
        count = len(PRIOR)
        first = seat * count
        weigh(self._weights, first, sea, tables, RIVAL_PLANS, seat, question, answer)
        self._sums[seat] = list(accumulate(self._weights[first : first + count]))

    def weights(self, seat: int) -> Sequence[float]:
        """How likely each plan is for a seat; they add up to 1."""
        count = len(PRIOR)
        return self._weights[seat * count : (seat + 1) * count]

    def sample(self, rng: random.Random) -> list[int]:
        """By seat where in `RIVAL_PLANS` the plan begins that was drawn for it."""
        return [rng.choices(self._bases, cum_weights=sums)[0] for sums in self._sums]
