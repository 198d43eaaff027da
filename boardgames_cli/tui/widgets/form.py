"""The widget for the menu's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardgames_cli.core.styles import DARK
from boardgames_cli.core.text import columns, justified, shortened
from boardgames_cli.tui.form import OTHER, Field
from boardgames_cli.tui.theme import Palette

_LABEL = 11


class FormView(Widget):
    """One line per field: its label, and its choices with the selected one highlighted."""

    ALLOW_SELECT = False

    @dataclass
    class Picked(Message):
        """A field was clicked, and perhaps one of its choices (empty if none)."""

        index: int
        choice: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.fields: Sequence[Field] = ()
        self.index = 0
        self.is_typing = False
        self._palette = Palette(DARK)
        self._top = 0

    def show(
        self, fields: Sequence[Field], index: int, palette: Palette, is_typing: bool = False
    ) -> None:
        """Show fields, one under the cursor and possibly open for typing."""
        self.fields, self.index, self._palette = fields, index, palette
        self.is_typing = is_typing
        self._scroll()
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._scroll()

    def _scroll(self) -> None:
        height = max(1, self.size.height)
        self._top = min(max(self._top, self.index - height + 1), self.index)
        self._top = max(0, min(self._top, len(self.fields) - height))

    def _pieces(self, index: int) -> list[tuple[str, str, str]]:
        """The line of a field as (text, role, choice)."""
        field = self.fields[index]
        is_here = index == self.index
        pieces = [
            ("▸ " if is_here else "  ", "key", ""),
            (
                justified(shortened(field.label, _LABEL), _LABEL),
                "title" if is_here else "muted",
                "",
            ),
        ]
        is_open = is_here and self.is_typing
        if field.low is not None and not is_open:
            role = "highlight" if is_here else "chosen"
            pieces += [("‹", "key", ""), (f" {field.value} ", role, ""), ("›", "key", "")]
        elif field.takes_text:
            cursor = "_" if is_open else ""
            text = field.value if field.value or cursor else "-"
            pieces.append((f" {text}{cursor} ", "highlight" if is_here else "card", ""))
        else:
            pieces += self._choices(field, is_here)
        if field.problem:
            pieces.append((f"  {field.problem}", "bad", ""))
        return pieces

    def _choices(self, field: Field, is_here: bool) -> list[tuple[str, str, str]]:
        chosen = "highlight" if is_here else "chosen"
        values = [*field.choices, *([OTHER] if field.is_open else [])]
        room = self.size.width - _LABEL - 4
        if sum(len(value) + 2 for value in values) <= room:
            return [
                (f" {value} ", chosen if value == field.value else "", value) for value in values
            ]
        place = values.index(field.value) + 1 if field.value in values else 0
        return [
            ("‹", "key", ""),
            (f" {field.value} ", chosen, ""),
            ("›", "key", ""),
            (f"  {place} of {len(values)}", "muted", ""),
        ]

    def render_line(self, y: int) -> Strip:
        """One field."""
        base, width = self.rich_style, self.size.width
        index = y + self._top
        if not 0 <= index < len(self.fields):
            return Strip.blank(width, base)
        segments = [
            Segment(text, base + self._palette.style(role)) for text, role, _ in self._pieces(index)
        ]
        strip = Strip(segments)
        if strip.cell_length > width:
            strip = Strip([*strip.crop(0, width - 1), Segment("…", base)])
        return strip.adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Pick the field, and the choice under the mouse."""
        index = event.y + self._top
        if not 0 <= index < len(self.fields):
            return
        column = 0
        for text, _, choice in self._pieces(index):
            if column <= event.x < column + columns(text):
                self.post_message(self.Picked(index, choice))
                return
            column += columns(text)
        self.post_message(self.Picked(index, ""))
