"""The sequential test, which ends a pairing as soon as two differences in rating are told apart.

It is A. Wald's sequential probability ratio test (1945) with the generalized likelihood ratio of
M. Van den Bergh ("A practical introduction to the GSPRT"), over the scores of whole deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.agents.ratings import expected_score
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.rows import VOID, Rows, Teams, meetings

ERROR: Final = 0.05
"""The probability that a test accepts a hypothesis although the other is true."""
BOUND: Final = math.log((1 - ERROR) / ERROR)
"""A test accepts its upper difference when the logarithm of the likelihood ratio rises to this, and
the lower one when it falls to the negative."""

_LARGEST: Final = 2000
_UNSEEN: Final = 1e-3
"""The pseudo-count of every score, without which the first deals would be decisive."""
_STEPS: Final = 100
_PRECISION: Final = 1e-12


@dataclass(slots=True)
class Sprt:
    """The running test of a pairing on two seats; after its verdict nothing changes.

    Raises:
        GameError: The bounds don't rise, or are too large.
    """

    elo0: float
    elo1: float
    deals: int = 0
    llr: float = 0.0
    """The logarithm of the likelihood of ``elo1`` divided by that of ``elo0``."""
    _counts: list[int] = field(default_factory=lambda: [0] * 5)
    """How many deals had each number of quarters of their points, which suits one game and two."""

    def __post_init__(self) -> None:
        if not -_LARGEST <= self.elo0 < self.elo1 <= _LARGEST:
            raise GameError(
                f"a sequential test can't have the bounds {self.elo0:g},{self.elo1:g}.",
                f"Give two differences in rating between {-_LARGEST} and {_LARGEST}, "
                "the smaller one first: --sprt 0,20",
            )

    @property
    def verdict(self) -> str:
        """``H0`` or ``H1`` for the lower or the upper difference, or ``undecided``."""
        return "undecided" if abs(self.llr) < BOUND else "H1" if self.llr > 0 else "H0"

    @property
    def is_decided(self) -> bool:
        return abs(self.llr) >= BOUND

    def __str__(self) -> str:
        nearer = self.elo1 if self.llr > 0 else self.elo0
        more = f" accepted, the difference is nearer to {nearer:g}" if self.is_decided else ""
        return (
            f"SPRT {self.elo0:g} against {self.elo1:g}: {self.verdict}{more} after "
            f"{self.deals:,} deals, LLR {self.llr:.2f} ({-BOUND:.2f} to {BOUND:.2f})"
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "verdict": self.verdict,
            "deals": self.deals,
            "llr": round(self.llr, 6),
            "bounds": [round(-BOUND, 6), round(BOUND, 6)],
        }

    def add(self, rows: Rows, teams: Teams) -> bool:
        """Add the next deal of the pairing; False if the verdict was there before."""
        if self.is_decided:
            return False
        self.deals += 1
        games = [row.sides(teams) for row in rows if row.ending != VOID]
        if games:
            first = min(rows[0].entrants)
            points = sum(won for sides in games for one, _, won in meetings(sides) if one == first)
            self._counts[round(4 * points / len(games))] += 1
            self.llr = log_likelihood_ratio(self._counts, self.elo0, self.elo1)
        return True


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The logarithm of the generalized likelihood ratio of one difference in rating over another.

    A hypothesis is as likely as the distribution that fits best of all that have its mean score.

    Args:
        counts: How often each score came, from 0 to 1 in equal steps: three for games, five for
            deals of two games.
        elo0: The difference in the denominator.
        elo1: That in the numerator.
    """
    seen = [count + _UNSEEN for count in counts]
    scores = [number / (len(counts) - 1) for number in range(len(counts))]
    logs = []
    for mean in map(expected_score, (elo0, elo1)):
        distances = [score - mean for score in scores]
        tilt = _tilt(seen, distances)
        logs.append([math.log1p(tilt * distance) for distance in distances])
    return math.fsum(count * (log0 - log1) for count, log0, log1 in zip(seen, *logs, strict=True))


def _tilt(counts: Sequence[float], distances: Sequence[float]) -> float:
    """The tilt of the likeliest distribution, whose distances from the mean have the mean 0.

    It is proportional to ``count / (1 + tilt * distance)`` (A. Owen, "Empirical likelihood", 2001).
    Newton's method finds it, with a bisection where a step leads out of the range.
    """
    low, high = -1 / max(distances), -1 / min(distances)
    tilt = 0.0
    for _ in range(_STEPS):
        parts = [distance / (1 + tilt * distance) for distance in distances]
        slope = sum([n * part for n, part in zip(counts, parts, strict=True)])
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        step = slope / sum([n * part * part for n, part in zip(counts, parts, strict=True)])
        following = tilt + step if low < tilt + step < high else (low + high) / 2
        if abs(following - tilt) <= _PRECISION * (1 + abs(tilt)):
            break
        tilt = following
    return tilt
