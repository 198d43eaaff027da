"""Confidence intervals of shares and means, ratings with theirs, and sequential tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import ClassVar, Final, NamedTuple

from boardgames_cli.agents.ratings import expected_score
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.rows import DealOutcome, meetings

DEVIATIONS: Final = 1.959964
"""The half-width of a 95 % interval of a normal distribution, in standard deviations."""

ERROR: Final = 0.05
"""The probability that a sequential test accepts a hypothesis although the other is true."""

_LARGEST_BOUND: Final = 2000
_UNSEEN: Final = 1e-3
"""The pseudo-count of unseen scores, without which the first deals would be decisive."""
_STEPS: Final = 100
_PRECISION: Final = 1e-12


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The difference of its ends."""
        return self.high - self.low


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
    unpaired: tuple[Interval | None, ...]
    """The same if all games were independent, without the pairing of games in deals."""
    meetings: dict[tuple[int, int], Interval]
    """The interval of the first one's share of points against the second, for pairs that met."""
    superiority: tuple[tuple[float | None, ...], ...]
    """The probability that each is stronger than each other; None if not comparable."""
    groups: tuple[int, ...]
    """The group of each entrant; different groups are not connected by games."""
    cuts: tuple[tuple[list[int], list[int]], ...]
    """The entrants above and below each cut across which all results go one way."""
    winners_only: bool
    """Whether only first places were compared, because the game ranks nothing else."""

    @property
    def width_by_pairing(self) -> float | None:
        """The mean width of the score intervals relative to unpaired ones."""
        shares = [
            paired.width / alone.width
            for paired, alone in zip(self.scores, self.unpaired, strict=True)
            if paired is not None and alone is not None and alone.width
        ]
        return sum(shares) / len(shares) if shares else None


def wilson_interval(points: float, games: int) -> Interval:
    """The 95 % interval of a share of independent games (E. B. Wilson, 1927).

    It is conservative: draws and paired deals make the true interval narrower. A draw is half a
    game; no games give the whole range.
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


class SprtVerdict(Enum):
    """The verdict of a test."""

    UNDECIDED = "undecided"
    H0 = "H0"
    """The difference is nearer to the lower bound."""
    H1 = "H1"
    """The difference is nearer to the upper bound."""


_WORDS: Final = {
    SprtVerdict.UNDECIDED: "undecided",
    SprtVerdict.H0: "H0 accepted, the difference is nearer to {0.elo0:g}",
    SprtVerdict.H1: "H1 accepted, the difference is nearer to {0.elo1:g}",
}


def check_bounds(elo0: float, elo1: float) -> None:
    """Check the two hypotheses of a test.

    Raises:
        GameError: They can't be tested against each other.
    """
    if not -_LARGEST_BOUND <= elo0 < elo1 <= _LARGEST_BOUND:
        raise GameError(
            f"a sequential test can't have the bounds {elo0:g},{elo1:g}.",
            f"Give two differences in rating between {-_LARGEST_BOUND} and {_LARGEST_BOUND}, "
            "the smaller one first: --sprt 0,20",
        )


@dataclass(slots=True)
class Sprt:
    """A running test between two entrants, which stops at its verdict.

    Raises:
        GameError: The bounds are not increasing, or too large.
    """

    elo0: float
    elo1: float
    deals: int = 0
    llr: float = 0.0
    """The logarithm of the likelihood of ``elo1`` divided by that of ``elo0``."""
    verdict: SprtVerdict = SprtVerdict.UNDECIDED
    _scores: Counter[Fraction] = field(default_factory=Counter)
    bound: ClassVar[float] = math.log((1 - ERROR) / ERROR)
    """The test accepts ``elo1`` when ``llr`` rises to it, and ``elo0`` when it falls to its
    negative."""

    def __post_init__(self) -> None:
        check_bounds(self.elo0, self.elo1)

    def __str__(self) -> str:
        said = _WORDS[self.verdict].format(self)
        return (
            f"SPRT {self.elo0:g} against {self.elo1:g}: {said} after {self.deals:,} deals, "
            f"LLR {self.llr:.2f} ({-self.bound:.2f} to {self.bound:.2f})"
        )

    def add(self, score: Fraction | None) -> None:
        """Add the score of the next deal; after the verdict nothing changes."""
        if self.verdict is not SprtVerdict.UNDECIDED:
            return
        self.deals += 1
        if score is None:
            return
        self._scores[score] += 1
        self.llr = log_likelihood_ratio(self._scores, self.elo0, self.elo1)
        if self.llr >= self.bound:
            self.verdict = SprtVerdict.H1
        elif self.llr <= -self.bound:
            self.verdict = SprtVerdict.H0


def deal_score(deal: DealOutcome, entrant: int) -> Fraction | None:
    """The share of a deal's points that one of its two entrants won; None if no game counts."""
    points = Fraction(0)
    for sides in deal.games:
        for one, _, won in meetings(sides):
            points += Fraction(won) if one == entrant else 0
    return points / len(deal.games) if deal.games else None


def log_likelihood_ratio(scores: Mapping[Fraction, int], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of the larger difference over the smaller one.

    The scores are counts of deals.
    """
    seen: dict[float, float] = {value / 4: _UNSEEN for value in range(5)}
    for score, count in sorted(scores.items()):
        seen[float(score)] = seen.get(float(score), 0.0) + count
    total = sum(seen.values())
    shares = {score: count / total for score, count in seen.items()}
    tilt0, tilt1 = (_tilt(shares, expected_score(elo)) for elo in (elo0, elo1))
    mean0, mean1 = expected_score(elo0), expected_score(elo1)
    return math.fsum(
        count * math.log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1)))
        for score, count in seen.items()
    )


def _tilt(shares: Mapping[float, float], mean: float) -> float:
    """The tilt of the maximum likelihood distribution with a given mean.

    That distribution is ``share / (1 + tilt * (score - mean))`` with the unique tilt that gives it
    the mean (A. Owen, "Empirical likelihood", 2001). It is found by Newton's method, with bisection
    as a fallback outside the range.
    """
    low, high = -1 / (max(shares) - mean), 1 / (mean - min(shares))
    distances = [(share, score - mean) for score, share in shares.items()]
    tilt = 0.0
    for _ in range(_STEPS):
        slope = bend = 0.0
        for share, distance in distances:
            part = distance / (1 + tilt * distance)
            slope += share * part
            bend += share * part * part
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        following = tilt + slope / bend
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - tilt) <= _PRECISION * (1 + abs(tilt)):
            break
        tilt = following
    return tilt
