"""Plots of a tournament as SVG, if matplotlib is installed."""

from __future__ import annotations

import io
import math
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from boardgames_cli.tournament.ratings.standings import Standings, StandingsRow
from boardgames_cli.tournament.reports.tables import share_text, signed

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
