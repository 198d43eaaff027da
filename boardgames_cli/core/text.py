"""Pictures made of text: what views draw and all front ends show.

A span has a role, a word such as ``seat.0`` or ``safe``, never a colour; front ends with colour
look roles up in their theme, the others print the characters alone. Several words, as in
``house.light seat.0``, lay one style over the other: what the later one leaves open (a background,
say) comes from the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


class Glyphs(Enum):
    """Which characters may be used."""

    ASCII = "ascii"
    UNICODE = "unicode"
    """Signs one column wide that common fonts have."""
    HIEROGLYPH = "hieroglyph"
    """Also signs that many fonts lack; only on request."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line with one look."""

    text: str
    role: str = ""
    action: str = ""
    """The notation of the action that a click here means; empty if none."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of spans."""

    lines: tuple[tuple[Span, ...], ...]

    @classmethod
    def of(cls, lines: Iterable[str | Span | Sequence[Span]]) -> Picture:
        """A picture from texts, spans or sequences of spans, one a line."""
        made: list[tuple[Span, ...]] = []
        for line in lines:
            if isinstance(line, str):
                made.append((Span(line),))
            elif isinstance(line, Span):
                made.append((line,))
            else:
                made.append(tuple(line))
        return cls(tuple(made))

    @property
    def width(self) -> int:
        """Columns of the widest line."""
        return max((sum(len(span.text) for span in line) for line in self.lines), default=0)

    @property
    def height(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in line).rstrip() for line in self.lines)


class Canvas:
    """A grid of cells to draw on, turned into a `Picture` at the end.

    What falls outside the grid is cut off, so that a view never has to check.

    Args:
        width: Columns.
        height: Rows.
        role: The role of everything that is not drawn on.
    """

    def __init__(self, width: int, height: int, role: str = "") -> None:
        self.width = width
        self.height = height
        self._cells = [[(" ", role, "")] * width for _ in range(height)]

    def put(
        self, x: int, y: int, text: str, role: str | None = None, action: str | None = None
    ) -> None:
        """Write a text from a cell to the right; None keeps the role or action that is there."""
        if not 0 <= y < self.height:
            return
        row = self._cells[y]
        for column, character in enumerate(text, start=x):
            if 0 <= column < self.width:
                _, old_role, old_action = row[column]
                row[column] = (
                    character,
                    old_role if role is None else role,
                    old_action if action is None else action,
                )

    def fill(self, x: int, y: int, width: int, height: int, role: str, action: str = "") -> None:
        """Blank a rectangle and give it a role."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, role, action)

    def picture(self) -> Picture:
        """What was drawn; neighbouring cells of one look become one span."""
        lines = []
        for row in self._cells:
            spans: list[Span] = []
            start = 0
            for end in range(1, len(row) + 1):
                if end == len(row) or row[end][1:] != row[start][1:]:
                    text = "".join(cell[0] for cell in row[start:end])
                    spans.append(Span(text, row[start][1], row[start][2]))
                    start = end
            lines.append(tuple(spans))
        return Picture(tuple(lines))
