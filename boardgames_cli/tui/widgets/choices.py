"""The numbered list of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from textual import events
from textual.message import Message

from boardgames_cli.core.text import Span, columns, justified, shortened
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.picture import SpanView, scroll_mark

_GAP = 2
_LEAST_WIDTH = 16
"""The smallest useful width of a choice in columns."""
_CHOICE, _REFUSAL = "c", "r"
"""The first characters of the actions of clicks; the index follows."""


@dataclass(frozen=True, slots=True)
class ListedChoice:
    """One thing to choose."""

    label: str
    note: str = ""
    """A note, such as its value in a hint."""
    mark: str = ""
    """Its own key; by default its number."""


Refusal = tuple[Any, str]
"""An illegal action that one might try, and the reason."""


def moved(index: int | None, by: int, count: int, columns: int = 1) -> int | None:
    """The index after moving down (or up) in columns; None if the list is empty.

    From nowhere (None) it moves to the first or the last item.
    """
    if not count:
        return None
    if index is None:
        return 0 if by > 0 else count - 1
    in_lines = index + by * columns
    return in_lines if 0 <= in_lines < count else (index + by) % count


class ChoiceList(SpanView):
    """Choices in columns, in reading order, then the refusals, one per line."""

    ELLIPSIS = "…"

    @dataclass
    class Chosen(Message):
        """A choice was clicked."""

        index: int

    @dataclass
    class Refused(Message):
        """A refusal was clicked."""

        refusal: Refusal

    def __init__(self, *, id: str | None = None, gap: int = _GAP) -> None:
        super().__init__(id=id)
        self._gap = gap
        self.choices: tuple[ListedChoice, ...] = ()
        self.refusals: tuple[Refusal, ...] = ()
        self.highlight: int | None = None
        self._marks: list[str] = []
        self._mark_width = 1
        self._natural_width = 1
        """Columns of the longest choice."""
        self._has_notes = False
        self._top = 0

    def show(
        self,
        choices: Sequence[ListedChoice],
        refusals: Sequence[Refusal],
        highlight: int | None,
        palette: Palette,
    ) -> None:
        """Show choices, scrolled so that the highlighted one is visible."""
        self.choices, self.refusals = tuple(choices), tuple(refusals)
        self._marks = [choice.mark or str(index) for index, choice in enumerate(choices, start=1)]
        self._mark_width = max(map(len, self._marks), default=1)
        self._natural_width = max(
            [columns(self._text(at)) for at in range(len(choices))], default=1
        )
        self._has_notes = any(choice.note for choice in choices)
        self.highlight = highlight
        self._scroll()
        self.redraw(palette)

    @property
    def columns(self) -> int:
        width = self.size.width
        return max(1, (width + self._gap) // (self._column_width + self._gap)) if width else 1

    def rows_in(self, width: int, more: int = 0) -> int:
        """The number of rows that the choices need at a width, with some more of them."""
        columns = max(1, (width + self._gap) // (self._natural_width + self._gap))
        return -(-(len(self.choices) + more) // columns)

    @property
    def _column_width(self) -> int:
        count, width, natural = len(self.choices), self.size.width, self._natural_width
        least = -(-count // max(1, self.size.height))
        shared = (width + self._gap) // max(1, least) - self._gap
        return min(natural, shared) if shared >= _LEAST_WIDTH and not self._has_notes else natural

    def _text(self, index: int) -> str:
        choice = self.choices[index]
        note = f"  {choice.note}" if choice.note else ""
        return f" {self._marks[index]:>{self._mark_width}}  {choice.label}{note} "

    @property
    def _last_top(self) -> int:
        rows = -(-len(self.choices) // self.columns)
        fits = rows + len(self.refusals) <= self.size.height
        return 0 if fits else max(0, rows - 1)

    def _scroll(self) -> None:
        if self.highlight is not None:
            row = self.highlight // self.columns
            self._top = min(max(self._top, row - self.size.height + 1), row)
        self._top = max(0, min(self._top, self._last_top))

    def on_resize(self) -> None:
        """Adapt the scroll position; the widget may already have been painted in the new size."""
        top = self._top
        self._scroll()
        if top != self._top:
            self.redraw()

    def spans(self, y: int) -> list[Span]:
        """The choices or the refusal in a line; their actions say which one it is."""
        columns, row = self.columns, y + self._top
        rows = -(-len(self.choices) // columns)
        if row < rows:
            spans: list[Span] = []
            width = self._column_width
            for place in range(row * columns, min((row + 1) * columns, len(self.choices))):
                spans += [Span(" " * self._gap if spans else ""), *self._choice(place, width)]
            return spans
        place = row - rows
        if not 0 <= place < len(self.refusals):
            return []
        width, rest = self.size.width, len(self.refusals) - place
        if y == self.size.height - 1 and rest > 1:
            return [Span(justified(f"    {rest} illegal: L shows why", width), "illegal")]
        action, reason = self.refusals[place]
        text = shortened(f" -  {action}  illegal: {reason}", width)
        return [Span(justified(text, width), "illegal", f"{_REFUSAL}{place}")]

    def _choice(self, place: int, width: int) -> list[Span]:
        action = f"{_CHOICE}{place}"
        text = justified(shortened(self._text(place).rstrip(), width), width)
        if place == self.highlight:
            return [Span(text, "highlight", action)]
        digits = self._mark_width + 2
        end = digits + 1 + len(self.choices[place].label)
        return [
            Span(text[:digits], "key", action),
            Span(text[digits:end], "", action),
            Span(text[end:], "hint", action),
        ]

    def continues(self, y: int) -> str:
        rows = -(-len(self.choices) // self.columns)
        return scroll_mark(y, self.size.height, self._top, rows)

    def clicked(self, action: str) -> None:
        place = int(action[1:])
        if action[0] == _CHOICE:
            self.post_message(self.Chosen(place))
        else:
            self.post_message(self.Refused(self.refusals[place]))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._top = max(0, self._top - 1)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._top = min(self._top + 1, self._last_top)
        self.redraw()


_LEAST_LABEL: Final = 6
"""The smallest useful width of a label in columns."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice with its value."""

    notation: str
    """The notation that a click reports."""
    label: str
    mark: str
    """A mark of at most two columns."""
    value: str
    """Its value, padded to the same width for all choices."""
    tail: str = ""
    """The rest of the line."""
    role: str = ""


def first_fitting(texts: Sequence[str], width: int) -> str:
    """The first of several ever shorter texts that fits; empty if none does."""
    return next((text for text in texts if columns(text) <= width), "")


def choice_lines(
    kinds: Sequence[str], rows: Sequence[ChoiceRow], chosen: int, width: int, room: int
) -> list[list[Span]]:
    """A heading, with the longest kind of values that fits, and a line for each choice."""
    kind = first_fitting(kinds, width - len("Choices  "))
    lines = [[Span("Choices", "title"), Span(f"  {kind}", "muted")]]
    room = min(max(columns(row.label) for row in rows), max(_LEAST_LABEL, room))
    for at, row in enumerate(rows):
        label = f"{justified(shortened(row.label, room), room)} {row.mark:<2}"
        lines.append(
            [
                Span("> " if at == chosen else "  ", "key"),
                Span(label, f"{row.role} chosen" if at == chosen else row.role, row.notation),
                Span(row.value, row.role),
                Span(row.tail, row.role),
            ]
        )
    return lines
