"""One-line widgets: the title, the estimate, the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardgames_cli.core.styles import DARK
from boardgames_cli.core.text import columns
from boardgames_cli.tui.theme import Palette


@dataclass(frozen=True, slots=True)
class Piece:
    """Text with a role and an optional action for clicks."""

    text: str
    role: str = ""
    action: str = ""


class Bar(Widget):
    """A line with pieces on the left and right; the left ones have priority."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._left: tuple[Piece, ...] = ()
        self._right: tuple[Piece, ...] = ()
        self._palette = Palette(DARK)

    def show(self, left: Sequence[Piece], right: Sequence[Piece], palette: Palette) -> None:
        """Show other pieces."""
        shown = (tuple(left), tuple(right), palette)
        if shown != (self._left, self._right, self._palette):
            self._left, self._right, self._palette = shown
            self.refresh()

    @property
    def text(self) -> str:
        """The text of the bar."""
        return "".join(piece.text for piece in (*self._left, *self._right))

    def _placed(self) -> list[tuple[int, Piece]]:
        width = self.size.width
        placed, column = [], 1
        for piece in self._left:
            placed.append((column, piece))
            column += columns(piece.text)
        right = list(self._right)
        # If space is short, pieces of the right part are dropped, the first one first.
        while right and column + 1 + sum(columns(piece.text) for piece in right) + 1 > width:
            right.pop(0)
        column = width - 1 - sum(columns(piece.text) for piece in right)
        for piece in right:
            placed.append((column, piece))
            column += columns(piece.text)
        return placed

    def render_line(self, y: int) -> Strip:
        """The line; what is too long ends in an ellipsis."""
        base, width = self.rich_style, self.size.width
        if y or width < 3:
            return Strip.blank(width, base)
        segments, column = [], 0
        for left, piece in self._placed():
            if left > column:
                segments.append(Segment(" " * (left - column), base))
            segments.append(Segment(piece.text, base + self._palette.style(piece.role)))
            column = left + columns(piece.text)
        strip = Strip(segments)
        if strip.cell_length > width:
            strip = Strip([*strip.crop(0, width - 2), Segment("… ", base)])
        return strip.adjust_cell_length(width, base)

    async def on_click(self, event: events.Click) -> None:
        """React to a click."""
        for left, piece in self._placed():
            if piece.action and left <= event.x < left + columns(piece.text):
                await self.app.run_action(piece.action, default_namespace=self.screen)


class ProgressBar(Bar):
    """A line that reports the position of clicks."""

    @dataclass
    class Clicked(Message):
        """It was clicked."""

        column: int

    async def on_click(self, event: events.Click) -> None:
        """Say where."""
        self.post_message(self.Clicked(event.x))


class KeyBar(Bar):
    """The most important keys, at most eight, each with a label; they can be clicked."""

    MOST = 8
    KEPT = "screen.leave"
    """The action whose key is always shown."""

    def show_keys(self, keys: Sequence[tuple[str, str, str]], palette: Palette) -> None:
        """Show as many (key, label, action) as fit, and always the one for leaving."""
        pieces: list[Piece] = []
        keys = [(self._key_now(action) or key, word, action) for key, word, action in keys]
        kept = [key for key in keys if key[2] == self.KEPT]
        room = self.size.width - 2
        reserved = sum(len(key) + len(word) + 3 for key, word, _ in kept)
        for key, word, action in keys[: self.MOST]:
            length = len(key) + len(word) + 3
            if action == self.KEPT:
                reserved -= length
            elif length - 2 > room - reserved:
                continue
            room -= length
            gap = [Piece("  ")] if pieces else []  # only between keys
            pieces += [*gap, Piece(key, "key", action), Piece(f" {word}", "", action)]
        self.show(pieces, (), palette)

    def _key_now(self, action: str) -> str:
        """The user's custom key for an action; empty if there is none."""
        keymap: Mapping[str, str] = getattr(self.app, "keymap", {})
        if not keymap:
            return ""
        from boardgames_cli.tui.keyboard import key_now

        return key_now(keymap, (binding for _, binding in self.screen._bindings), action)


def gauge(share: float, cells: int, is_plain: bool) -> tuple[str, str]:
    """The full and the empty part of a bar with a number of cells."""
    full = round(max(0.0, min(1.0, share)) * cells)
    signs = ("#", "-") if is_plain else ("━", "━")
    return signs[0] * full, signs[1] * (cells - full)
