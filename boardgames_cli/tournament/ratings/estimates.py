"""Estimates ratings and shares of points with their intervals, by resampling deals.

Games are sums of columns: the points and the games of every entrant, and for every pair the points
of the one against the other. All estimates are functions of these sums, in the tournament and in
samples of it.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boardgames_cli.agents.ratings import ELO, NEWCOMER
from boardgames_cli.tournament.bradley_terry import Array, fit
from boardgames_cli.tournament.ratings.statistics import Interval, IntervalEstimate, Ratings
from boardgames_cli.tournament.rows import DealOutcome, Sides, meetings

SAMPLES: Final = 1000
VIRTUAL: Final = 0.5
"""The numbers of wins and of losses of every entrant against the virtual opponent."""
FEWEST: Final = 8
"""Line-ups with fewer deals are resampled together; alone they would hardly vary."""
_BLOCK: Final = 1024
_TOGETHER: Final = 100
"""Samples fitted at a time, which bounds the memory."""
_NEGLIGIBLE: Final = 1e-9
"""The rounding error of shares of points."""

_Counts: TypeAlias = Counter[tuple[Sides, ...]]
"""How often each outcome of a deal came."""


def estimate(
    deals: Mapping[DealOutcome, int],
    entrants: int,
    seed: int = 0,
    samples: int = SAMPLES,
) -> Ratings:
    """All estimates of a tournament.

    The mean of all ratings is `NEWCOMER`. The bootstrap is reproducible by its seed, and
    independent of the order of the deals.
    """
    lineups = _by_lineup(deals)
    winners_only = _only_winners(lineups)
    met = np.zeros((entrants, entrants))  # the deals in which two entrants met
    for counts in lineups:
        present = sorted({entrant for _, entrant in next(iter(counts))[0]})
        met[np.ix_(present, present)] += counts.total()
    leaders = _reached(met > 0).argmax(axis=1)
    linked = np.unique(leaders, return_inverse=True)[1]
    # Part 1 weighed single games until 0.3.
    paired, virtual = (np.random.default_rng([seed, part]) for part in (0, 2))
    exact = _sum(lineups, entrants, winners_only)
    sampled = _sum(lineups, entrants, winners_only, samples, paired)

    best, others = _fit(exact, sampled, met.diagonal(), virtual)
    for strengths in (best, others):
        for group in set(linked.tolist()):
            own = linked == group
            strengths[:, own] -= strengths[:, own].mean(axis=1, keepdims=True)
    return Ratings(
        tuple(_ratings(exact.rated[0], best[0], others)),
        tuple(_scores(sampled, met.diagonal(), virtual)),
        dict(_meetings(exact.beaten[0], sampled.beaten, met, virtual)),
        tuple(linked.tolist()),
        tuple(_cuts(exact.beaten[0] > 0, linked)),
        winners_only,
    )


def _by_lineup(deals: Mapping[DealOutcome, int]) -> list[_Counts]:
    found: dict[tuple[int, tuple[int, ...]], _Counts] = {}
    for deal, count in sorted(deals.items()):
        if deal.games:
            lineup = tuple(sorted(entrant for _, entrant in deal.games[0]))
            found.setdefault((deal.options, lineup), Counter())[deal.games] = count
    return [found[key] for key in sorted(found)]


def _only_winners(lineups: Iterable[_Counts]) -> bool:
    # With three or more sides the losers may be unranked, and must not be compared then.
    games = {sides for counts in lineups for deal in counts for sides in deal if len(sides) > 2}
    return bool(games) and all(len({place for place, _ in sides}) <= 2 for sides in games)


class _Sums(NamedTuple):
    points: Array
    """Shares of the first place, float[sample, entrant]."""
    games: Array
    """Games with each of the sides, of the same shape."""
    beaten: Array
    """The points of one against the other, float[sample, one, other]."""
    rated: Array
    """The same without the meetings of unranked losers."""


def _sum(
    lineups: Iterable[_Counts],
    entrants: int,
    winners_only: bool,
    samples: int = 1,
    rng: np.random.Generator | None = None,
) -> _Sums:
    result = np.zeros((samples, 2 * entrants + (1 + winners_only) * entrants**2))
    for counts in _strata(lineups):
        number, weights, sums = counts.total(), np.zeros(samples), np.zeros(result.shape)
        deals = iter(counts.items())
        while block := [*itertools.islice(deals, _BLOCK)]:
            times = np.array([count for _, count in block], dtype=float)
            drawn = times[None, :]
            if rng is not None:
                # With this shape a mean has variance s²/n, where s² is the unbiased variance of n
                # deals.
                shapes = times * max(number - 2, 1) / number
                drawn = rng.standard_gamma(shapes, size=(samples, len(block)))
            rows = np.zeros((len(block), result.shape[1]))
            for row, (deal, _) in zip(rows, block, strict=True):
                for column, value in _numbers(deal, entrants, winners_only):
                    row[column] += value
            weights += drawn.sum(axis=1)
            sums += drawn @ rows
        result += sums * (number / np.maximum(weights, 1e-300))[:, None]
    beaten = result[:, 2 * entrants :].reshape(samples, -1, entrants, entrants)
    points, games = result[:, :entrants], result[:, entrants : 2 * entrants]
    return _Sums(points, games, beaten[:, 0], beaten[:, -1])


def _numbers(
    games: Iterable[Sides], entrants: int, winners_only: bool
) -> Iterator[tuple[int, float]]:
    for sides in games:
        firsts = [place for place, _ in sides].count(0)
        for place, entrant in sides:
            yield entrants + entrant, 1.0
            if place == 0:
                yield entrant, 1 / firsts
        for number in range(1 + winners_only):
            start = 2 * entrants + number * entrants**2
            for one, two, points in meetings(sides, winners_only=number > 0):
                yield start + entrants * one + two, points


def _strata(lineups: Iterable[_Counts]) -> list[_Counts]:
    large, small = [], Counter[tuple[Sides, ...]]()
    for counts in lineups:
        if counts.total() >= FEWEST:
            large.append(counts)
        else:
            small.update(counts)
    return [*large, small] if small else large


def _fit(
    exact: _Sums, sampled: _Sums, deals: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    half = np.full(exact.points.shape, VIRTUAL)
    best = fit(exact.rated, half, half)
    size = exact.games[0] / np.maximum(deals, 1)
    parts = []
    for start in range(0, len(sampled.points), _TOGETHER):
        rated = sampled.rated[start : start + _TOGETHER]
        wins, losses = (
            np.maximum(rng.standard_gamma(0.5, (len(rated), len(deals))), 1e-4) * size + 1e-9
            for _ in range(2)
        )
        parts.append(fit(rated, wins, losses, best[0]))
    return best, np.concatenate(parts)


def _ratings(points: Array, best: Array, others: Array) -> Iterator[IntervalEstimate | None]:
    ratings, sampled = NEWCOMER + ELO * best, NEWCOMER + ELO * others
    for entrant, value in enumerate(ratings):
        won, lost = points[entrant].any(), points[:, entrant].any()
        if not won and not lost:
            yield None
            continue
        low, high = _ends(sampled[:, entrant])
        interval = Interval(low if won else -math.inf, high if lost else math.inf)
        yield IntervalEstimate(float(value), interval)


def _scores(sums: _Sums, units: Array, rng: np.random.Generator) -> Iterator[Interval | None]:
    for entrant, number in enumerate(units):
        points, games = sums.points[:, entrant], sums.games[:, entrant]
        yield _share_interval(points, games, float(number), rng) if number > 0 else None


def _meetings(
    exact: Array, sampled: Array, deals: Array, rng: np.random.Generator
) -> Iterator[tuple[tuple[int, int], Interval]]:
    for one, two in np.argwhere(np.triu(exact + exact.T)).tolist():
        points = sampled[:, one, two]
        met = points + sampled[:, two, one]
        yield (one, two), _share_interval(points, met, float(deals[one, two]), rng)


def _reached(links: NDArray[np.bool_]) -> NDArray[np.bool_]:
    reached = links | np.eye(len(links), dtype=bool)
    for middle in range(len(links)):
        reached |= reached[:, [middle]] & reached[[middle]]
    return reached


def _cuts(
    beaten: NDArray[np.bool_], linked: NDArray[np.intp]
) -> Iterator[tuple[list[int], list[int]]]:
    """The entrants above and below each cut in a group across which all results go one way.

    The maximum likelihood difference across such a cut is infinite (L. R. Ford, 1957).
    """
    reached = _reached(beaten)
    sizes = reached.sum(axis=1)
    for group in sorted(set(linked.tolist())):
        own = np.flatnonzero(linked == group)
        for size in sorted(set(sizes[own].tolist()), reverse=True)[:-1]:
            above, below = own[sizes[own] >= size], own[sizes[own] < size]
            if not reached[np.ix_(below, above)].any():
                yield above.tolist(), below.tolist()


def _ends(values: Array) -> Interval:
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(float(low), float(high))


def _share_interval(
    points: Array, games: Array, units: float, rng: np.random.Generator
) -> Interval:
    """The interval of a share of points over independent units.

    Half a unit is added at each end of the scale, as in H. Jeffreys' interval (1946); otherwise a
    share of 100 % would look certain. As in L. D. Brown and others, "Interval estimation for a
    binomial proportion" (2001), it extends to the end of the scale if all or no points were won.
    """
    share = points / np.maximum(games, 1e-300)
    won, lost = rng.standard_gamma(0.5, (2, len(share)))
    ends = _ends((share * units + won) / (units + won + lost))
    low = 0.0 if share.max() < _NEGLIGIBLE else ends.low
    high = 1.0 if share.min() > 1 - _NEGLIGIBLE else ends.high
    return Interval(low, high)
