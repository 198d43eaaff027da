"""Means with less noise: a number without what luck explains of it.

A score without a multiple of the luck, whose expectation is 0, has the same expectation and less
variance: luck is a control variate (M. Zinkevich, M. Bowling, N. Bard, M. Kan and D. Billings,
"Optimal Unbiased Estimators for Evaluating Agent Performance", 2006).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

_LEAST_DEALS: Final = 10
"""A slope from fewer deals is taken as 0."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over deals of a number ``y``, its control variate ``x``, and their products."""

    n: float = 0.0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0

    @classmethod
    def of(cls, x: float, y: float) -> Moments:
        """Those of one deal."""
        return cls(1.0, x, y, x * x, x * y, y * y)

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.n + other.n, self.x + other.x, self.y + other.y,
            self.xx + other.xx, self.xy + other.xy, self.yy + other.yy,
        )  # fmt: skip

    @property
    def slope(self) -> float:
        """By how much ``y`` grows with ``x``; 0 if there are too few deals to tell."""
        spread = self.xx - self.x * self.x / self.n if self.n else 0.0
        is_known = self.n >= _LEAST_DEALS and spread > 0
        return (self.xy - self.x * self.y / self.n) / spread if is_known else 0.0

    def rest(self, slope: float) -> tuple[float, float]:
        """The sum of ``y - slope * x``, and the sum of its squared deviations from its mean."""
        total = self.y - slope * self.x
        squares = self.yy - 2 * slope * self.xy + slope * slope * self.xx
        return total, max(0.0, squares - total * total / self.n) if self.n else 0.0


@dataclass(frozen=True, slots=True)
class Controlled:
    """A number with a control variate, in two halves of the deals.

    The slope of each half comes from the other one, so that it is independent of the numbers that
    it corrects and the mean stays unbiased.
    """

    even: Moments = field(default_factory=Moments)
    odd: Moments = field(default_factory=Moments)

    @classmethod
    def of(cls, deal: int, x: float, y: float) -> Controlled:
        """Those of one deal, with a control variate ``x`` whose expectation is 0."""
        moments = Moments.of(x, y)
        return cls(odd=moments) if deal % 2 else cls(even=moments)

    def __add__(self, other: Controlled) -> Controlled:
        return Controlled(self.even + other.even, self.odd + other.odd)

    def __bool__(self) -> bool:
        return self.even.n + self.odd.n > 0

    def corrected(self) -> tuple[float, float] | None:
        """The mean of ``y`` without what ``x`` explains, and its standard error.

        None with fewer than two deals in one half.
        """
        if min(self.even.n, self.odd.n) < 2:
            return None
        n = self.even.n + self.odd.n
        parts = (self.even.rest(self.odd.slope), self.odd.rest(self.even.slope))
        mean = math.fsum(total for total, _ in parts) / n
        variance = math.fsum(squares for _, squares in parts) / (n - 2) if n > 2 else math.inf
        return mean, math.sqrt(variance / n)
