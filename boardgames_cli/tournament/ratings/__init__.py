"""Ratings with confidence intervals; docs/ratings.md has the formulas and reasons."""

from __future__ import annotations

from collections.abc import Mapping

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.tournament.ratings.statistics import Ratings
from boardgames_cli.tournament.rows import DealOutcome


def rate(
    deals: Mapping[DealOutcome, int], entrants: int, *, anchor: int | None = None, seed: int = 0
) -> Ratings:
    """Estimate ratings from games.

    The anchor has rating 0; without one, the mean of all ratings is 0. The bootstrap is
    reproducible by its seed, and independent of the order of the deals.

    Raises:
        MissingPackageError: numpy is not installed.
    """
    try:
        from boardgames_cli.tournament.ratings.estimates import estimate
    except ModuleNotFoundError as error:
        raise MissingPackageError("ratings", "numpy", "tournament") from error
    return estimate(deals, entrants, anchor, seed)
