"""What has happened in the game, newest last."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from boardgames_cli.session.game_log import LogLine
from boardgames_cli.tui.theme import DARK, Palette


class LogPane(ScrollView):
    """Sentences, wrapped to the width of the pane; a click goes to the moment of a sentence."""

    ALLOW_SELECT = False
    can_focus = False

    @dataclass
    class Picked(Message):
        """A sentence was clicked."""

        ply: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: tuple[LogLine, ...] = ()
        self._rows: list[tuple[str, LogLine]] = []
        self._ends: list[int] = []
        """For each line the number of rows up to its end."""
        self._width = 0
        """The columns for which it was wrapped."""
        self._palette = Palette(DARK)

    def show(self, lines: Sequence[LogLine], palette: Palette) -> None:
        """Show these sentences."""
        lines = tuple(lines)
        self._palette = palette
        known = min(len(lines), len(self._ends))
        self._keep(known if lines[:known] == self._lines[:known] else 0)
        self._lines = lines
        self._wrap()
        self.refresh()

    def _keep(self, count: int) -> None:
        """Forget how all but the first lines are wrapped."""
        del self._ends[count:]
        del self._rows[self._ends[-1] if self._ends else 0 :]

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width < 1:
            return
        if width != self._width:
            self._keep(0)
            self._width = width
        for line in self._lines[len(self._ends) :]:
            wrapped = textwrap.wrap(line.text, width, subsequent_indent="  ") or [""]
            self._rows += [(text, line) for text in wrapped]
            self._ends.append(len(self._rows))
        self.virtual_size = Size(width, len(self._rows))
        self.call_after_refresh(self.scroll_end, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the new size."""
        self._wrap()

    def render_line(self, y: int) -> Strip:
        """One wrapped line; those that are not of the last step are quieter."""
        base, width = self.rich_style, self.size.width
        row = y + self.scroll_offset.y
        if not 0 <= row < len(self._rows):
            return Strip.blank(width, base)
        text, line = self._rows[row]
        role = f"seat.{line.seat}" if line.seat is not None else "muted"
        is_last = line.ply == self._lines[-1].ply
        style = base + self._palette.style(role) + Style(bold=is_last)
        return Strip([Segment(text, style)]).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """React to a click."""
        row = event.y + self.scroll_offset.y
        if 0 <= row < len(self._rows):
            self.post_message(self.Picked(self._rows[row][1].ply))
