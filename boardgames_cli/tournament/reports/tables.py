"""The standings of a tournament as tables in plain text, Markdown and HTML, and as plots in SVG."""

from __future__ import annotations

import html
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeAlias, TypeVar

from boardgames_cli.core.text import percent
from boardgames_cli.tournament.ratings.standings import Corrected, Standings, StandingsRow
from boardgames_cli.tournament.ratings.statistics import Interval

_GAP: Final = "  "
_NONE: Final = "-"
_INTERVAL: Final = "95 % interval"
_SURE: Final = 0.999
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


def _shown(value: _T | None, text: Callable[[_T], str]) -> str:
    """A value as text, and a dash where there is none."""
    return _NONE if value is None else text(value)


def _span(interval: Interval, text: Callable[[float], str]) -> str:
    return f"{text(interval.low)} to {text(interval.high)}"


def share_text(share: float | None) -> str:
    """A share as a percentage with one digit."""
    return _shown(share, lambda one: percent(one, 1))


def _span_of_shares(interval: Interval) -> str:
    return _span(interval, share_text)


def _span_of_returns(interval: Interval) -> str:
    return _span(interval, decimal)


def points_of_rating(interval: Interval) -> str:
    """An interval of ratings; infinite ends are left open."""
    low, high = interval
    if math.isinf(low) and math.isinf(high):
        return "anything"
    if math.isinf(low):
        return f"{signed(high)} or less"
    if math.isinf(high):
        return f"{signed(low)} or more"
    return _span(interval, signed)


def signed(rating: float) -> str:
    """A rating in whole points."""
    return f"{round(rating):+d}" if round(rating) else "0"


def likelihood(value: float | None) -> str:
    """A probability; values below the resolution of the bootstrap are not distinguished from 0."""
    if value is not None and not 1 - _SURE <= value <= _SURE:
        return f">{percent(_SURE, 1)}" if value > _SURE else f"<{percent(1 - _SURE, 1)}"
    return share_text(value)


def number(value: float) -> str:
    """A count or a number of points, with as few digits as needed."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def decimal(value: float) -> str:
    """A number with two digits, or three if it is small."""
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3f}"


_Column: TypeAlias = tuple[str, Callable[[StandingsRow], str]]
"""A head, and what stands under it."""
_GAMES: Final[_Column] = ("games", lambda row: f"{row.games:,}")
_SCORE: Final[_Column] = ("score", lambda row: share_text(row.score))
_RETURNS: Final[tuple[_Column, ...]] = (
    ("mean return", lambda row: _shown(row.mean_return, decimal)),
    (_INTERVAL, lambda row: _shown(row.return_interval, _span_of_returns)),
)
_RATING: Final[tuple[_Column, ...]] = (
    ("rating", lambda row: _shown(row.rating, lambda one: signed(one.value))),
    (_INTERVAL, lambda row: _shown(row.rating, lambda one: points_of_rating(one.interval))),
)


def _of_entrants(
    title: str, table: Standings, columns: Sequence[_Column], words: str = ""
) -> Table:
    """A table with a row for each entrant."""
    heads = ("entrant", *(head for head, _ in columns))
    rows = tuple((row.name, *(text(row) for _, text in columns)) for row in table.rows)
    return Table(title, heads, rows, words=words)


def standings_table(table: Standings) -> Table:
    """Games, points, score and rating of all entrants; mean returns first where they count."""
    columns: list[_Column] = [
        _GAMES,
        *(_RETURNS if table.by_returns else ()),
        ("won", lambda row: f"{row.wins:,}"),
        ("drawn", lambda row: f"{row.draws:,}"),
        ("lost", lambda row: f"{row.losses:,}"),
        ("points", lambda row: number(float(row.points))),
        _SCORE,
        (_INTERVAL, lambda row: _shown(row.interval, _span_of_shares)),
        *(_RATING if table.is_rated else ()),
    ]
    found = _of_entrants("Standings", table, columns, _standings_words(table))
    rows = tuple((str(place), *row) for place, row in enumerate(found.rows, 1))
    return replace(found, heads=("", *found.heads), rows=rows, left=2)


def short_standings_table(table: Standings) -> Table:
    """Games of all entrants, with score and rating or mean return, for narrow windows."""
    columns = [_GAMES, *(_RETURNS if table.by_returns else (_SCORE,))]
    if table.is_rated and not table.by_returns:
        columns += _RATING
    return _of_entrants("Standings", table, columns)


def _standings_words(table: Standings) -> str:
    words = []
    if table.by_returns:
        words.append("Games are won by more or less, so the order is that of the mean returns.")
    if table.par is None and table.sides:
        words.append("Games had different numbers of sides.")
    elif table.par is not None and table.par < 0.5:
        words.append(f"A game is one point, so equal sides score {percent(table.par, 1)}.")
    if table.is_rated:
        zero = f"{table.anchor} has the rating 0" if table.anchor else "The mean rating is 0"
        words.append(f"{zero}; 100 points more promise 64.0 % of the points between two.")
    return " ".join(words)


def cross_table(table: Standings) -> Table:
    """How often each row finished above each column, a tie counting half."""
    heads = ("", *(row.name for row in table.rows))
    rows = tuple(
        (row.name, *(_shown(cell, lambda one: share_text(one.share)) for cell in cells))
        for row, cells in zip(table.rows, table.cross, strict=True)
    )
    words = "How often the row finished above the column; a tie counts half."
    return Table("Each against each", heads, rows, 1, words)


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
    columns: list[_Column] = [
        *_RETURNS,
        ("plies a game", lambda row: _shown(_mean(row.totals.plies, row.totals.games), decimal)),
        ("failures", lambda row: f"{row.totals.failures:,}"),
        ("late answers", lambda row: f"{row.totals.late:,}"),
    ]
    return _of_entrants("Agents", table, columns)


def _corrected(
    head: str, of: Callable[[StandingsRow], Corrected | None], text: Callable[[float], str]
) -> tuple[_Column, ...]:
    """The columns of a number without luck, and of its interval."""
    return (
        (head, lambda row: _shown(of(row), lambda one: text(one.value))),
        (_INTERVAL, lambda row: _shown(of(row), lambda one: _span(one.interval, text))),
    )


def luck_table(table: Standings) -> Table:
    """Scores and returns without luck, and what decisions gave away."""
    columns: list[_Column] = []
    if any(row.score_without_luck for row in table.rows):
        columns += _corrected("score", lambda row: row.score_without_luck, share_text)
        columns += _corrected("mean return", lambda row: row.return_without_luck, decimal)
    if any(row.totals.judged for row in table.rows):
        columns += [
            ("lost a decision", lambda row: _shown(row.mean_loss, "{:.4f}".format)),
            ("decisions judged", lambda row: f"{row.totals.judged:,}"),
        ]
    words = (
        "What chance gave, 0 on average, is taken off. A loss is the expected return that a "
        "decision with a choice gave away."
    )
    return _of_entrants("Without luck", table, columns, words)


def speed_table(table: Standings) -> Table:
    """The agents' thinking times on this machine."""
    columns: list[_Column] = [
        ("decisions timed", lambda row: f"{row.totals.decisions:,}"),
        ("seconds", lambda row: f"{row.totals.seconds:,.1f}"),
        ("ms a decision", lambda row: _shown(row.seconds, lambda one: f"{1000 * one:,.3f}")),
    ]
    words = "Measured on the machines that played; these numbers differ from run to run."
    return _of_entrants("Time", table, columns, words)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None


INK: Final = "#2a2620"
POINT: Final = "#0b5cad"
SURFACE: Final = "#fffdf7"
_LINES: Final = "#d8cdb0"
_MAP: Final = "PuOr"
"""Orange to purple: distinguishable with red-green colour blindness."""

_LONGEST_NAME: Final = 24
_MOST: Final = 40
"""The maximum number of entrants in a readable plot."""
_STYLE: Final = {
    "svg.fonttype": "none",  # keep text as text, for search and screen readers
    "svg.hashsalt": "boardgames",  # reproducible ids
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": _LINES,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": SURFACE,
    "axes.facecolor": SURFACE,
}


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def rating_plot(table: Standings) -> str | None:
    """The ratings with their intervals as SVG; None if there are too few or too many."""
    rows = [row for row in table.rows if row.rating is not None]
    if not 2 <= len(rows) <= _MOST:
        return None
    with _matplotlib().rc_context(_STYLE):
        figure, axes = _figure(7.5, 0.9 + 0.36 * len(rows))
        low, high = _range(rows)
        for height, row in enumerate(reversed(rows)):
            _draw_rating(axes, height, row, low, high)
        axes.set_yticks(range(len(rows)), [_label(row) for row in reversed(rows)], parse_math=False)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlim(low, high)
        axes.set_xlabel("rating with its 95 % interval")
        axes.axvline(0, color=_LINES, linewidth=1, zorder=0)
        axes.grid(axis="x", color=_LINES, linewidth=0.5, alpha=0.6)
        axes.tick_params(length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        return _svg(figure, "Ratings with 95 % intervals; the numbers stand in the table.")


def _range(rows: list[StandingsRow]) -> tuple[float, float]:
    """The range of the axis: all ratings and all finite ends of intervals."""
    ratings = [row.rating for row in rows if row.rating is not None]
    ends = [end for one in ratings for end in (one.value, *one.interval) if math.isfinite(end)]
    margin = max(20.0, 0.08 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin


def _draw_rating(axes: Any, height: int, row: StandingsRow, low: float, high: float) -> None:
    assert row.rating is not None
    start, end = row.rating.interval
    # An open interval extends beyond the plot.
    ends = (start if math.isfinite(start) else low, end if math.isfinite(end) else high)
    axes.plot(ends, (height, height), color=POINT, linewidth=2, solid_capstyle="butt")
    for at in (start, end):
        if math.isfinite(at):
            axes.plot((at, at), (height - 0.14, height + 0.14), color=POINT, linewidth=2)
    axes.plot(row.rating.value, height, "o", color=POINT, markersize=7)
    axes.annotate(
        signed(row.rating.value),
        (row.rating.value, height),
        (0, 6),
        textcoords="offset points",
        ha="center",
        fontsize=8.5,
    )


def heat_map(table: Standings) -> str | None:
    """The cross table as a map of colours in SVG; None if there are too few or too many."""
    rows = table.rows
    if not 2 <= len(rows) <= _MOST or not any(cell for cells in table.cross for cell in cells):
        return None
    with _matplotlib().rc_context(_STYLE):
        figure, axes = _figure(1.9 + 0.72 * len(rows), 1.2 + 0.46 * len(rows))
        shares = [[math.nan if cell is None else cell.share for cell in row] for row in table.cross]
        axes.imshow(shares, cmap=_MAP, vmin=0, vmax=1, aspect="auto")
        for line, cells in enumerate(table.cross):
            for column, cell in enumerate(cells):
                text = "" if cell is None else share_text(cell.share)
                is_dark = cell is not None and abs(cell.share - 0.5) > 0.32
                colour = "white" if is_dark else INK
                axes.text(column, line, text, ha="center", va="center", color=colour, fontsize=9)
        names = [_label(row) for row in rows]
        axes.xaxis.tick_top()
        axes.set_xticks(range(len(rows)), names, rotation=35, ha="left", parse_math=False)
        axes.set_yticks(range(len(rows)), names, parse_math=False)
        axes.tick_params(length=0)
        axes.set_xticks([at - 0.5 for at in range(1, len(rows))], minor=True)
        axes.set_yticks([at - 0.5 for at in range(1, len(rows))], minor=True)
        axes.grid(which="minor", color=SURFACE, linewidth=2)
        axes.tick_params(which="minor", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return _svg(figure, "Scores of each against each; the numbers stand in the table.")


def _label(row: StandingsRow) -> str:
    """The name of an entrant, shortened to leave space for the plot."""
    name = row.name
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _matplotlib() -> Any:
    return import_module("matplotlib")  # slow and optional, so imported late


def _figure(width: float, height: float) -> tuple[Any, Any]:
    figure = import_module("matplotlib.figure").Figure(
        figsize=(width, height), layout="constrained"
    )
    return figure, figure.subplots()


def _svg(figure: Any, label: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    element = text[text.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    return element.rstrip() + "\n"
