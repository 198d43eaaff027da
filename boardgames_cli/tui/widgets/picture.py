"""The widgets that draw spans: boards, sidebars, one-line bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.text import Picture, Span, columns, wrapped
from boardgames_cli.tui.keys import bindings_now, key_sign
from boardgames_cli.tui.theme import Palette

_NOTHING = Picture(())
_TEXT = attrgetter("text")


class SpanView(Widget):
    """Draws lines of spans in the colours of a palette, and finds the span under the mouse.

    One widget draws line by line: a widget for every span would be fifteen times slower.
    """

    ELLIPSIS: ClassVar[str] = ""
    """The end of a line that is too long."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.auto_links = False
        self.palette = Palette(DARK)
        self._strips: dict[int, Strip] = {}
        self._looks: dict[str, Style] = {}

    def spans(self, y: int) -> Sequence[Span]:
        """The spans of a line of the widget, from its left edge."""
        raise NotImplementedError

    def redraw(self, palette: Palette | None = None, *, layout: bool = False) -> None:
        """Draw again, perhaps in another palette or with another size of the content."""
        if palette is not None and palette is not self.palette:
            self.palette = palette
            self._looks.clear()
        self._strips.clear()
        self.refresh(layout=layout)

    def continues(self, y: int) -> str:
        """The mark at the end of a line beyond which a list goes on: an arrow, or empty."""
        return ""

    def clicked(self, action: str) -> None:
        """A span with an action was clicked."""

    def on_resize(self) -> None:
        self._strips.clear()

    def notify_style_update(self) -> None:
        self._strips.clear()
        self._looks.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """One line; what is too long ends in an ellipsis."""
        width = self.size.width
        strip = self._strips.get(y)
        if strip is None or strip.cell_length != width:
            strip = self._strip(self.spans(y), width)
            mark = self.continues(y)
            if mark and width > 1:
                arrow = Segment(mark, self.rich_style + self.palette.style("key"))
                strip = Strip([*strip.crop(0, width - 1), arrow])
            self._strips[y] = strip
        return strip

    def _strip(self, spans: Sequence[Span], width: int) -> Strip:
        base = self.rich_style
        segments: list[Segment] = []
        for span in spans:
            look = self._looks.get(span.role)
            if look is None:
                look = self._looks[span.role] = base + self.palette.style(span.role)
            if look.underline:
                segments += underlined_text(span.text, look)
            else:
                segments.append(Segment(span.text, look))
        strip, end = Strip(segments), self.ELLIPSIS
        if end and strip.cell_length > width >= len(end):
            strip = Strip([*strip.crop(0, width - len(end)), Segment(end, base)])
        return strip.adjust_cell_length(width, base)

    def span_at(self, x: int, y: int) -> Span | None:
        """The span at a position in the widget."""
        column = 0
        for span in self.spans(y):
            if column <= x < column + columns(span.text):
                return span
            column += columns(span.text)
        return None

    def on_click(self, event: events.Click) -> None:
        span = self.span_at(event.x, event.y)
        if span is not None and span.action:
            event.stop()
            self.clicked(span.action)


class PictureView(SpanView):
    """Draws a `Picture`, and reports which action a click means."""

    @dataclass
    class Clicked(Message):
        """A span with an action was clicked."""

        notation: str

    @dataclass
    class Wheel(Message):
        """The mouse wheel was turned: back (-1) or forward (1)."""

        direction: int

    class Resized(Message):
        """The size of the widget has changed."""

    def __init__(
        self, *, centred: bool = False, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.picture = _NOTHING
        self._is_centred = centred

    def show(self, picture: Picture, palette: Palette) -> None:
        resized = (picture.width, picture.height) != (self.picture.width, self.picture.height)
        if picture == self.picture and palette is self.palette:
            return
        self.picture = picture
        # A centred picture has a fixed size; the others take the size of their content.
        self.redraw(palette, layout=resized and not self._is_centred)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.picture.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.picture.height

    def spans(self, y: int) -> Sequence[Span]:
        lines, left, top = self.picture.lines, 0, 0
        if self._is_centred:
            left = max(0, (self.size.width - self.picture.width) // 2)
            top = max(0, (self.size.height - len(lines)) // 2)
        if not 0 <= y - top < len(lines):
            return ()
        return (*[Span(" " * left)] * (left > 0), *filter(_TEXT, lines[y - top]))

    def clicked(self, action: str) -> None:
        self.post_message(self.Clicked(action))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        if self._is_centred:
            event.stop()
            self.post_message(self.Wheel(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        if self._is_centred:
            event.stop()
            self.post_message(self.Wheel(1))


def scroll_mark(y: int, height: int, top: int, count: int) -> str:
    """The arrow in a line of a scrolled list beyond which it goes on; empty in the other lines."""
    if y == 0 and top > 0:
        return "↑"
    return "↓" if y == height - 1 and top + y + 1 < count else ""


def underlined_text(text: str, style: Style) -> list[Segment]:
    """Text in a style, without underlining surrounding spaces."""
    inner = text.strip(" ")
    if not style.underline or inner == text:
        return [Segment(text, style)]
    left = len(text) - len(text.lstrip(" "))
    bare = style + Style(underline=False)
    parts = [
        (text[:left], bare),
        (inner, style),
        (text[left + len(inner) :], bare),
    ]
    return [Segment(part, own) for part, own in parts if part]


MORE: Final = "   i shows more"
"""The end of a page of a longer text."""


class ReasonView(PictureView):
    """A sentence such as the reason for a better choice, in a constant number of lines.

    What does not fit follows on further pages; a click turns them, too.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text, self._rows, self._role, self._page = "", 1, "muted", 0

    def show_text(self, text: str, rows: int, palette: Palette, role: str = "muted") -> None:
        """Show a text; another one than before is shown from its beginning."""
        if text != self._text:
            self._page = 0
        self._text, self._rows, self._role = text, rows, role
        width = max(20, self.app.size.width - 2)
        lines = wrapped(text, width)
        if len(lines) > rows:
            lines = wrapped(text, width - len(MORE))
            first = self._page % -(-len(lines) // rows) * rows
            lines = lines[first : first + rows]
            lines[-1] += MORE
        lines += [""] * (rows - len(lines))
        self.show(Picture.of([[Span(f" {line}", role)] for line in lines]), palette)

    def turn(self) -> None:
        """Show what follows, after the last page the first."""
        self._page += 1
        self.show_text(self._text, self._rows, self.palette, self._role)

    def on_click(self, event: events.Click) -> None:
        self.turn()


Sides = tuple[Sequence[Span], Sequence[Span]]
"""The spans on the left and on the right of a bar; their actions are those of Textual."""


class Bar(SpanView):
    """A line with spans on the left and right; the left ones have priority."""

    ELLIPSIS = "… "

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._sides: Sides = ((), ())

    def show(self, left: Sequence[Span], right: Sequence[Span], palette: Palette) -> None:
        sides = (tuple(left), tuple(right))
        if (sides, palette) != (self._sides, self.palette):
            self._sides = sides
            self.redraw(palette)

    @property
    def text(self) -> str:
        left, right = self._sides
        return "".join(span.text for span in (*left, *right))

    def spans(self, y: int) -> Sequence[Span]:
        """The line; if space is short, spans of the right part are dropped, the first one first."""
        left, right = self._sides
        room = self.size.width - 2 - sum([columns(span.text) for span in left])
        needed = sum([columns(span.text) for span in right])
        while right and needed >= room:
            needed -= columns(right[0].text)
            right = right[1:]
        if y or not (left or right):
            return ()
        gap = (Span(" " * (room - needed)),) if right else ()
        return (Span(" "), *left, *gap, *right)

    def clicked(self, action: str) -> None:
        self.call_later(self.app.run_action, action, self.screen)


class KeyBar(Bar):
    """The most important keys, at most eight, each with a label; they can be clicked."""

    MOST = 8
    KEPT = "screen.leave"
    """The action whose key is always shown."""

    def show_keys(self, keys: Sequence[tuple[str, str, str]], palette: Palette) -> None:
        """Show as many (key, label, action) as fit, and always the one for leaving."""
        spans: list[Span] = []
        keymap = self.app._keymap
        now = bindings_now(self.screen)[::-1] if keymap else ()  # of several keys the first counts
        own = {f"screen.{one.action}": key_sign(one.key) for one in now if one.id in keymap}
        keys = [(own.get(action, key), word, action) for key, word, action in keys]
        kept = [key for key in keys if key[2] == self.KEPT]
        others = [key for key in keys if key not in kept][: self.MOST - len(kept)]
        room = self.size.width - 2
        reserved = sum(len(key) + len(word) + 3 for key, word, _ in kept)
        for key, word, action in (one for one in keys if one in kept or one in others):
            length = len(key) + len(word) + 3
            if action == self.KEPT:
                reserved -= length
            elif length - 2 > room - reserved:
                continue
            room -= length
            gap = [Span("  ")] if spans else []  # only between keys
            spans += [*gap, Span(key, "key", action), Span(f" {word}", "", action)]
        self.show(spans, (), palette)


def gauge(share: float, cells: int, is_plain: bool) -> tuple[str, str]:
    """The full and the empty part of a bar with a number of cells."""
    full = round(max(0.0, min(1.0, share)) * cells)
    signs = ("#", "-") if is_plain else ("━", "━")
    return signs[0] * full, signs[1] * (cells - full)
