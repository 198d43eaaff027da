"""The plans that were tuned for each number of seats, and the points that they make in a round."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.games.deepsea import GAME
from boardgames_cli.games.deepsea.agents.plans import (
    DROP_GAIN,
    GROWTH,
    RETURN,
    RISING_WEIGHT,
    SINKING_WEIGHT,
    TAKE_DOWN,
    TAKE_DOWN_OXYGEN,
    TAKE_UP,
)

_BOLD: Final = 3.0
"""Points by which the bold plan undervalues safety, and the careful one chips."""

FILE: Final = "plans.json"
"""In the folder ``data``; ``benchmarks/deepsea_tuning.py`` makes it."""


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """The points that a diver with the tuned plan makes, among others of its kind."""

    mean: float
    variance: float


@functools.cache
def _tuned() -> dict[str, Any]:
    text = GAME.data_text(FILE)
    assert text is not None, "the package is complete"
    read: dict[str, Any] = json.loads(text)
    return read


@functools.cache
def tuned_plan(seats: int) -> tuple[float, ...]:
    """The plan that was found best at tables of that size.

    Args:
        seats: 2 to 6.
    """
    return tuple(map(float, _tuned()["plans"][str(seats)]))


@functools.cache
def points_to_come(seats: int, round: int, rounds: int) -> RoundPoints:
    """The points of all rounds after one, with the tuned plan.

    Rounds are taken to be independent. From the third on all count as the third, for none were
    measured.

    Args:
        seats: 2 to 6.
        round: The round that is being played, from 0.
        rounds: How many are played in all.
    """
    measured = _tuned()["rounds"][str(seats)]
    coming = [measured[min(number, len(measured) - 1)] for number in range(round + 1, rounds)]
    return RoundPoints(
        math.fsum(mean for mean, _ in coming), math.fsum(spread**2 for _, spread in coming)
    )


@functools.cache
def reckless_plan(seats: int, care: float) -> tuple[float, ...]:
    """The tuned plan of a diver who forgets that all breathe from one tank.

    Args:
        seats: 2 to 6.
        care: The share that it expects of what the others will use; with 1 it is the tuned plan.
    """
    plan = list(tuned_plan(seats))
    for index in (SINKING_WEIGHT, RISING_WEIGHT, GROWTH):
        plan[index] *= care
    return tuple(plan)


@functools.cache
def own_plans(seats: int, *, is_last: bool) -> tuple[tuple[float, ...], ...]:
    """The ways to go on after a choice that are thought of.

    Args:
        seats: 2 to 6.
        is_last: In the last round there are also a bold and a careful one: points are no longer
            the measure there.
    """
    tuned = tuned_plan(seats)
    return (tuned, _shifted(tuned, -_BOLD), _shifted(tuned, _BOLD)) if is_last else (tuned,)


def _shifted(plan: tuple[float, ...], points: float) -> tuple[float, ...]:
    """A plan that asks so many points more for everything that makes the way home harder."""
    shifted = list(plan)
    for first, count in ((TAKE_DOWN, TAKE_DOWN_OXYGEN - TAKE_DOWN), (TAKE_UP, 2), (RETURN, 4)):
        for index in range(first, first + count):
            shifted[index] += points
    shifted[DROP_GAIN] -= points
    return tuple(shifted)
