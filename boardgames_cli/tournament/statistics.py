"""Intervals: how far a measured share or difference may be from the true one."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
"""How often an interval is meant to hold the true value."""

DEVIATIONS: Final = 1.959964
"""Standard deviations on each side of a 95 % interval of a normal distribution."""

ELO: Final = 400 / math.log(10)
"""Points of rating in one unit of log odds: 400 points are odds of 10 to 1 (A. Elo, 1978)."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The distance of its ends."""
        return self.high - self.low


def wilson_interval(points: float, games: int) -> Interval:
    """The 95 % interval of a share of independent games (E. B. Wilson, 1927).

    Draws make it a little too wide, and so do deals that are played from both sides.

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
        deals: How many deals; fewer than two have no interval.
        units: How many units there are in all deals together; about as many in each.
    """
    if deals < 2 or not units:
        return None
    variance = max(0.0, squares - total * total / deals) / (deals - 1)
    mean, half = total / units, DEVIATIONS * math.sqrt(variance * deals) / units
    return Interval(mean - half, mean + half)


def expected_score(difference: float) -> float:
    """The share of the points that a difference of ratings promises (A. Elo, 1978)."""
    return 1 / (1 + math.exp(-difference / ELO))
