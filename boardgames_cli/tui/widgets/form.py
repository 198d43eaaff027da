"""The widget for a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from boardgames_cli.core.text import Span, columns, justified, shortened
from boardgames_cli.tui.form import OTHER, Field
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.picture import SpanView, scroll_mark

_LABEL = 11
_ARROWS = {"‹": -1, "›": 1}


class FormView(SpanView):
    """One line per field: its label, and its choices with the selected one highlighted."""

    ELLIPSIS = "…"

    @dataclass
    class Picked(Message):
        """A field was clicked, and perhaps one of its choices (empty if none) or its arrows."""

        index: int
        choice: str
        by: int = 0

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.fields: Sequence[Field] = ()
        self.index = 0
        self._top = 0

    def show(self, fields: Sequence[Field], index: int, palette: Palette) -> None:
        self.fields, self.index = fields, index
        self._scroll()
        self.redraw(palette)

    def on_resize(self) -> None:
        self._scroll()

    def _scroll(self) -> None:
        height = max(1, self.size.height)
        top = min(max(self._top, self.index - height + 1), self.index)
        self._top = max(0, min(top, len(self.fields) - height))

    def continues(self, y: int) -> str:
        return scroll_mark(y, self.size.height, self._top, len(self.fields))

    def spans(self, y: int) -> list[Span]:
        """The line of a field; a choice is the action of its span."""
        index = y + self._top
        if not 0 <= index < len(self.fields):
            return []
        field = self.fields[index]
        is_here = index == self.index
        label = justified(shortened(field.label, _LABEL), _LABEL)
        spans = [
            Span("▸ " if is_here else "  ", "key"),
            Span(label, "title" if is_here else "muted"),
        ]
        if field.is_fold:
            sign = "+ more" if field.is_shut else "- less"
            spans[1:] = [Span(sign, "title" if is_here else "key", "›")]
        elif field.low is not None:
            spans += _between_arrows(field.value, "highlight" if is_here else "chosen")
        elif field.takes_text:
            spans.append(Span(f" {field.value or '-'} ", "highlight" if is_here else "card"))
        else:
            spans += self._choices(field, is_here)
        if field.problem:
            spans.append(Span(f"  {field.problem}", "bad"))
        return spans

    def _choices(self, field: Field, is_here: bool) -> list[Span]:
        chosen = "highlight" if is_here else "chosen"
        values = [*field.choices, *([OTHER] if field.is_open else [])]
        room = self.size.width - _LABEL - 4
        if sum(columns(value) + 2 for value in values) <= room:
            return [
                Span(f" {value} ", chosen if value == field.value else "", value)
                for value in values
            ]
        place = values.index(field.value) + 1 if field.value in values else 0
        count = Span(f"  {place} of {len(values)}", "muted")
        return [*_between_arrows(field.value, chosen), count]

    def on_click(self, event: events.Click) -> None:
        index = event.y + self._top
        if index < len(self.fields):
            span = self.span_at(event.x, event.y)
            choice = "" if span is None else span.action
            by = _ARROWS.get(choice, 0)
            self.post_message(self.Picked(index, "" if by else choice, by))


def _between_arrows(value: str, role: str) -> list[Span]:
    left, right = (Span(sign, "key", sign) for sign in _ARROWS)
    return [left, Span(f" {value} ", role), right]
