"""The standings of a tournament as data.

Everything but the times depends only on the games, not on their order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.text import sentence
from boardgames_cli.tournament.ratings.statistics import (
    Interval,
    IntervalEstimate,
    Ratings,
    mean_interval,
)
from boardgames_cli.tournament.rows import DealOutcome, Sums, Tally, meetings

FEW: Final = 30
"""Intervals from fewer deals are flagged as rough."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One entrant."""

    name: str
    sums: Sums
    interval: Interval | None
    """That of its score; None without games or NumPy."""
    rating: IntervalEstimate | None
    """None without comparable entrants, or if it can't be computed."""

    @property
    def return_interval(self) -> Interval | None:
        sums = self.sums
        return mean_interval(sums.returns, sums.squares, sums.deals, sums.seats)


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant against another: how often it finished above."""

    points: float
    """1 for finishing above the other, 1/2 for a tie."""
    meetings: int
    interval: Interval | None

    @property
    def share(self) -> float:
        return self.points / self.meetings


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament."""

    rows: tuple[StandingsRow, ...]
    """Strongest first: by rating, or by mean return."""
    cross: tuple[tuple[Cell | None, ...], ...]
    """Rows against columns, both in the order of the rows; None if they never met."""
    games: int
    deals: int
    sides: tuple[int, ...]
    """The numbers of sides in the games, in rising order."""
    notes: tuple[str, ...]
    by_returns: bool = False
    """Whether mean returns tell who is better, rather than scores."""

    @property
    def par(self) -> float | None:
        """The score of equal sides; None if games had different numbers of sides."""
        return 1 / self.sides[0] if len(self.sides) == 1 else None

    @property
    def is_rated(self) -> bool:
        return any(row.rating for row in self.rows)

    @property
    def has_luck(self) -> bool:
        return any(row.sums.gifts for row in self.rows)

    def as_json(self) -> dict[str, Any]:
        """The table for scripts; ``machine`` holds values that differ between runs."""
        return {
            "games": self.games,
            "deals": self.deals,
            "par": self.par,
            "entrants": [_row_json(row) for row in self.rows],
            "cross": [[_cell_json(cell) for cell in cells] for cells in self.cross],
            "notes": list(self.notes),
            "machine": {
                row.name: {
                    "decisions_timed": row.sums.decisions,
                    "seconds": row.sums.seconds,
                    "seconds_per_decision": row.sums.pace,
                }
                for row in self.rows
            },
        }


def standings(
    tally: Tally, names: Sequence[str], *, seed: int = 0, by_returns: bool = False
) -> Standings:
    """Compute the standings from games."""
    notes: list[str] = []
    ratings: Ratings | None = None
    try:
        from boardgames_cli.tournament.ratings.estimates import estimate
    except ModuleNotFoundError:
        error = MissingPackageError("ratings and intervals", "numpy", "tournament")
        notes.append(f"{sentence(error.message)} {error.todo}.")
    else:
        ratings = estimate(tally.deals, len(names), seed)
    rows = _rows(tally, names, ratings)
    cells = _cells(tally.deals, ratings)
    order = sorted(range(len(names)), key=lambda at: _rank(rows[at], at, by_returns))
    notes += _notes(rows, ratings)
    counted = {deal: count for deal, count in tally.deals.items() if deal.games}
    return Standings(
        tuple(rows[at] for at in order),
        tuple(tuple(cells.get((one, two)) for two in order) for one in order),
        tally.games,
        sum(counted.values()),
        tuple(sorted({len(sides) for deal in counted for sides in deal.games})),
        tuple(notes),
        by_returns,
    )


def _rows(tally: Tally, names: Sequence[str], ratings: Ratings | None) -> list[StandingsRow]:
    found = []
    for at, (name, sums) in enumerate(zip(names, tally.totals(len(names)), strict=True)):
        interval = rating = None
        if ratings is not None:
            interval, rating = ratings.scores[at], ratings.ratings[at]
        found.append(StandingsRow(name, sums, interval, rating))
    return found


def _rank(row: StandingsRow, at: int, by_returns: bool) -> tuple[float, float, float, int]:
    earned = row.sums.mean_return if by_returns else 0.0
    rating = row.rating.value if row.rating else -math.inf
    score = row.sums.score if row.sums.score is not None else -1.0
    return (math.inf if earned is None else -earned, -rating, -score, at)


def _cells(
    deals: Mapping[DealOutcome, int], ratings: Ratings | None
) -> dict[tuple[int, int], Cell]:
    halves: Counter[tuple[int, int]] = Counter()
    for deal, count in deals.items():
        for sides in deal.games:
            for one, two, points in meetings(sides):
                halves[one, two] += round(2 * points) * count
    found = {}
    for one, two in {(min(pair), max(pair)) for pair in halves}:
        own, other = halves[one, two] / 2, halves[two, one] / 2
        met = round(own + other)
        interval = ratings.meetings[one, two] if ratings else None
        mirrored = interval and Interval(1 - interval.high, 1 - interval.low)
        found[one, two] = Cell(own, met, interval)
        found[two, one] = Cell(other, met, mirrored)
    return found


def _notes(rows: Sequence[StandingsRow], ratings: Ratings | None) -> list[str]:
    found, names = [], [row.name for row in rows]
    if any(row.sums.void for row in rows):
        found.append("Some games could not be played; they count for nobody.")
    if not any(row.sums.games for row in rows):
        return [*found, "No game has been played yet."]
    if len(names) < 2:
        return [*found, "One entrant alone has no rating."]
    if ratings is None:
        return found
    linked: dict[int, list[str]] = {}
    for name, group in zip(names, ratings.groups, strict=True):
        linked.setdefault(group, []).append(name)
    if len(linked) > 1:
        listed = "; ".join(", ".join(group) for group in linked.values())
        found.append(
            f"These groups never met, not even by way of others: {listed}. "
            "Ratings of different groups can't be compared."
        )
    if all(row.sums.draws == row.sums.sides for row in rows):
        return [*found, "Every game was a draw, so all ratings are equal."]
    for upper, lower in ratings.cuts:
        above, below = (", ".join(names[at] for at in part) for part in (upper, lower))
        found.append(
            f"All results between {above} and {below} went one way, "
            "so the difference of their ratings is a guess at its least size."
        )
    few = [row.name for row in rows if 0 < row.sums.deals < FEW]
    if few:
        found.append(f"Fewer than {FEW} deals, so the intervals are rough: {', '.join(few)}.")
    if ratings.winners_only:
        found.append("The game ranks nobody but the winners, so ratings compare first places only.")
    return found


def _short(value: float | None) -> float | None:
    """A number rounded to significant digits; None if not finite."""
    return None if value is None or not math.isfinite(value) else round(value, 6)


def _interval_json(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_short(interval.low), _short(interval.high)]


def _row_json(row: StandingsRow) -> dict[str, Any]:
    rating, sums = row.rating, row.sums
    return {
        "name": row.name,
        "games": sums.sides,
        "wins": sums.wins,
        "draws": sums.draws,
        "losses": sums.losses,
        "points": _short(float(sums.points)),
        "score": _short(sums.score),
        "score_interval": _interval_json(row.interval),
        "rating": None if rating is None else _short(rating.value),
        "rating_interval": None if rating is None else _interval_json(rating.interval),
        "mean_return": _short(sums.mean_return),
        "mean_return_interval": _interval_json(row.return_interval),
        "mean_luck": _short(sums.mean_luck),
        "plies": sums.plies,
        "failures": sums.failures,
        "late": sums.late,
        "void": sums.void,
    }


def _cell_json(cell: Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    return {
        "points": _short(cell.points),
        "meetings": cell.meetings,
        "score": _short(cell.share),
        "score_interval": _interval_json(cell.interval),
    }
