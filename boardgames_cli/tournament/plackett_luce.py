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

The second half of the file resamples the games of a tournament, for the intervals of its ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boardgames_cli.tournament.comparisons import (
    Choices,
    Comparison,
    CountedDeals,
    Members,
    choices,
    first_places,
    meetings,
)

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
    """Sum values[sample, ...] by index places[...] into float[sample, size]."""
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
    """One Newton step with backtracking that never reduces the likelihood, and its length."""
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


@dataclass(frozen=True)
class Columns:
    """The numbers that are summed over all games, and their columns.

    Attributes:
        sides: The sides; a column each for how often it was chosen.
        sets: The sets from which they were chosen; a column each, smallest sets first.
        entrants: The number of entrants; a column each for points and for games.
        pairs: Pairs that met; a column each for the first one's points and for meetings.
    """

    sides: tuple[Members, ...]
    sets: tuple[tuple[Members, ...], ...]
    entrants: int
    pairs: tuple[tuple[int, int], ...]

    @property
    def width(self) -> int:
        """The length of a row."""
        return len(self.sides) + len(self.sets) + 2 * self.entrants + 2 * len(self.pairs)

    def split(self, rows: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Split rows into chosen, sets, points, games, pair points and pair meetings."""
        widths = [len(self.sides), len(self.sets), *[self.entrants] * 2, *[len(self.pairs)] * 2]
        one, two, three, four, five, six = np.split(rows, np.cumsum(widths)[:-1], axis=1)
        return one, two, three, four, five, six


class GameRows:
    """The row of numbers of every distinct game.

    Args:
        games: The distinct comparisons.
        entrants: How many entrants there are.
        winners_only: Whether only first places are compared.
    """

    def __init__(self, games: Sequence[Comparison], entrants: int, *, winners_only: bool) -> None:
        found = [choices(game, winners_only=winners_only) for game in games]
        sides = {side.members for game in games for side in game}
        sets = {key for choice in found for key in choice.sets}
        pairs = {pair for game in games for pair, _ in meetings(game)}
        self.columns = Columns(
            tuple(sorted(sides)),
            tuple(sorted(sets, key=lambda key: (len(key), key))),
            entrants,
            tuple(sorted(pairs)),
        )
        self.number = {game: number for number, game in enumerate(games)}
        self._side_at = {side: at for at, side in enumerate(self.columns.sides)}
        self._set_at = {key: at for at, key in enumerate(self.columns.sets)}
        self._pair_at = {pair: at for at, pair in enumerate(self.columns.pairs)}
        self.rows = np.zeros((len(games), self.columns.width))
        for number, (game, choice) in enumerate(zip(games, found, strict=True)):
            self._fill(self.rows[number], game, choice)

    def _fill(self, row: Array, game: Comparison, choice: Choices) -> None:
        parts = self.columns.split(row[None, :])
        chosen, sets, points, games, pair_points, pair_meetings = parts
        for members, weight in choice.chosen.items():
            chosen[0, self._side_at[members]] += weight
        for key, weight in choice.sets.items():
            sets[0, self._set_at[key]] += weight
        for entrant, sharing in first_places(game):
            points[0, entrant] += 1 / sharing if sharing else 0.0
            games[0, entrant] += 1
        for pair, halves in meetings(game):
            pair_points[0, self._pair_at[pair]] += halves / 2
            pair_meetings[0, self._pair_at[pair]] += 1

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
    result = np.zeros((1, rows.columns.width))
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
    result = np.zeros((samples, rows.columns.width))
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
