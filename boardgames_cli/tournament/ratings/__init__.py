"""Ratings with confidence intervals.

Ratings use A. Elo's scale: a difference of 400 points means ten times as many wins as losses.
Between two sides this is the Bradley-Terry model with a draw as half a win, so that a difference of
ratings means an expected score regardless of the rate of draws; with more sides it is the
Plackett-Luce model. docs/ratings.md has the formulas and reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.tournament.ratings.comparisons import CountedDeals
from boardgames_cli.tournament.ratings.statistics import Ratings

SAMPLES: Final = 1000


def rate(
    groups: Sequence[CountedDeals],
    entrants: int,
    *,
    anchor: int | None = None,
    seed: int = 0,
    samples: int = SAMPLES,
) -> Ratings:
    """IntervalEstimate ratings from games.

    The anchor has rating 0; without one, the mean of all ratings is 0. The bootstrap is
    reproducible by its seed.

    Raises:
        MissingPackageError: numpy is not installed.
    """
    try:
        from boardgames_cli.tournament.ratings.plackett_luce import Estimator
    except ModuleNotFoundError as error:
        raise MissingPackageError("ratings", "numpy", "tournament") from error
    return Estimator(groups, entrants, anchor, samples).rate(seed)
