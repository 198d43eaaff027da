"""Confidence intervals of shares and means."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

DEVIATIONS: Final = 1.959964
"""The half-width of a 95 % interval of a normal distribution, in standard deviations."""

ELO: Final = 400 / math.log(10)
"""Rating points per unit of log odds: 400 points are odds of 10 to 1 (A. Elo, 1978)."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The difference of its ends."""
        return self.high - self.low


def wilson_interval(points: float, games: int) -> Interval:
    """The 95 % interval of a share of independent games (E. B. Wilson, 1927).

    It is conservative: draws and paired deals make the true interval narrower.

    Args:
        points: Games won; a draw is half a game.
        games: Games played; 0 gives the whole range.
    """
    if not games:
        return Interval(0.0, 1.0)
    share, squared = points / games, DEVIATIONS**2
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    spread = math.sqrt(share * (1 - share) / games + squared / (4 * games**2))
    half = DEVIATIONS * spread / (1 + squared / games)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


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


def expected_score(difference: float) -> float:
    """The expected share of points for a difference of ratings (A. Elo, 1978)."""
    return 1 / (1 + math.exp(-difference / ELO))
