"""The standings of a tournament as data.

Everything but the times depends only on the games, not on their order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from boardgames_cli.core.errors import MissingPackageError, UnknownNameError
from boardgames_cli.core.text import sentence
from boardgames_cli.tournament.ratings import rate
from boardgames_cli.tournament.ratings.comparisons import (
    Comparison,
    CountedDeals,
    Teams,
    by_lineup,
    classes_of,
    first_places,
    meetings,
)
from boardgames_cli.tournament.ratings.statistics import (
    Interval,
    IntervalEstimate,
    Ratings,
    mean_interval,
    wilson_interval,
)
from boardgames_cli.tournament.results import GameSetOutcome, Totals

FEW: Final = 30
"""Intervals from fewer deals are flagged as rough."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One entrant."""

    name: str
    games: int
    """The number of games, counting each of its sides."""
    wins: int
    """Games in which its side was the only first."""
    draws: int
    """Games in which it shared the first place."""
    losses: int
    """All other games."""
    points: Fraction
    """One per game, split among all sides in first place."""
    score: float | None
    """Points per game; None without games."""
    interval: Interval | None
    unpaired: Interval | None
    """The score's interval if all games were independent."""
    rating: IntervalEstimate | None
    """None without comparable entrants, or if it can't be computed."""
    totals: Totals

    @property
    def mean_return(self) -> float | None:
        """The mean of its returns; None without games."""
        return self.totals.returns / self.totals.seats if self.totals.seats else None

    @property
    def return_interval(self) -> Interval | None:
        """The interval of its mean return."""
        sums = self.totals
        return mean_interval(sums.returns, sums.squares, sums.deals, sums.seats)

    @property
    def mean_luck(self) -> float | None:
        """What chance gave a seat in a game on average, in returns; None if not computed."""
        return self.totals.luck / self.totals.gifts if self.totals.gifts else None

    @property
    def mean_loss(self) -> float | None:
        """What a decision gives away on average, in returns; None if none were judged."""
        return self.totals.lost / self.totals.judged if self.totals.judged else None

    @property
    def seconds(self) -> float | None:
        """Seconds per decision; None without decisions. Depends on the machine."""
        decisions = self.totals.decisions
        return self.totals.seconds / decisions if decisions else None


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant against another: how often it finished above."""

    points: Fraction
    """1 for finishing above the other, 1/2 for a tie."""
    meetings: int
    interval: Interval

    @property
    def share(self) -> float:
        """Points per meeting."""
        return float(self.points / self.meetings)


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament."""

    rows: tuple[StandingsRow, ...]
    """Strongest first: by rating, or by mean return."""
    cross: tuple[tuple[Cell | None, ...], ...]
    """Rows against columns, both in the order of the rows; None if they never met."""
    superiority: tuple[tuple[float | None, ...], ...]
    """The probability that the row is stronger than the column; None if not comparable."""
    games: int
    deals: int
    sides: tuple[int, ...]
    """The numbers of sides in the games, in rising order."""
    notes: tuple[str, ...]
    width_by_pairing: float | None
    """The mean width of the score intervals relative to independent games."""
    anchor: str | None
    """The entrant whose rating is 0; None if the mean is."""
    by_returns: bool = False
    """Whether mean returns tell who is better, rather than scores."""

    @property
    def par(self) -> float | None:
        """The score of equal sides; None if games had different numbers of sides."""
        return 1 / self.sides[0] if len(self.sides) == 1 else None

    @property
    def is_rated(self) -> bool:
        """Whether anybody has a rating."""
        return any(row.rating for row in self.rows)

    @property
    def is_analysed(self) -> bool:
        """Whether luck was computed or decisions were judged."""
        return any(row.totals.gifts or row.totals.judged for row in self.rows)

    def as_json(self) -> dict[str, Any]:
        """The table for scripts; ``machine`` holds values that differ between runs."""
        return {
            "games": self.games,
            "deals": self.deals,
            "par": self.par,
            "anchor": self.anchor,
            "width_by_pairing": _short(self.width_by_pairing),
            "entrants": [_row_json(row) for row in self.rows],
            "cross": [[_cell_json(cell) for cell in cells] for cells in self.cross],
            "superiority": [[_short(value) for value in values] for values in self.superiority],
            "notes": list(self.notes),
            "machine": {
                row.name: {
                    "decisions_timed": row.totals.decisions,
                    "seconds": row.totals.seconds,
                    "seconds_per_decision": row.seconds,
                }
                for row in self.rows
            },
        }


def standings(
    outcomes: Mapping[GameSetOutcome, int],
    totals: Mapping[int, Totals],
    names: Sequence[str],
    *,
    teams: Sequence[Teams] | None = None,
    anchor: str | None = None,
    seed: int = 0,
    by_returns: bool = False,
) -> Standings:
    """Compute the standings from games.

    The teams are those of each option set. The anchor has rating 0; without one, the mean of all
    ratings is 0.

    Raises:
        UnknownNameError: The anchor is not an entrant.
    """
    if anchor is not None and anchor not in names:
        raise UnknownNameError("entrant", anchor, names)
    groups = by_lineup(outcomes, teams)
    games: Counter[Comparison] = Counter()
    for group in groups:
        games.update(group.games())
    notes: list[str] = []
    ratings: Ratings | None = None
    try:
        at = None if anchor is None else names.index(anchor)
        ratings = rate(groups, len(names), anchor=at, seed=seed)
    except MissingPackageError as error:
        notes.append(f"{sentence(error.message)} {error.todo}. Score intervals are E. B. Wilson's.")
    rows = _rows(games, totals, names, ratings)
    cells = _cells(games, ratings)
    order = sorted(range(len(names)), key=lambda at: _rank(rows[at], at, by_returns))
    notes += _notes(games, groups, names, ratings, totals)
    return Standings(
        tuple(rows[at] for at in order),
        tuple(tuple(cells.get((one, two)) for two in order) for one in order),
        _superiority(ratings, order),
        games.total(),
        sum(group.deals for group in groups),
        tuple(sorted({len(game) for game in games})),
        tuple(notes),
        ratings.width_by_pairing if ratings else None,
        anchor,
        by_returns,
    )


def _superiority(
    ratings: Ratings | None, order: Sequence[int]
) -> tuple[tuple[float | None, ...], ...]:
    """The probabilities that each entrant is stronger than each other, in table order."""
    if ratings is None:
        return ((None,) * len(order),) * len(order)
    return tuple(tuple(ratings.superiority[one][two] for two in order) for one in order)


def scores(
    outcomes: Mapping[GameSetOutcome, int], entrants: int, teams: Sequence[Teams] | None = None
) -> list[tuple[int, Fraction]]:
    """Games and points of every entrant, which are fast to compute."""
    games: Counter[Comparison] = Counter()
    for group in by_lineup(outcomes, teams):
        games.update(group.games())
    found = _first_places(games, entrants)
    return [(counts.total(), _points(counts)) for counts in found]


def _first_places(games: Counter[Comparison], entrants: int) -> list[Counter[int]]:
    """For each entrant the counts of shared first places by number of sides; 0 if not first."""
    found: list[Counter[int]] = [Counter() for _ in range(entrants)]
    for game, count in games.items():
        for entrant, sharing in first_places(game):
            found[entrant][sharing] += count
    return found


def _points(counts: Counter[int]) -> Fraction:
    shared = (Fraction(count, sharing) for sharing, count in counts.items() if sharing)
    return sum(shared, Fraction(0))


def _rows(
    games: Counter[Comparison],
    totals: Mapping[int, Totals],
    names: Sequence[str],
    ratings: Ratings | None,
) -> list[StandingsRow]:
    found = []
    for at, (name, counts) in enumerate(zip(names, _first_places(games, len(names)), strict=True)):
        played, wins, losses, points = counts.total(), counts[1], counts[0], _points(counts)
        interval = unpaired = rating = None
        if ratings is not None:
            interval, unpaired = ratings.scores[at], ratings.unpaired[at]
            rating = ratings.ratings[at]
        elif played:
            interval = unpaired = wilson_interval(float(points), played)
        score = float(points / played) if played else None
        sums = replace(totals.get(at, Totals()))
        found.append(
            StandingsRow(
                name, played, wins, played - wins - losses, losses,
                points, score, interval, unpaired, rating, sums,
            )
        )  # fmt: skip
    return found


def _rank(row: StandingsRow, at: int, by_returns: bool) -> tuple[float, float, float, int]:
    earned = row.mean_return if by_returns else 0.0
    rating = row.rating.value if row.rating else -math.inf
    score = row.score if row.score is not None else -1.0
    return (math.inf if earned is None else -earned, -rating, -score, at)


def _cells(games: Counter[Comparison], ratings: Ratings | None) -> dict[tuple[int, int], Cell]:
    won: Counter[tuple[int, int]] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for game, count in games.items():
        for pair, halves in meetings(game):
            won[pair] += count * halves
            met[pair] += count
    found = {}
    for (one, two), number in met.items():
        own = Fraction(won[one, two], 2)
        interval = ratings.meetings[one, two] if ratings else wilson_interval(float(own), number)
        mirrored = Interval(1 - interval.high, 1 - interval.low)
        found[one, two] = Cell(own, number, interval)
        found[two, one] = Cell(number - own, number, mirrored)
    return found


def _notes(
    games: Counter[Comparison],
    groups: Sequence[CountedDeals],
    names: Sequence[str],
    ratings: Ratings | None,
    totals: Mapping[int, Totals],
) -> list[str]:
    found = []
    void = sum(sums.void for sums in totals.values())
    if void:
        found.append("Some games could not be played; they count for nobody.")
    if not games:
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
    if all(len({side.place for side in game}) == 1 for game in games):
        return [*found, "Every game was a draw, so all ratings are equal."]
    found += _one_way(games, names)
    deals = Counter(
        {at: sum(group.deals for group in groups if at in group.lineup) for at in range(len(names))}
    )
    few = [name for at, name in enumerate(names) if 0 < deals[at] < FEW]
    if few:
        found.append(f"Fewer than {FEW} deals, so the intervals are rough: {', '.join(few)}.")
    if ratings.winners_only:
        found.append("The game ranks nobody but the winners, so ratings compare first places only.")
    return found


def _one_way(games: Counter[Comparison], names: Sequence[str]) -> list[str]:
    found = []
    for upper, lower in classes_of(len(names), games):
        above, below = ([names[at] for at in part] for part in (upper, lower))
        found.append(
            f"All results between {', '.join(above)} and {', '.join(below)} went one way, "
            "so the difference of their ratings is a guess at its least size."
        )
    return found


def _short(value: float | None) -> float | None:
    """A number rounded to significant digits; None if not finite."""
    return None if value is None or not math.isfinite(value) else round(value, 6)


def _interval_json(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_short(interval.low), _short(interval.high)]


def _row_json(row: StandingsRow) -> dict[str, Any]:
    rating = row.rating
    return {
        "name": row.name,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "points": _short(float(row.points)),
        "score": _short(row.score),
        "score_interval": _interval_json(row.interval),
        "score_interval_unpaired": _interval_json(row.unpaired),
        "rating": None if rating is None else _short(rating.value),
        "rating_interval": None if rating is None else _interval_json(rating.interval),
        "mean_return": _short(row.mean_return),
        "mean_return_interval": _interval_json(row.return_interval),
        "mean_luck": _short(row.mean_luck),
        "mean_loss": _short(row.mean_loss),
        "decisions_judged": row.totals.judged,
        "plies": row.totals.plies,
        "failures": row.totals.failures,
        "late": row.totals.late,
        "void": row.totals.void,
    }


def _cell_json(cell: Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    return {
        "points": _short(float(cell.points)),
        "meetings": cell.meetings,
        "score": _short(cell.share),
        "score_interval": _interval_json(cell.interval),
    }
