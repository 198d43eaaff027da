"""The standings of a tournament as tables in plain text and HTML."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from boardgames_cli.agents.ratings import NEWCOMER
from boardgames_cli.core.text import percent
from boardgames_cli.tournament.ratings.standings import Standings, StandingsRow
from boardgames_cli.tournament.ratings.statistics import Interval
from boardgames_cli.tournament.rows import Tally
from boardgames_cli.tournament.tournament_config import Entrant

_GAP: Final = "  "
_NONE: Final = "-"
_INTERVAL: Final = "95 % interval"
_MAP: Final = ((179, 88, 6), (247, 247, 247), (84, 39, 136))
"""Red, green and blue of a share of 0, one half and 1: orange to purple, which are distinguishable
with red-green colour blindness."""
_DARK: Final = 0.32
"""The distance of a share from one half at which its colour asks for white text."""
_T = TypeVar("_T")


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
    shares: tuple[tuple[float | None, ...], ...] = ()
    """The shares of which the numbers tell; their cells have colours in HTML."""

    def text(self, width: int | None = None) -> str:
        """Plain aligned columns, for any screen and screen reader.

        A table wider than the screen is split into blocks, each starting with the left-aligned
        columns.
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

    def html(self) -> str:
        """A table of HTML under a heading."""
        head = self._html_row(self.heads, kind="th scope='col'")
        lines = itertools.zip_longest(self.rows, self.shares, fillvalue=())
        body = "\n".join(f"<tr>{self._html_row(*line)}</tr>" for line in lines)
        words = f"<p>{html.escape(self.words)}</p>" if self.words else ""
        return (
            f"<h2>{html.escape(self.title)}</h2>\n{words}\n<div class='wide'><table>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
        )

    def _html_row(
        self, cells: Sequence[str], shares: Sequence[float | None] = (), kind: str = "td"
    ) -> str:
        texts = []
        shown = itertools.zip_longest(cells, (None,) * self.left + tuple(shares))
        for at, (cell, share) in enumerate(shown):
            # The last left-aligned column is the row header.
            tag = "th scope='row'" if kind == "td" and at == self.left - 1 else kind
            style = "" if at < self.left else f' class="number"{_shade(share)}'
            texts.append(f"<{tag}{style}>{html.escape(cell)}</{tag.split()[0]}>")
        return "".join(texts)


def _shade(share: float | None) -> str:
    if share is None:
        return ""
    nearness = abs(2 * share - 1)
    mixed = zip(_MAP[1], _MAP[2 if share > 0.5 else 0], strict=True)
    colour = ",".join(str(round(middle + nearness * (end - middle))) for middle, end in mixed)
    ink = ";color:white" if abs(share - 0.5) > _DARK else ""
    return f' style="background:rgb({colour}){ink}"'


def _shown(value: _T | None, text: Callable[[_T], str]) -> str:
    return _NONE if value is None else text(value)


def span_text(interval: Interval, text: Callable[[float], str]) -> str:
    """An interval, with the text of a number; infinite ends are left open."""
    low, high = interval
    if math.isinf(low) and math.isinf(high):
        return "anything"
    if math.isinf(low):
        return f"{text(high)} or less"
    if math.isinf(high):
        return f"{text(low)} or more"
    return f"{text(low)} to {text(high)}"


def share_text(share: float | None) -> str:
    """A share as a percentage with one digit."""
    return _shown(share, lambda one: percent(one, 1))


def number(value: float) -> str:
    """A count or a number of points, with as few digits as needed."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def decimal(value: float) -> str:
    """A number with two digits, or three if it is small."""
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3f}"


_Column: TypeAlias = tuple[str, Callable[[StandingsRow], str]]
"""A head, and what stands under it."""
_GAMES: Final[_Column] = ("games", lambda row: f"{row.sums.sides:,}")


def _estimate(
    head: str,
    of: Callable[[StandingsRow], tuple[float | None, Interval | None]],
    text: Callable[[float], str],
) -> tuple[_Column, _Column]:
    return (
        (head, lambda row: _shown(of(row)[0], text)),
        (_INTERVAL, lambda row: _shown(of(row)[1], lambda one: span_text(one, text))),
    )


_RETURNS: Final = _estimate(
    "mean return", lambda row: (row.sums.mean_return, row.return_interval), decimal
)
_NOTHING: Final = (None, None)
_RATING: Final = _estimate("rating", lambda row: row.rating or _NOTHING, "{:.0f}".format)


def _of_entrants(
    title: str, table: Standings, columns: Sequence[_Column], words: str = ""
) -> Table:
    heads = ("entrant", *(head for head, _ in columns))
    rows = tuple((row.name, *(text(row) for _, text in columns)) for row in table.rows)
    return Table(title, heads, rows, words=words)


def standings_table(table: Standings) -> Table:
    """Games, points, score and rating of all entrants; mean returns first where they count."""
    columns: list[_Column] = [
        _GAMES,
        *(_RETURNS if table.by_returns else ()),
        ("won", lambda row: f"{row.sums.wins:,}"),
        ("drawn", lambda row: f"{row.sums.draws:,}"),
        ("lost", lambda row: f"{row.sums.losses:,}"),
        ("points", lambda row: number(float(row.sums.points))),
        *_estimate("score", lambda row: (row.sums.score, row.interval), share_text),
        *(_RATING if table.is_rated else ()),
    ]
    found = _of_entrants("Standings", table, columns, _standings_words(table))
    rows = tuple((str(place), *row) for place, row in enumerate(found.rows, 1))
    return replace(found, heads=("", *found.heads), rows=rows, left=2)


def running_table(entrants: Sequence[Entrant], tally: Tally) -> Table:
    """The standings while games are played, by score."""
    rows = zip(entrants, tally.totals(len(entrants)), strict=True)
    texts = tuple(
        (entrant.name, f"{sums.sides:,}", number(float(sums.points)), share_text(sums.score))
        for entrant, sums in sorted(rows, key=lambda row: -(row[1].score or 0))
    )
    return Table("Standings", ("entrant", "games", "points", "score"), texts)


def _standings_words(table: Standings) -> str:
    words = []
    if table.by_returns:
        words.append("Games are won by more or less, so the order is that of the mean returns.")
    if table.par is None and table.sides:
        words.append("Games had different numbers of sides.")
    elif table.par is not None and table.par < 0.5:
        words.append(f"A game is one point, so equal sides score {percent(table.par, 1)}.")
    if table.is_rated:
        words.append(
            f"The mean rating is {NEWCOMER}; 100 more promise 64.0 % of the points between two."
        )
    return " ".join(words)


def cross_table(table: Standings) -> Table:
    """How often each row finished above each column, a tie counting half."""
    heads = ("", *(row.name for row in table.rows))
    rows = tuple(
        (row.name, *(_shown(cell, lambda one: share_text(one.share)) for cell in cells))
        for row, cells in zip(table.rows, table.cross, strict=True)
    )
    words = "How often the row finished above the column; a tie counts half."
    shares = tuple(
        tuple(None if cell is None else cell.share for cell in cells) for cells in table.cross
    )
    return Table("Each against each", heads, rows, 1, words, shares)


def behaviour_table(table: Standings) -> Table:
    """The agents' behaviour apart from results, independent of the machine."""
    columns: list[_Column] = [
        *_RETURNS,
        ("plies a game", lambda row: _shown(_mean(row.sums.plies, row.sums.games), decimal)),
        ("failures", lambda row: f"{row.sums.failures:,}"),
        ("late answers", lambda row: f"{row.sums.late:,}"),
    ]
    return _of_entrants("Agents", table, columns)


def luck_table(table: Standings) -> Table:
    """What chance gave beside the mean return."""
    columns = [*_RETURNS, ("luck a game", lambda row: _shown(row.sums.mean_luck, decimal))]
    words = "Luck is the part of the mean return that chance gave; over many games it comes to 0."
    return _of_entrants("Luck", table, columns, words)


def speed_table(table: Standings) -> Table:
    """The agents' thinking times on this machine."""
    columns: list[_Column] = [
        ("decisions timed", lambda row: f"{row.sums.decisions:,}"),
        ("seconds", lambda row: f"{row.sums.seconds:,.1f}"),
        ("ms a decision", lambda row: _shown(row.sums.pace, lambda one: f"{1000 * one:,.3f}")),
    ]
    words = "Measured on the machines that played; these numbers differ from run to run."
    return _of_entrants("Time", table, columns, words)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None
