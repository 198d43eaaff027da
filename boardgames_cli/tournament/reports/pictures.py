"""The page of a report, and the ratings of a tournament as a picture in SVG beside its numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator
from typing import Final

from boardgames_cli.core.text import shortened
from boardgames_cli.tournament.ratings.standings import Standings
from boardgames_cli.tournament.ratings.statistics import IntervalEstimate

_INK: Final = "#2a2620"
_POINT: Final = "#0b5cad"
_GRID: Final = "#d8cdb0"
_MOST: Final = 40
"""The maximum number of entrants in a readable plot."""
_LONGEST_NAME: Final = 24
_NAMES: Final = 180
"""Pixels of the longest name."""
_AXIS: Final = 480
_ROW: Final = 30


def rating_plot(table: Standings) -> str | None:
    """The ratings with their intervals as SVG; None if there are too few or too many."""
    rated = [(row.name, row.rating) for row in table.rows if row.rating is not None]
    if not 2 <= len(rated) <= _MOST:
        return None
    low, high = _range([rating for _, rating in rated])
    bottom = _ROW * len(rated)

    def place(value: float) -> float:
        # An open interval extends to the edge of the plot.
        return _NAMES + _AXIS * (min(max(value, low), high) - low) / (high - low)

    parts = [svg_text(_NAMES + _AXIS / 2, bottom + 42, "rating with its 95 % interval")]
    for tick in _ticks(low, high):
        parts.append(_line(place(tick), 0, place(tick), bottom, _GRID, 1))
        parts.append(svg_text(place(tick), bottom + 18, f"{tick:.0f}"))
    for number, (name, rating) in enumerate(rated):
        y, x = _ROW * number + 18, place(rating.value)
        start, end = map(place, rating.interval)
        parts.append(svg_text(_NAMES - 12, y + 5, _label(name), "end"))
        parts.append(_line(start, y, end, y, _POINT, 2))
        ends = (place(value) for value in rating.interval if math.isfinite(value))
        parts += [_line(at, y - 5, at, y + 5, _POINT, 2) for at in ends]
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{_POINT}"/>')
        parts.append(svg_text(x, y - 7, f"{rating.value:.0f}", size=11))
    label = "Ratings with 95 % intervals; the numbers stand in the table."
    return svg_image(_NAMES + _AXIS + 30, bottom + 52, label, parts)


def _range(ratings: list[IntervalEstimate]) -> tuple[float, float]:
    ends = [end for one in ratings for end in (one.value, *one.interval) if math.isfinite(end)]
    margin = max(20.0, 0.08 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin


def _ticks(low: float, high: float) -> Iterator[float]:
    unit = 10 ** math.floor(math.log10((high - low) / 4))
    step = next(unit * times for times in (5, 2, 1) if unit * times <= (high - low) / 4)
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield number * step


def _label(name: str) -> str:
    return shortened(name, _LONGEST_NAME)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def svg_text(
    x: float,
    y: float,
    text: str,
    anchor: str = "middle",
    *,
    size: float = 13,
    colour: str = _INK,
    more: str = "",
) -> str:
    """A text of a picture, which stays text for search and screen readers.

    Args:
        x: The place of its anchor, in pixels from the left.
        y: The line on which it stands, in pixels from the top.
        text: The text.
        anchor: ``start``, ``middle`` or ``end``: which part of it is at ``x``.
        size: The height of the font.
        colour: The colour.
        more: More attributes, after a space.
    """
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f"<text {place}{more}>{html.escape(text)}</text>"


def svg_image(width: float, height: float, label: str, parts: Iterable[str]) -> str:
    """A picture as an element of a page.

    Args:
        width: In pixels; on a narrow page it is scaled down.
        height: In pixels.
        label: What it shows, for screen readers.
        parts: Its elements.
    """
    return (
        f'<svg role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="sans-serif">{"".join(parts)}</svg>'
    )


_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"""

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #2a2620; background: #f4edda;
  max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: #6b5f4a; }
dd { margin: 0; }
p { margin: .3rem 0 .6rem; color: #574c3a; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: #fffdf7; font-size: .92rem; min-width: 30rem; }
th, td { padding: .35rem .75rem; text-align: left; border-bottom: 1px solid #e9dfc4;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
thead th { background: #e9dfc4; font-weight: 600; }
.number { text-align: right; }
tbody th { font-weight: 600; }
tbody tr:last-child > * { border-bottom: 0; }
figure { margin: 1.2rem 0; padding: .5rem; background: #fffdf7; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; display: block; }
pre { background: #fffdf7; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; }
section { border-top: 1px solid #d8cdb0; margin-top: 1.5rem; }
section svg, body > svg { max-width: 100%; height: auto; }
@media print { body { background: white; max-width: none; } }
"""


def html_page(title: str, body: str) -> str:
    """A page with everything in it, without control characters, since names are user input."""
    page = _PAGE.format(title=html.escape(title), style=_STYLE, body=body)
    return "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in page)
