"""How strong agents are: the scale of ratings, and those of a game's agents that are bundled.

These are from a tournament and stand in the game's ``data/ratings.json``, together with the
command that reproduces them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.presentation.home_page import home_page_of
from boardgames_cli.core.spec import GameSpec

FILE: Final = "ratings.json"
FORMAT: Final = 2
NEWCOMER: Final = 1500
"""The rating with which people begin, and the mean of a tournament's ratings."""

ELO: Final = 400 / math.log(10)
"""Rating points per unit of log odds: 400 points are odds of 10 to 1 (A. Elo, 1978)."""


def expected_score(difference: float) -> float:
    """The expected share of points for a difference of ratings (A. Elo, 1978)."""
    return 1 / (1 + math.exp(-difference / ELO))


@dataclass(frozen=True, slots=True)
class BundledRating:
    """The rating of one agent."""

    agent: str
    """Its specification, or a level."""
    rating: int
    low: int | None
    """The lower end of the 95 % interval; None if it is open."""
    high: int | None
    mean_return: float
    """The mean of its returns, which is more informative than a rating in games for stakes."""

    @property
    def deviation(self) -> float:
        """The standard deviation of the rating; 0 if the interval is open."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / 4

    def __str__(self) -> str:
        rating = f"rating {self.rating}"
        if self.low is not None and self.high is not None:
            rating += f" ({self.low} to {self.high})"
        return f"{rating}, mean return {self.mean_return:+.3g}"


@dataclass(frozen=True, slots=True)
class BundledRatings:
    """The ratings of a game's agents, best first."""

    command: str
    games: int
    ratings: tuple[BundledRating, ...]
    opponents: tuple[BundledRating, ...] = ()
    """Those of the opponents of the game's ladder, by their names."""

    def of(self, agent: str) -> BundledRating | None:
        """The rating of an agent, a level or an opponent, if it has one."""
        rated = (*self.ratings, *self.opponents)
        return next((rating for rating in rated if rating.agent == agent), None)


def bundled_ratings(spec: GameSpec) -> BundledRatings | None:
    """The bundled ratings of a game, if there are any on today's scale."""
    text = spec.data_text(FILE)
    if text is None:
        return None
    data: dict[str, Any] = json.loads(text)
    if data["format"] != FORMAT:  # of version 0.2, where the mean was 0
        return None
    ratings = tuple(BundledRating(**row) for row in data["ratings"])
    ladder = home_page_of(spec).ladder
    named = () if ladder is None else ladder.opponents
    opponents = tuple(BundledRating(one.name, one.rating, None, None, 0.0) for one in named)
    return BundledRatings(data["command"], data["games"], ratings, opponents)
