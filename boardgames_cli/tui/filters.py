"""Filters applied to every line before it is written to the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from boardgames_cli.terminal.streams import SUBSTITUTE


class Chain(LineFilter):
    """Combines several filters into one, because Textual processes and caches lines per filter.

    Args:
        filters: Applied in this order.
    """

    def __init__(self, filters: Sequence[LineFilter] = ()) -> None:
        super().__init__()
        self.filters = tuple(filters)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Apply all filters in order."""
        for line_filter in self.filters:
            segments = line_filter.apply(segments, background)
        return segments


class PrintableOnly(LineFilter):
    """Removes every character that a terminal might interpret, and every link.

    Notes in saves, file names and agents' messages are untrusted. Widgets may draw them unchanged,
    because no line reaches the terminal without this filter.
    """

    def apply(
        self,
        segments: list[Segment],
        background: Color,  # part of the interface
    ) -> list[Segment]:
        """Replace unprintable characters, keeping the width."""
        for text, style, _ in segments:  # every line of every repaint comes through here
            if not text.isprintable() or (style is not None and style.link is not None):
                break
        else:
            return segments
        return [
            Segment(
                _shown(text),
                style.update_link(None) if style is not None and style.link else style,
            )
            for text, style, _ in segments
        ]


@lru_cache(maxsize=1024)
def _shown(text: str) -> str:
    """The text with substitutes for unprintable characters, of the same width."""
    return "".join(
        character if character.isprintable() else SUBSTITUTE * cell_len(character)
        for character in text
    )
