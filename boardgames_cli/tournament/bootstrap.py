"""The bootstrap over deals, for confidence intervals.

Deals are independent and games of one deal are not, so deals are resampled. This is D. B. Rubin's
Bayesian bootstrap (1981), which weights each deal by a gamma-distributed random number instead of
drawing whole deals. Each line-up keeps its number of deals, as in the tournament itself. Deals with
equal outcomes are weighted together, so that the cost doesn't grow with their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

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
from boardgames_cli.tournament.plackett_luce import Array

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
