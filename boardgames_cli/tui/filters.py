"""The last thing that happens to a line before the terminal gets it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from boardgames_cli.terminal.streams import SUBSTITUTE


class Chain(LineFilter):
    """Several filters as one: Textual cuts, keeps and looks up every line once for each filter.

    Args:
        filters: Applied in this order.
    """

    def __init__(self, filters: Sequence[LineFilter] = ()) -> None:
        super().__init__()
        self.filters = tuple(filters)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """What the last filter makes of what the others have made."""
        for line_filter in self.filters:
            segments = line_filter.apply(segments, background)
        return segments


class PrintableOnly(LineFilter):
    """Takes out every character that a terminal might obey, and every link.

    Notes in saves, names of files and what agents say come from others. The widgets may draw them
    as they are: no line reaches the terminal without this filter.
    """

    def apply(
        self,
        segments: list[Segment],
        background: Color,  # what every filter is given
    ) -> list[Segment]:
        """The same texts, of the same widths, with nothing to obey in them."""
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
    """The text, as many cells wide, with signs in the place of what can't be printed."""
    return "".join(
        character if character.isprintable() else SUBSTITUTE * cell_len(character)
        for character in text
    )
