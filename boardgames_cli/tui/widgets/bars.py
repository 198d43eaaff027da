"""One-line widgets: the title, the estimate, the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardgames_cli.core.text import Span, columns
from boardgames_cli.tui.keys import key_now
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.picture import SpanView

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
        keys = [(self._key_now(action) or key, word, action) for key, word, action in keys]
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

    def _key_now(self, action: str) -> str:
        """The user's custom key for an action; empty if there is none."""
        keymap: Mapping[str, str] = getattr(self.app, "keymap", {})
        return key_now(keymap, self.screen._bindings, action) if keymap else ""


def gauge(share: float, cells: int, is_plain: bool) -> tuple[str, str]:
    """The full and the empty part of a bar with a number of cells."""
    full = round(max(0.0, min(1.0, share)) * cells)
    signs = ("#", "-") if is_plain else ("━", "━")
    return signs[0] * full, signs[1] * (cells - full)
