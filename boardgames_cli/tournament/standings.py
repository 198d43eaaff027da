"""The standings of a tournament as data.

Everything but the times depends only on the games, not on their order.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.core.text import percent
from boardgames_cli.tournament.comparisons import (
    Comparison,
    CountedDeals,
    Teams,
    by_lineup,
    classes_of,
    first_places,
    meetings,
)
from boardgames_cli.tournament.ratings import RatingsUnavailable, rate
from boardgames_cli.tournament.results import GameSetOutcome, Totals
from boardgames_cli.tournament.statistics import (
    Interval,
    Rating,
    Ratings,
    mean_interval,
    wilson_interval,
)

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
    """The score's interval."""
    unpaired: Interval | None
    """The score's interval if all games were independent."""
    rating: Rating | None
    """None without comparable entrants, or if it can't be computed."""
    totals: Totals
    """Sums over its seats."""

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
    """The number of meetings."""
    interval: Interval
    """The interval of the share of points."""

    @property
    def share(self) -> float:
        """Points per meeting."""
        return float(self.points / self.meetings)


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament."""

    rows: tuple[StandingsRow, ...]
    """Strongest first."""
    cross: tuple[tuple[Cell | None, ...], ...]
    """Rows against columns, both in the order of the rows; None if they never met."""
    superiority: tuple[tuple[float | None, ...], ...]
    """The probability that the row is stronger than the column; None if not comparable."""
    games: int
    deals: int
    sides: tuple[int, ...]
    """The numbers of sides in the games, in rising order."""
    notes: tuple[str, ...]
    """Caveats about the numbers, a sentence or two each."""
    width_by_pairing: float | None
    """The mean width of the score intervals relative to independent games."""
    anchor: str | None
    """The entrant whose rating is 0; None if the mean is."""

    @property
    def par(self) -> float | None:
        """The score of equal sides; None if games had different numbers of sides."""
        return 1 / self.sides[0] if len(self.sides) == 1 else None

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
) -> Standings:
    """Compute the standings from games.

    Args:
        outcomes: How often each outcome of a deal has come.
        totals: The sums of every entrant, by its index.
        names: The names of the entrants.
        teams: For each option set, the seats of every side; None if each seat plays for itself.
        anchor: The name of the entrant whose rating is 0; None makes the mean of all ratings 0.
        seed: The seed of the bootstrap.

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
    except RatingsUnavailable as error:
        notes.append(f"{error.message} {error.todo}. Score intervals are E. B. Wilson's.")
    rows = _rows(games, totals, names, ratings)
    cells = _cells(games, ratings)
    order = sorted(range(len(names)), key=lambda at: _rank(rows[at], at))
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
    """Games and points of every entrant, which are fast to compute.

    Args:
        outcomes: How often each outcome of a deal has come.
        entrants: How many entrants there are.
        teams: For each option set, the seats of every side; None if each seat plays for itself.
    """
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


def _rank(row: StandingsRow, at: int) -> tuple[float, float, int]:
    rating = row.rating.value if row.rating else -math.inf
    return (-rating, -(row.score if row.score is not None else -1.0), at)


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
    """Caveats about the numbers."""
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
    """Name entrants whose results all go one way."""
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


_GAP: Final = "  "
_NONE: Final = "-"
_INTERVAL: Final = "95 % interval"
_SURE: Final = 0.999


@dataclass(frozen=True, slots=True)
class Table:
    """A table of strings."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    """The number of left-aligned columns; the others are numbers, right-aligned."""
    words: str = ""
    """A note about its columns."""

    def text(self, width: int | None = None) -> str:
        """Plain aligned columns, for any screen and screen reader.

        Args:
            width: The width of the screen. A wider table is split into blocks, each starting with
                the left-aligned columns. None for no limit.
        """
        lines = [self.heads, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.heads))]

        def written(cells: Sequence[str], columns: Sequence[int]) -> str:
            padded = [
                cells[at].ljust(widths[at]) if at < self.left else cells[at].rjust(widths[at])
                for at in columns
            ]
            return _GAP.join(padded).rstrip()

        blocks = [
            "\n".join(written(cells, columns) for cells in lines)
            for columns in self._blocks(widths, width)
        ]
        words = f"\n{self.words}" if self.words else ""
        return f"{self.title}\n" + "\n\n".join(blocks) + f"{words}\n"

    def _blocks(self, widths: Sequence[int], width: int | None) -> list[list[int]]:
        """The columns of each block, so that no line is wider than the screen."""
        left = list(range(self.left))
        blocks = [left.copy()]
        at = self.left
        while at < len(widths):
            # An interval stays with the number before it.
            has_interval = at + 1 < len(widths) and self.heads[at + 1] == _INTERVAL
            together = [at, at + 1] if has_interval else [at]
            columns = [*blocks[-1], *together]
            needed = sum(widths[column] for column in columns) + len(_GAP) * (len(columns) - 1)
            if width is not None and needed > width and len(blocks[-1]) > self.left:
                blocks.append(left.copy())
            blocks[-1] += together
            at += len(together)
        return blocks

    def markdown(self) -> str:
        """A table of Markdown under a heading."""
        marks = [":---" if at < self.left else "---:" for at in range(len(self.heads))]
        lines = [f"| {' | '.join(map(_escaped, cells))} |" for cells in (self.heads, *self.rows)]
        lines.insert(1, f"| {' | '.join(marks)} |")
        words = f"\n{self.words}\n" if self.words else ""
        return f"## {self.title}\n\n" + "\n".join(lines) + f"\n{words}"

    def html(self) -> str:
        """A table of HTML under a heading."""
        head = self._html_row(self.heads, "th scope='col'")
        body = "\n".join(f"<tr>{self._html_row(cells, 'td')}</tr>" for cells in self.rows)
        words = f"<p>{html.escape(self.words)}</p>" if self.words else ""
        return (
            f"<h2>{html.escape(self.title)}</h2>\n{words}\n<div class='wide'><table>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
        )

    def _html_row(self, cells: Sequence[str], kind: str) -> str:
        texts = []
        for at, cell in enumerate(cells):
            # The last left-aligned column is the row header.
            tag = "th scope='row'" if kind == "td" and at == self.left - 1 else kind
            style = "" if at < self.left else ' class="number"'
            texts.append(f"<{tag}{style}>{html.escape(cell)}</{tag.split()[0]}>")
        return "".join(texts)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def share_text(share: float | None) -> str:
    """A share as a percentage with one digit."""
    return _NONE if share is None else f"{percent(share, 1)}"


def interval_text(interval: Interval | None) -> str:
    """An interval of shares."""
    return (
        _NONE if interval is None else f"{percent(interval.low, 1)} to {percent(interval.high, 1)}"
    )


def points_of_rating(interval: Interval) -> str:
    """An interval of ratings; infinite ends are left open."""
    low, high = interval
    if math.isinf(low) and math.isinf(high):
        return "anything"
    if math.isinf(low):
        return f"{signed(high)} or less"
    if math.isinf(high):
        return f"{signed(low)} or more"
    return f"{signed(low)} to {signed(high)}"


def signed(rating: float) -> str:
    """A rating in whole points."""
    return f"{round(rating):+d}" if round(rating) else "0"


def likelihood(value: float | None) -> str:
    """A probability; values below the resolution of the bootstrap are not distinguished from 0."""
    if value is None:
        return _NONE
    if value > _SURE:
        return f">{percent(_SURE, 1)}"
    return f"<{percent(1 - _SURE, 1)}" if value < 1 - _SURE else f"{percent(value, 1)}"


def number(value: float) -> str:
    """A count or a number of points, with as few digits as needed."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def decimal(value: float | None) -> str:
    """A number with two digits, or three if it is small."""
    if value is None:
        return _NONE
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3f}"


def standings_table(table: Standings) -> Table:
    """Games, points, score and rating of all entrants."""
    columns: list[tuple[str, Callable[[StandingsRow], str]]] = [
        ("games", lambda row: f"{row.games:,}"),
        ("won", lambda row: f"{row.wins:,}"),
        ("drawn", lambda row: f"{row.draws:,}"),
        ("lost", lambda row: f"{row.losses:,}"),
        ("points", lambda row: number(float(row.points))),
        ("score", lambda row: share_text(row.score)),
        (_INTERVAL, lambda row: interval_text(row.interval)),
    ]
    if any(row.rating for row in table.rows):
        columns += [
            ("rating", lambda row: signed(row.rating.value) if row.rating else _NONE),
            (
                _INTERVAL,
                lambda row: points_of_rating(row.rating.interval) if row.rating else _NONE,
            ),
        ]
    heads = ("", "entrant", *(head for head, _ in columns))
    rows = tuple(
        (str(place), row.name, *(text(row) for _, text in columns))
        for place, row in enumerate(table.rows, 1)
    )
    return Table("Standings", heads, rows, 2, _standings_words(table))


def short_standings_table(table: Standings) -> Table:
    """Games, score and rating of all entrants, for narrow windows."""
    heads: tuple[str, ...] = ("entrant", "games", "score")
    rows = [(row.name, f"{row.games:,}", share_text(row.score)) for row in table.rows]
    if not any(row.rating for row in table.rows):
        return Table("Standings", heads, tuple(rows))
    ratings = [
        (signed(row.rating.value), points_of_rating(row.rating.interval))
        if row.rating
        else (_NONE, _NONE)
        for row in table.rows
    ]
    texts = tuple((*row, *rating) for row, rating in zip(rows, ratings, strict=True))
    return Table("Standings", (*heads, "rating", _INTERVAL), texts)


def _standings_words(table: Standings) -> str:
    words = []
    if table.par is None and table.sides:
        words.append("Games had different numbers of sides.")
    elif table.par is not None and table.par < 0.5:
        words.append(f"A game is one point, so equal sides score {percent(table.par, 1)}.")
    if any(row.rating for row in table.rows):
        zero = f"{table.anchor} has the rating 0" if table.anchor else "The mean rating is 0"
        words.append(f"{zero}; 100 points more promise 64.0 % of the points between two.")
    return " ".join(words)


def cross_table(table: Standings) -> Table:
    """How often each row finished above each column, a tie counting half."""
    heads = ("", *(row.name for row in table.rows))
    rows = tuple(
        (row.name, *(_cell_text(cell) for cell in cells))
        for row, cells in zip(table.rows, table.cross, strict=True)
    )
    words = "How often the row finished above the column; a tie counts half."
    return Table("Each against each", heads, rows, 1, words)


def _cell_text(cell: Cell | None) -> str:
    return _NONE if cell is None else share_text(cell.share)


def superiority_table(table: Standings) -> Table:
    """The probability that each row is stronger than each column."""
    heads = ("", *(row.name for row in table.rows))
    rows = tuple(
        (row.name, *map(likelihood, values))
        for row, values in zip(table.rows, table.superiority, strict=True)
    )
    words = "How likely the row is stronger than the column, as far as these games say."
    return Table("Likelihood of superiority", heads, rows, 1, words)


def behaviour_table(table: Standings) -> Table:
    """The agents' behaviour apart from results, independent of the machine."""
    rows = tuple(
        (
            row.name,
            decimal(row.mean_return),
            _NONE if (span := row.return_interval) is None
            else f"{decimal(span.low)} to {decimal(span.high)}",
            decimal(_mean(row.totals.plies, row.totals.games)),
            f"{row.totals.failures:,}",
            f"{row.totals.late:,}",
        )
        for row in table.rows
    )  # fmt: skip
    heads = ("entrant", "mean return", _INTERVAL, "plies a game")
    return Table("Agents", (*heads, "failures", "late answers"), rows, 1)


def speed_table(table: Standings) -> Table:
    """The agents' thinking times on this machine."""
    rows = tuple(
        (
            row.name,
            f"{row.totals.decisions:,}",
            f"{row.totals.seconds:,.1f}",
            _NONE if row.seconds is None else f"{1000 * row.seconds:,.3f}",
        )
        for row in table.rows
    )
    heads = ("entrant", "decisions timed", "seconds", "ms a decision")
    words = "Measured on the machines that played; these numbers differ from run to run."
    return Table("Time", heads, rows, 1, words)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None
