"""Pictures made of text: what views draw and all front ends show.

A span has a role, a word such as ``seat.0`` or ``safe``, never a colour. Front ends with colour
look roles up in their theme; the others print plain characters. Several words, as in
``house.light seat.0``, are layered: what the later style leaves open (a background, say) comes from
the earlier one.
"""

from __future__ import annotations

import functools
import itertools
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final
from unicodedata import category, east_asian_width

COMMON_ROLES: Final = frozenset(
    {
        *("muted", "title", "key", "good", "bad", "safe", "illegal", "highlight", "chosen"),
        *("last-move", "hint", "bar.full", "bar.empty", "card", "seat", "banner", "flash"),
        "inverse",
    }
)
"""The roles for which every front end with colours has a style; a game's palette adds its own."""


class Glyphs(Enum):
    """Which characters may be used."""

    ASCII = "ascii"
    UNICODE = "unicode"
    """Characters one column wide that common fonts have."""
    HIEROGLYPH = "hieroglyph"
    """Also characters that many fonts lack; only on request."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line with one role and one action."""

    text: str
    role: str = ""
    action: str = ""
    """The notation of the action taken by a click here; empty if none."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of spans."""

    lines: tuple[tuple[Span, ...], ...]
    width: int = field(init=False, repr=False, compare=False)
    """Columns of the widest line."""

    def __post_init__(self) -> None:
        # Counted once: a screen asks for it many times.
        widths = [sum([columns(span.text) for span in line]) for line in self.lines]
        object.__setattr__(self, "width", max(widths, default=0))

    @classmethod
    def of(cls, lines: Iterable[str | Span | Sequence[Span]]) -> Picture:
        """A picture from one string, span or sequence of spans per line."""
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
    def height(self) -> int:
        """Number of lines."""
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in line).rstrip() for line in self.lines)


@functools.lru_cache(maxsize=8192)
def columns(text: str) -> int:
    """The number of columns that a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


@functools.lru_cache(maxsize=8192)
def _is_simple(text: str) -> bool:
    return text.isascii() or all(_width(character) == 1 for character in text)


@functools.lru_cache(maxsize=4096)
def _width(character: str) -> int:
    """The columns of a character: 0 if it joins the one before, 2 for most of East Asia's."""
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def percent(share: float, digits: int = 0) -> str:
    """A share, of which 1 is the whole, as text, such as ``61 %``."""
    return f"{100 * share:.{digits}f} %"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 chip``, ``2 chips``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sentence(fact: str) -> str:
    """A fact with a capital letter and one full stop; empty if it is."""
    return f"{fact[0].upper()}{fact[1:].removesuffix('.')}." if fact else ""


def shortened(text: str, most: int, glyphs: Glyphs = Glyphs.UNICODE) -> str:
    """The text cut to a number of columns, ending with an ellipsis if it was longer."""
    if columns(text) <= most:
        return text
    return cut(text, max(0, most - 1)) + ("~" if glyphs is Glyphs.ASCII else "…")


def cut(text: str, most: int) -> str:
    """The text cut to a number of columns; half a wide character becomes a space."""
    return text[:most] if _is_simple(text) else "".join(_clipped(text, 0, most))


def justified(text: str, width: int) -> str:
    """The text with spaces after it up to a number of columns."""
    return text + " " * (width - columns(text))


def aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, in columns."""
    rows = list(rows)
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(justified, row, widths)).rstrip() for row in rows]


def wrapped(
    text: str, width: int, *, indent: str = "", max_lines: int | None = None, ending: str = " …"
) -> list[str]:
    """The text in lines of a number of columns.

    Words that are too long are broken. The indent begins every line but the first; the ending ends
    the last line if there would be more than ``max_lines``.
    """
    if not text.isascii():
        # `textwrap` counts characters, so one without width follows each that is wide. It breaks no
        # word of these: the two would be parted.
        words = (piece for word in text.split() for piece in _pieces(word, width - len(indent)))
        text = " ".join(words)
        text = "".join(f"{one}{_UNSEEN}" if _width(one) == 2 else one for one in text)
    lines = textwrap.wrap(
        text, width, subsequent_indent=indent, max_lines=max_lines, placeholder=ending
    )
    return [line.replace(_UNSEEN, "") for line in lines]


_UNSEEN: Final = "\u2060"


def _pieces(word: str, width: int) -> Iterator[str]:
    piece = ""
    for character in word:
        if piece and columns(piece + character) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def _clipped(text: str, first: int, end: int) -> list[str]:
    # The second column of a wide character is empty; half of one at an end becomes a space.
    cells: list[str] = []
    for character in text:
        width = _width(character)
        if width:
            cells += [character, ""][:width]
        elif cells:
            cells[-1 if cells[-1] else -2] += character
    clipped = cells[first:end]
    if clipped and not clipped[0]:
        clipped[0] = " "
    if clipped and end < len(cells) and not cells[end]:
        clipped[-1] = " "
    return clipped


class Canvas:
    """A grid of cells to draw on, turned into a `Picture` at the end.

    Every cell has a background role, which `fill` sets and `put` keeps, so that a role that only
    colours text leaves no hole in the board. Anything outside the grid is clipped.
    """

    def __init__(self, width: int, height: int, role: str = "") -> None:
        self.width = width
        self.height = height
        self._texts = [[" "] * width for _ in range(height)]
        self._roles = [[""] * width for _ in range(height)]
        self._actions = [[""] * width for _ in range(height)]
        self._grounds = [[role] * width for _ in range(height)]

    def put(
        self, x: int, y: int, text: str, role: str | None = None, action: str | None = None
    ) -> None:
        """Write text on the background, from a cell to the right.

        A role is layered over the background, and an action is the notation of what a click here
        does; None keeps the current one.
        """
        # Without calls of max: a board is drawn by hundreds of texts.
        first, end = -x if x < 0 else 0, self.width - x if x < self.width else 0
        drawn = text[first:end] if _is_simple(text) else _clipped(text, first, end)
        if not (0 <= y < self.height and drawn):
            return
        x += first
        cells = slice(x, x + len(drawn))
        row = self._texts[y]
        # What is left of a wide character that is half covered becomes a space.
        if not row[x]:
            row[x - 1] = " "
        if cells.stop < self.width and not row[cells.stop]:
            row[cells.stop] = " "
        row[cells] = drawn
        if role is not None:
            self._roles[y][cells] = [role] * len(drawn)
        if action is not None:
            self._actions[y][cells] = [action] * len(drawn)

    def fill(self, x: int, y: int, width: int, height: int, role: str, action: str = "") -> None:
        """Clear a rectangle and set its background role."""
        left, right = max(0, x), max(0, min(self.width, x + width))
        for row in range(max(0, y), min(self.height, y + height)):
            self.put(x, row, " " * width, "", action)
            self._grounds[row][left:right] = [role] * (right - left)

    def picture(self) -> Picture:
        """The drawing; neighbouring cells with the same role and action become one span."""
        lines = []
        grids = self._texts, self._grounds, self._roles, self._actions
        for texts, *looks in zip(*grids, strict=True):
            spans: list[Span] = []
            start = 0
            for look, same in itertools.groupby(zip(*looks, strict=True)):
                end = start + len(list(same))
                spans.append(_span("".join(texts[start:end]), *look))
                start = end
            lines.append(tuple(spans))
        return Picture(tuple(lines))


@functools.lru_cache(maxsize=8192)
def _span(text: str, ground: str, role: str, action: str) -> Span:
    # Some roles already name the background.
    if ground and role != ground and not role.startswith(f"{ground} "):
        role = f"{ground} {role}" if role else ground
    return Span(text, role, action)
