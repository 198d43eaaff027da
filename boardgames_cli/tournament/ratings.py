"""Ratings with confidence intervals.

Ratings use A. Elo's scale: a difference of 400 points means ten times as many wins as losses.
Between two sides this is the Bradley-Terry model with a draw as half a win, so that a difference of
ratings means an expected score regardless of the rate of draws; with more sides it is the
Plackett-Luce model. docs/ratings.md has the formulas and reasons.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.comparisons import (
    Comparison,
    CountedDeals,
    first_places,
    groups_of,
    only_winners,
)
from boardgames_cli.tournament.statistics import ELO, Interval

if TYPE_CHECKING:
    import numpy as np

    from boardgames_cli.tournament.plackett_luce import Array, Columns, GameRows

SAMPLES: Final = 1000
"""Samples of the bootstrap."""

_TOGETHER: Final = 100
"""Samples fitted at a time, which bounds the memory."""

_NEGLIGIBLE: Final = 1e-9
"""The rounding error of shares of points."""


class RatingsUnavailable(GameError):
    """Ratings need a package that is not installed."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an entrant."""

    value: float
    """In Elo points."""
    interval: Interval
    """An end is infinite for entrants that won everything or nothing."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The estimates of a tournament, in the order of the entrants."""

    ratings: tuple[Rating | None, ...]
    """None for entrants without games."""
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


def check_available() -> None:
    """Check that ratings can be computed.

    Raises:
        RatingsUnavailable: A package is missing.
    """
    try:
        import_module("numpy")
    except ImportError as error:
        raise RatingsUnavailable(
            f"Ratings need a package that is not installed ({error.name}).",
            "Install it: pip install 'boardgames-cli[tournament]'",
        ) from error


def rate(
    groups: Sequence[CountedDeals],
    entrants: int,
    *,
    anchor: int | None = None,
    seed: int = 0,
    samples: int = SAMPLES,
) -> Ratings:
    """Estimate ratings from games.

    Args:
        groups: The deals by line-up, of `comparisons.by_lineup`.
        entrants: How many entrants there are.
        anchor: The entrant whose rating is 0; None makes the mean of all ratings 0.
        seed: The seed of the bootstrap; results are reproducible.
        samples: Samples of the bootstrap.

    Raises:
        RatingsUnavailable: A package is missing.
    """
    check_available()
    return _Estimator(groups, entrants, anchor, samples).rate(seed)


class _Estimator:
    """The steps of an estimation, which share the games."""

    def __init__(
        self, groups: Sequence[CountedDeals], entrants: int, anchor: int | None, samples: int
    ) -> None:
        from boardgames_cli.tournament.plackett_luce import GameRows  # needs numpy

        self.groups = groups
        self.entrants = entrants
        self.anchor = anchor
        self.samples = samples
        counts = {game for group in groups for deal in group.outcomes for game in deal}
        self.games: list[Comparison] = sorted(counts)
        self.winners_only = only_winners(self.games)
        self.rows: GameRows = GameRows(self.games, entrants, winners_only=self.winners_only)
        self.linked = groups_of(entrants, self.games)

    @property
    def columns(self) -> Columns:
        """The columns of the sums."""
        return self.rows.columns

    def rate(self, seed: int) -> Ratings:
        """All estimates."""
        import numpy as np

        from boardgames_cli.tournament.plackett_luce import resample, single_games, totals

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
            self._ratings(exact, strengths, others),
            self._scores(sampled, virtual, by_deal=True),
            self._scores(alone, virtual, by_deal=False),
            self._meetings(sampled, virtual),
            self._superiority(others),
            tuple(self.linked),
            self.winners_only,
        )

    def _fit(self, exact: Array, sampled: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """The strengths in the tournament[1, entrant] and in the samples[sample, entrant]."""
        import numpy as np

        from boardgames_cli.tournament import plackett_luce

        members = plackett_luce.share_matrix(self.columns.sides, self.entrants)
        blocks = self._blocks()
        deals, games = self._deals(), self.columns.split(exact)[3][0]

        def fit(sums: Array, wins: Array, losses: Array, start: Array | None) -> Array:
            chosen, sets = self.columns.split(sums)[:2]
            likelihood = plackett_luce.Likelihood(chosen, sets, wins, losses, members, blocks)
            return self._centred(plackett_luce.fit(likelihood, start))

        half = np.full((1, self.entrants), plackett_luce.VIRTUAL)
        best = fit(exact, half, half, None)
        parts = []
        size = games / np.maximum(deals, 1)
        for start in range(0, len(sampled), _TOGETHER):
            sums = sampled[start : start + _TOGETHER]
            wins, losses = (
                np.maximum(rng.standard_gamma(0.5, (len(sums), self.entrants)), 1e-4) * size + 1e-9
                for _ in range(2)
            )
            parts.append(fit(sums, wins, losses, best[0]))
        return best, np.concatenate(parts)

    def _blocks(self) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.intp]], ...]:
        """The sides of all sets, by the size of the set."""
        import numpy as np

        number = {side: at for at, side in enumerate(self.columns.sides)}
        by_size: dict[int, list[list[int]]] = {}
        for key in self.columns.sets:
            by_size.setdefault(len(key), []).append([number[side] for side in key])
        return tuple(np.array(rows, dtype=np.intp) for _, rows in sorted(by_size.items()))

    def _centred(self, strengths: Array) -> Array:
        """Shift strengths so that the mean of each group, or the anchor in its group, is 0."""
        import numpy as np

        strengths = strengths.copy()
        linked = np.array(self.linked)
        for group in range(max(self.linked) + 1):
            own = linked == group
            if self.anchor is not None and own[self.anchor]:
                strengths[:, own] -= strengths[:, [self.anchor]]
            else:
                strengths[:, own] -= strengths[:, own].mean(axis=1, keepdims=True)
        return strengths

    def _ratings(self, exact: Array, best: Array, others: Array) -> tuple[Rating | None, ...]:
        won = self._won()
        found: list[Rating | None] = []
        for entrant in range(self.entrants):
            if self.linked.count(self.linked[entrant]) < 2:
                found.append(None)
                continue
            low, high = _ends(others[:, entrant])
            if entrant != self.anchor:
                low = -math.inf if won[entrant] == 0 else low
                high = math.inf if won[entrant] == 1 else high
            interval = Interval(low * ELO, high * ELO)
            found.append(Rating(float(best[0, entrant]) * ELO, interval))
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
        """The number of deals of each entrant."""
        import numpy as np

        deals = np.zeros(self.entrants)
        for group in self.groups:
            deals[list(set(group.lineup))] += group.deals
        return deals

    def _scores(
        self, sums: Array, rng: np.random.Generator, *, by_deal: bool
    ) -> tuple[Interval | None, ...]:
        points, games = self.columns.split(sums)[2:4]
        units = self._deals() if by_deal else games.mean(axis=0)
        return tuple(
            _share_interval(points[:, one], games[:, one], float(units[one]), rng)
            if units[one] > 0
            else None
            for one in range(self.entrants)
        )

    def _meetings(self, sums: Array, rng: np.random.Generator) -> dict[tuple[int, int], Interval]:
        points, games = self.columns.split(sums)[4:6]
        found = {}
        for at, (one, two) in enumerate(self.columns.pairs):
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
    import numpy as np

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
    import numpy as np

    share = points / np.maximum(games, 1e-300)
    won, lost = rng.standard_gamma(0.5, (2, len(share)))
    ends = _ends((share * units + won) / (units + won + lost))
    low = 0.0 if share.max() < _NEGLIGIBLE else ends.low
    high = 1.0 if share.min() > 1 - _NEGLIGIBLE else ends.high
    return Interval(low, high)
