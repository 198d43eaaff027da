"""Maximum likelihood strengths in the Plackett-Luce model, for many samples at once.

In the model of R. D. Luce (1959) and R. L. Plackett (1975), a side with strength ``t`` is chosen
from a set with probability ``exp(t)`` divided by the sum over the set, and a ranking is a sequence
of choices. With two sides it is the model of R. A. Bradley and M. E. Terry (1952). The strength of
a team is the mean of its members' strengths.

A finite maximum exists only if the results connect all entrants in both directions (L. R. Ford,
1957). So each entrant also has half a win and half a loss against a virtual opponent of strength 0,
as in H. Turner and others, "Modelling rankings in R: the PlackettLuce package" (2020).

The log-likelihood is concave, so Newton's method with backtracking finds the maximum. All bootstrap
samples are fitted together; existing libraries fit one sample at a time from lists of single games,
without ties, weights or teams.

The second half of the file resamples the games of a tournament, and makes its ratings and their
intervals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boardgames_cli.agents.ratings import ELO
from boardgames_cli.tournament.ratings.comparisons import (
    Choices,
    Comparison,
    CountedDeals,
    Members,
    choices,
    first_places,
    groups_of,
    meetings,
    only_winners,
)
from boardgames_cli.tournament.ratings.statistics import Interval, IntervalEstimate, Ratings

Array: TypeAlias = NDArray[np.float64]

VIRTUAL: Final = 0.5
"""The numbers of wins and of losses of every entrant against the virtual opponent."""

_STEPS: Final = 200
_HALVINGS: Final = 40
_LONGEST: Final = 3.0
_SHORT: Final = 0.3
"""Steps shorter than this need no backtracking."""
_PRECISION: Final = 1e-6
"""Iteration stops at steps of this length; the remaining error is about its square."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The log-likelihood of strengths, for several samples of the same games.

    Attributes:
        chosen: How often each side was chosen, float[sample, side].
        sets: How often there was a choice among each set, float[sample, set].
        wins: Wins of each entrant against the virtual opponent, float[sample, entrant].
        losses: Losses of each entrant against it, of the same shape.
        members: The share of each entrant in the strength of each side, float[side, entrant].
        blocks: For each size of sets, the sides of the sets of that size, int[set, size]; the sets
            stand in the order of the columns of ``sets``.
    """

    chosen: Array
    sets: Array
    wins: Array
    losses: Array
    members: Array
    blocks: tuple[NDArray[np.intp], ...]

    def part(self, rows: NDArray[np.bool_]) -> Likelihood:
        """The likelihood for some of the samples."""
        return Likelihood(
            self.chosen[rows],
            self.sets[rows],
            self.wins[rows],
            self.losses[rows],
            self.members,
            self.blocks,
        )

    def value(self, strengths: Array) -> Array:
        """The logarithm of the likelihood of strengths[sample, entrant], for each sample."""
        sides = strengths @ self.members.T
        weights = np.exp(sides)
        total: Array = (self.chosen * sides).sum(axis=1)
        start = 0
        for block in self.blocks:
            counts = self.sets[:, start : start + len(block)]
            start += len(block)
            total -= (counts * np.log(weights[:, block].sum(axis=2))).sum(axis=1)
        total -= (self.wins * np.logaddexp(0, -strengths)).sum(axis=1)
        total -= (self.losses * np.logaddexp(0, strengths)).sum(axis=1)
        return total

    def slope(self, strengths: Array) -> tuple[Array, Array]:
        """The gradient[sample, entrant] and the curvature[sample, entrant, entrant].

        The curvature is the negative of the Hessian, and positive definite.
        """
        weights = np.exp(strengths @ self.members.T)
        gradient, size = self.chosen.copy(), weights.shape[1]
        curvature = np.zeros((len(strengths), size, size))
        diagonal = np.arange(size)
        start = 0
        for block in self.blocks:
            counts = self.sets[:, start : start + len(block), None]
            start += len(block)
            shares = weights[:, block]
            shares /= shares.sum(axis=2, keepdims=True)
            taken = _scatter(counts * shares, block, size)
            gradient -= taken
            curvature[:, diagonal, diagonal] += taken
            pairs = block[:, :, None] * size + block[:, None, :]
            products = (counts * shares)[:, :, :, None] * shares[:, :, None, :]
            curvature -= _scatter(products, pairs, size * size).reshape(curvature.shape)
        gradient = gradient @ self.members
        curvature = self.members.T @ curvature @ self.members
        win = 1 / (1 + np.exp(-strengths))
        gradient += self.wins * (1 - win) - self.losses * win
        diagonal = np.arange(strengths.shape[1])
        curvature[:, diagonal, diagonal] += (self.wins + self.losses) * win * (1 - win) + 1e-12
        return gradient, curvature


def _scatter(values: Array, places: NDArray[np.intp], size: int) -> Array:
    samples = len(values)
    index = np.arange(samples)[:, None] * size + places.reshape(1, -1)
    sums = np.bincount(index.ravel(), values.ravel(), samples * size)
    return sums.astype(np.float64, copy=False).reshape(samples, size)


def fit(likelihood: Likelihood, start: Array | None = None) -> Array:
    """The maximum likelihood strengths of each sample, in log odds.

    Args:
        likelihood: The likelihood.
        start: The initial strengths, float[entrant]; None for equal ones.

    Returns:
        The strengths, float[sample, entrant].
    """
    strengths = np.zeros(likelihood.wins.shape)
    if start is not None:
        strengths += start
    going = np.ones(len(strengths), dtype=bool)
    for _ in range(_STEPS):
        part = likelihood.part(going)
        moved, longest = _step(part, strengths[going])
        strengths[going] = moved
        going[going] = longest > _PRECISION
        if not going.any():
            break
    return strengths


def _step(likelihood: Likelihood, strengths: Array) -> tuple[Array, Array]:
    gradient, curvature = likelihood.slope(strengths)
    step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1)
    step *= np.minimum(1, _LONGEST / np.maximum(longest, _LONGEST))[:, None]
    if longest.max() > _SHORT:
        before = likelihood.value(strengths)
        before -= 1e-9 * (1 + np.abs(before))  # tolerance for rounding
        for _ in range(_HALVINGS):
            worse = likelihood.value(strengths + step) < before
            if not worse.any():
                break
            step[worse] /= 2
    return strengths + step, longest


def share_matrix(sides: Sequence[Members], entrants: int) -> Array:
    """The share of each entrant in the strength of each side, float[side, entrant]."""
    shares = np.zeros((len(sides), entrants))
    for row, side in enumerate(sides):
        for member in side:
            shares[row, member] += 1 / len(side)
    return shares


FEWEST: Final = 8
"""Line-ups with fewer deals are resampled together; alone they would hardly vary."""

_BLOCK: Final = 1024

Outcomes = Counter[tuple[Comparison, ...]]


class GameRows:
    """The row of numbers of every distinct game, which are summed over all games.

    Attributes:
        sides: The column of each side, for how often it was chosen.
        sets: The column of each set from which they were chosen, smallest sets first.
        entrants: The number of entrants; a column each for points and for games.
        pairs: The column of each pair that met, for the first one's points and for meetings.
        width: The length of a row.
    """

    def __init__(self, games: Sequence[Comparison], entrants: int, *, winners_only: bool) -> None:
        found = [choices(game, winners_only=winners_only) for game in games]
        sides = {side.members for game in games for side in game}
        sets = {key for choice in found for key in choice.sets}
        pairs = {pair for game in games for pair, _ in meetings(game)}
        self.sides = {side: at for at, side in enumerate(sorted(sides))}
        in_order = sorted(sets, key=lambda key: (len(key), key))
        self.sets = {key: at for at, key in enumerate(in_order)}
        self.entrants = entrants
        self.pairs = {pair: at for at, pair in enumerate(sorted(pairs))}
        self.number = {game: number for number, game in enumerate(games)}
        self._widths = (len(sides), len(sets), entrants, entrants, len(pairs), len(pairs))
        self.width = sum(self._widths)
        self.rows = np.zeros((len(games), self.width))
        for number, (game, choice) in enumerate(zip(games, found, strict=True)):
            self._fill(self.rows[number], game, choice)

    def split(self, rows: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Split rows into chosen, sets, points, games, pair points and pair meetings."""
        ends = np.cumsum(self._widths)[:-1]
        one, two, three, four, five, six = np.split(rows, ends, axis=1)
        return one, two, three, four, five, six

    def _fill(self, row: Array, game: Comparison, choice: Choices) -> None:
        chosen, sets, points, games, pair_points, pair_meetings = self.split(row[None, :])
        for members, weight in choice.chosen.items():
            chosen[0, self.sides[members]] += weight
        for key, weight in choice.sets.items():
            sets[0, self.sets[key]] += weight
        for entrant, sharing in first_places(game):
            points[0, entrant] += 1 / sharing if sharing else 0.0
            games[0, entrant] += 1
        for pair, halves in meetings(game):
            pair_points[0, self.pairs[pair]] += halves / 2
            pair_meetings[0, self.pairs[pair]] += 1

    def used(self, deals: Iterable[tuple[Comparison, ...]]) -> NDArray[np.intp]:
        """The columns that are not 0 in all of some deals."""
        numbers = sorted({self.number[game] for deal in deals for game in deal})
        return np.flatnonzero(self.rows[numbers].any(axis=0))

    def sums(self, deals: Sequence[tuple[Comparison, ...]]) -> Array:
        """The row of every deal: the sum of its games' rows."""
        sizes = [len(deal) for deal in deals]
        numbers = [self.number[game] for deal in deals for game in deal]
        starts = np.cumsum([0, *sizes[:-1]])
        result: Array = np.add.reduceat(self.rows[numbers], starts, axis=0)
        return result


def single_games(groups: Iterable[CountedDeals]) -> list[CountedDeals]:
    """The same games, each as its own deal, for unpaired intervals."""
    return [
        CountedDeals(
            group.options,
            group.lineup,
            Counter({(game,): count for game, count in sorted(group.games().items())}),
        )
        for group in groups
    ]


def strata(groups: Iterable[CountedDeals]) -> list[Outcomes]:
    """The strata: the deals of each line-up, with small line-ups merged."""
    large, small = [], Counter[tuple[Comparison, ...]]()
    for group in groups:
        if group.deals >= FEWEST:
            large.append(group.outcomes)
        else:
            small.update(group.outcomes)
    return [*large, small] if small else large


def totals(groups: Iterable[CountedDeals], rows: GameRows) -> Array:
    """The sums over all games as they were played, float[1, column]."""
    result = np.zeros((1, rows.width))
    for group in groups:
        deals, counts = list(group.outcomes), np.array(list(group.outcomes.values()), dtype=float)
        for start in range(0, len(deals), _BLOCK):
            part = slice(start, start + _BLOCK)
            result += counts[None, part] @ rows.sums(deals[part])
    return result


def resample(
    groups: Iterable[CountedDeals], rows: GameRows, samples: int, rng: np.random.Generator
) -> Array:
    """The sums over all games in bootstrap samples, float[sample, column]."""
    result = np.zeros((samples, rows.width))
    for outcomes in strata(groups):
        deals, counts = list(outcomes), np.array(list(outcomes.values()), dtype=float)
        number = counts.sum()
        # With this shape a mean has variance s²/n, where s² is the unbiased variance of n deals.
        shapes: NDArray[np.float64] = counts * max(number - 2, 1) / number
        used = rows.used(deals)
        weights, sums = np.zeros(samples), np.zeros((samples, len(used)))
        for start in range(0, len(deals), _BLOCK):
            part = slice(start, start + _BLOCK)
            drawn = rng.standard_gamma(shapes[part], size=(samples, len(shapes[part])))
            weights += drawn.sum(axis=1)
            sums += drawn @ rows.sums(deals[part])[:, used]
        result[:, used] += sums * (number / np.maximum(weights, 1e-300))[:, None]
    return result


_TOGETHER: Final = 100
"""Samples fitted at a time, which bounds the memory."""

_NEGLIGIBLE: Final = 1e-9
"""The rounding error of shares of points."""


class Estimator:
    """The steps of an estimation, which share the games."""

    def __init__(
        self, groups: Sequence[CountedDeals], entrants: int, anchor: int | None, samples: int
    ) -> None:
        self.groups = groups
        self.entrants = entrants
        self.anchor = anchor
        self.samples = samples
        counts = {game for group in groups for deal in group.outcomes for game in deal}
        self.games: list[Comparison] = sorted(counts)
        self.winners_only = only_winners(self.games)
        self.rows: GameRows = GameRows(self.games, entrants, winners_only=self.winners_only)
        self.linked = groups_of(entrants, self.games)

    def rate(self, seed: int) -> Ratings:
        """All estimates."""
        if not self.games:
            nobody: tuple[None, ...] = (None,) * self.entrants
            unknown = (nobody,) * self.entrants
            return Ratings(nobody, nobody, nobody, {}, unknown, tuple(range(self.entrants)), False)
        paired, single, virtual = (np.random.default_rng([seed, part]) for part in range(3))
        exact = totals(self.groups, self.rows)
        sampled = resample(self.groups, self.rows, self.samples, paired)
        alone = resample(single_games(self.groups), self.rows, self.samples, single)
        strengths, others = self._fit(exact, sampled, virtual)
        return Ratings(
            self._ratings(strengths, others),
            self._scores(sampled, virtual, by_deal=True),
            self._scores(alone, virtual, by_deal=False),
            self._meetings(sampled, virtual),
            self._superiority(others),
            tuple(self.linked),
            self.winners_only,
        )

    def _fit(self, exact: Array, sampled: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """The strengths in the tournament[1, entrant] and in the samples[sample, entrant]."""
        members = share_matrix(list(self.rows.sides), self.entrants)
        blocks = self._blocks()
        deals, games = self._deals(), self.rows.split(exact)[3][0]

        def fit_sums(sums: Array, wins: Array, losses: Array, start: Array | None) -> Array:
            chosen, sets = self.rows.split(sums)[:2]
            likelihood = Likelihood(chosen, sets, wins, losses, members, blocks)
            return self._centred(fit(likelihood, start))

        half = np.full((1, self.entrants), VIRTUAL)
        best = fit_sums(exact, half, half, None)
        parts = []
        size = games / np.maximum(deals, 1)
        for start in range(0, len(sampled), _TOGETHER):
            sums = sampled[start : start + _TOGETHER]
            wins, losses = (
                np.maximum(rng.standard_gamma(0.5, (len(sums), self.entrants)), 1e-4) * size + 1e-9
                for _ in range(2)
            )
            parts.append(fit_sums(sums, wins, losses, best[0]))
        return best, np.concatenate(parts)

    def _blocks(self) -> tuple[NDArray[np.intp], ...]:
        by_size: dict[int, list[list[int]]] = {}
        for key in self.rows.sets:
            by_size.setdefault(len(key), []).append([self.rows.sides[side] for side in key])
        return tuple(np.array(rows, dtype=np.intp) for _, rows in sorted(by_size.items()))

    def _centred(self, strengths: Array) -> Array:
        """Shift strengths so that the mean of each group, or the anchor in its group, is 0."""
        strengths = strengths.copy()
        linked = np.array(self.linked)
        for group in range(max(self.linked) + 1):
            own = linked == group
            if self.anchor is not None and own[self.anchor]:
                strengths[:, own] -= strengths[:, [self.anchor]]
            else:
                strengths[:, own] -= strengths[:, own].mean(axis=1, keepdims=True)
        return strengths

    def _ratings(self, best: Array, others: Array) -> tuple[IntervalEstimate | None, ...]:
        won = self._won()
        found: list[IntervalEstimate | None] = []
        for entrant in range(self.entrants):
            if self.linked.count(self.linked[entrant]) < 2:
                found.append(None)
                continue
            low, high = _ends(others[:, entrant])
            if entrant != self.anchor:
                low = -math.inf if won[entrant] == 0 else low
                high = math.inf if won[entrant] == 1 else high
            interval = Interval(low * ELO, high * ELO)
            found.append(IntervalEstimate(float(best[0, entrant]) * ELO, interval))
        return tuple(found)

    def _won(self) -> list[float]:
        """The share of meetings won; 0 and 1 have infinite ratings."""
        won = [[True, True] for _ in range(self.entrants)]
        for game in self.games:
            for entrant, sharing in first_places(game):
                won[entrant][0] &= sharing == 0
                won[entrant][1] &= sharing == 1
            if not self.winners_only:
                last = max(side.place for side in game)
                for side in game:
                    tied = sum(other.place == side.place for other in game) > 1
                    if side.place < last or tied:
                        for entrant in side.members:
                            won[entrant][0] = False
        return [0.0 if lost else 1.0 if all_won else 0.5 for lost, all_won in won]

    def _deals(self) -> Array:
        deals = np.zeros(self.entrants)
        for group in self.groups:
            deals[list(set(group.lineup))] += group.deals
        return deals

    def _scores(
        self, sums: Array, rng: np.random.Generator, *, by_deal: bool
    ) -> tuple[Interval | None, ...]:
        points, games = self.rows.split(sums)[2:4]
        units = self._deals() if by_deal else games.mean(axis=0)
        return tuple(
            _share_interval(points[:, one], games[:, one], float(units[one]), rng)
            if units[one] > 0
            else None
            for one in range(self.entrants)
        )

    def _meetings(self, sums: Array, rng: np.random.Generator) -> dict[tuple[int, int], Interval]:
        points, games = self.rows.split(sums)[4:6]
        found = {}
        for at, (one, two) in enumerate(self.rows.pairs):
            deals = sum(group.deals for group in self.groups if {one, two} <= set(group.lineup))
            found[one, two] = _share_interval(points[:, at], games[:, at], deals, rng)
        return found

    def _superiority(self, others: Array) -> tuple[tuple[float | None, ...], ...]:
        def likelihood(one: int, two: int) -> float | None:
            if one == two or self.linked[one] != self.linked[two]:
                return None
            first, second = others[:, one], others[:, two]
            return float((first > second).mean() + (first == second).mean() / 2)

        everybody = range(self.entrants)
        return tuple(tuple(likelihood(one, two) for two in everybody) for one in everybody)


def _ends(values: Array) -> Interval:
    """The central 95 % of some samples."""
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
