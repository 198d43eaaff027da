"""The widget that draws pictures: boards, sidebars, legends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardgames_cli.core.styles import DARK
from boardgames_cli.core.text import Picture, Span, columns
from boardgames_cli.tui.theme import Palette

_NOTHING = Picture(())


class PictureView(Widget):
    """Draws a `Picture`, and reports which action a click means.

    One widget draws it line by line: a widget for every cell would be fifteen times slower.

    Args:
        centred: Whether the picture is centred.
    """

    ALLOW_SELECT = False

    @dataclass
    class Clicked(Message):
        """A span with an action was clicked."""

        notation: str

    @dataclass
    class Pointed(Message):
        """The mouse moved onto a span with an action, or away from one (empty)."""

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
        self.auto_links = False
        self.picture = _NOTHING
        self._palette = Palette(DARK)
        self._is_centred = centred
        self._pointed = ""
        self._strips: dict[int, Strip] = {}
        self._looks: dict[str, Style] = {}

    def show(self, picture: Picture, palette: Palette) -> None:
        """Draw another picture."""
        resized = (picture.width, picture.height) != (self.picture.width, self.picture.height)
        if picture == self.picture and palette is self._palette:
            return
        if palette is not self._palette:
            self._looks.clear()
        self.picture = picture
        self._palette = palette
        self._strips.clear()
        # A centred picture has a fixed size; the others take the size of their content.
        self.refresh(layout=resized and not self._is_centred)

    def on_resize(self) -> None:
        """Report the new size."""
        self.post_message(self.Resized())

    def notify_style_update(self) -> None:
        """Drop cached lines and styles with the old background."""
        self._strips.clear()
        self._looks.clear()
        super().notify_style_update()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the picture."""
        return self.picture.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the picture."""
        return self.picture.height

    @property
    def _corner(self) -> tuple[int, int]:
        if not self._is_centred:
            return 0, 0
        width, height = self.size
        return max(0, (width - self.picture.width) // 2), max(
            0, (height - self.picture.height) // 2
        )

    def render_line(self, y: int) -> Strip:
        """One line of the picture in the colours of the theme."""
        left, top = self._corner
        base, width = self.rich_style, self.size.width
        if not 0 <= y - top < self.picture.height:
            return Strip.blank(width, base)
        if y - top not in self._strips:
            self._strips[y - top] = self._strip(self.picture.lines[y - top], base)
        return Strip.join([Strip.blank(left, base), self._strips[y - top]]).adjust_cell_length(
            width, base
        )

    def _strip(self, spans: Sequence[Span], base: Style) -> Strip:
        segments: list[Segment] = []
        for span in spans:
            if not span.text:
                continue
            look = self._looks.get(span.role)
            if look is None:
                look = self._looks[span.role] = base + self._palette.style(span.role)
            if look.underline:
                segments += underlined_text(span.text, look)
            else:
                segments.append(Segment(span.text, look))
        return Strip(segments)

    def span_at(self, x: int, y: int) -> Span | None:
        """The span at a position in the widget."""
        left, top = self._corner
        if not 0 <= y - top < self.picture.height:
            return None
        column = left
        for span in self.picture.lines[y - top]:
            if column <= x < column + columns(span.text):
                return span
            column += columns(span.text)
        return None

    def on_click(self, event: events.Click) -> None:
        """React to a click."""
        span = self.span_at(event.x, event.y)
        if span is not None and span.action:
            event.stop()
            self.post_message(self.Clicked(span.action))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse."""
        span = self.span_at(event.x, event.y)
        self._point(span.action if span is not None else "")

    def on_leave(self, event: events.Leave) -> None:
        """The mouse is gone."""
        self._point("")

    def _point(self, notation: str) -> None:
        if notation != self._pointed:
            self._pointed = notation
            self.post_message(self.Pointed(notation))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel was turned back."""
        if self._is_centred:
            event.stop()
            self.post_message(self.Wheel(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel was turned forward."""
        if self._is_centred:
            event.stop()
            self.post_message(self.Wheel(1))


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
