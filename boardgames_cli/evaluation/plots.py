"""Plots of a game's evaluation, made of characters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.evaluation.review_result import Review

_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_EMPTY_PARTS: Final = str.maketrans(_EIGHTHS[1:-1], _EIGHTHS[-2:0:-1])
_ASCII: Final = " .:-=+*#@"
"""Nine characters of increasing density, for terminals without block characters."""
_MIDDLES: Final = "_─"
"""The line at half the height, where neither side is ahead: in ASCII, and otherwise."""


def course(review: Review, seat: Seat) -> list[float | None]:
    """The value of every position for a seat, 0 to 1; None if it was not computed.

    The winning probability if values have one, with the distance of a certain end; otherwise the
    expected return scaled to the range of the game's returns. For two seats 0.5 is an even game.
    """
    values = [review.value_at(ply) for ply in range(len(review.steps) + review.is_complete)]
    if all(value.chances for value in values if value is not None):
        return [None if value is None else value.heights[seat] for value in values]
    found = [None if value is None else value.returns[seat] for value in values]
    if review.scale.is_chance:
        return [None if one is None else _between(one, -1.0, 1.0) for one in found]
    every = [one for value in values if value is not None for one in value.returns]
    low, high = min(every, default=0.0), max(every, default=1.0)
    if len(review.names) == 2:
        high = max(abs(low), abs(high))
        low = -high
    return [None if one is None else _between(one, low, high) for one in found]


def _between(value: float, low: float, high: float) -> float:
    if high <= low:
        return 0.5
    return min(1.0, max(0.0, (value - low) / (high - low)))


def resample(points: Sequence[float | None], width: int) -> list[float]:
    """Resample a course to one point per column; gaps keep the last value."""
    filled: list[float] = []
    last = next((one for one in points if one is not None), 0.5)
    for point in points:
        last = last if point is None else point
        filled.append(last)
    if not filled or width <= 0:
        return []
    return [filled[min(len(filled) - 1, column * len(filled) // width)] for column in range(width)]


def blocks(heights: Sequence[float], rows: int, glyphs: Glyphs) -> list[str]:
    """Columns of heights from 0 to 1 as rows of characters, the highest row first."""
    signs = _ASCII if glyphs is Glyphs.ASCII else _EIGHTHS
    top = len(signs) - 1
    lines = []
    for row in reversed(range(rows)):
        filled = [min(top, max(0, round(height * rows * top) - row * top)) for height in heights]
        lines.append("".join(signs[count] for count in filled))
    return lines


def curve(
    heights: Sequence[float], rows: int, roles: Sequence[str], glyphs: Glyphs
) -> list[list[Span]]:
    """Like `blocks` in one role; with two, up or down from a line in the middle of the odd rows."""
    if len(roles) == 1:
        return [[Span(row, *roles)] for row in blocks(heights, rows, glyphs)]
    up = blocks([max(0.0, 2 * height - 1) for height in heights], rows // 2, glyphs)
    down = blocks([max(0.0, 1 - 2 * height) for height in heights], rows // 2, glyphs)
    lines = [[Span(row, roles[0])] for row in up]
    lines.append([Span(_MIDDLES[glyphs is not Glyphs.ASCII] * len(heights), "muted")])
    for row in reversed(down):
        # A block that hangs from the line is what the inverse of another one leaves empty.
        parts = itertools.groupby(row.translate(_EMPTY_PARTS), _EIGHTHS[1:-1].__contains__)
        lines.append(
            [Span("".join(same), roles[1] + " inverse" * is_part) for is_part, same in parts]
        )
    return lines
