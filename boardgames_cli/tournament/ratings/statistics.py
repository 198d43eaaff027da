"""Confidence intervals of shares and means, and ratings with theirs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

DEVIATIONS: Final = 1.959964
"""The half-width of a 95 % interval of a normal distribution, in standard deviations."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


class IntervalEstimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    interval: Interval
    """An end is infinite where nothing bounds it, as the rating of who won everything."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The estimates of a tournament, in the order of the entrants."""

    ratings: tuple[IntervalEstimate | None, ...]
    """In Elo points; None for entrants without games."""
    scores: tuple[Interval | None, ...]
    """The interval of each entrant's share of the points; None without games."""
    meetings: dict[tuple[int, int], Interval]
    """The interval of the first one's share of points against the second, for pairs that met."""
    groups: tuple[int, ...]
    """The group of each entrant; different groups are not connected by games."""
    cuts: tuple[tuple[list[int], list[int]], ...]
    """The entrants above and below each cut across which all results go one way."""
    winners_only: bool
    """Whether only first places were compared, because the game ranks nothing else."""


def mean_interval(total: float, squares: float, deals: int, units: int) -> Interval | None:
    """The 95 % interval of a mean over units that come in independent deals.

    Args:
        total: The sum of all units.
        squares: The sum, over deals, of the square of a deal's sum.
        deals: The number of deals; fewer than two give None.
        units: The total number of units, about equal in each deal.
    """
    if deals < 2 or not units:
        return None
    variance = max(0.0, squares - total * total / deals) / (deals - 1)
    mean, half = total / units, DEVIATIONS * math.sqrt(variance * deals) / units
    return Interval(mean - half, mean + half)
