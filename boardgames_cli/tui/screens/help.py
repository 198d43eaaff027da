"""Keys, rules and legend of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import ContentSwitcher, Markdown

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Picture, Span, columns, wrapped
from boardgames_cli.registry import spec_of
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Dialog, HelpTopic
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView

_TABS = ("keys", "rules", "legend")
_KEY_WIDTH = 18
_AROUND = 5
"""The columns of a page's padding and scroll bar."""


def folded(lines: Iterable[Sequence[Span]], width: int) -> Picture:
    """Lines whose last span goes on below its own beginning, where they are too wide."""
    shown: list[list[Span]] = []
    for line in filter(None, lines):
        if sum(columns(one.text) for one in line) <= width:
            shown.append([*line])
            continue
        *first, last = line
        text = last.text.lstrip()
        left = sum(columns(one.text) for one in first) + len(last.text) - len(text)
        margin = Span(" " * (len(last.text) - len(text)), last.role)
        for part in wrapped(text, max(LEAST_ROOM, width - left)) or [""]:
            shown.append([*first, margin, replace(last, text=part)])
            first, margin = [], Span(" " * left)
    return Picture.of(shown)


class HelpScreen(Dialog):
    """Three pages: keys, rules, legend."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "help",
        ("1", "page('keys')", "keys", "keys"),
        ("2", "page('rules')", "rules", "rules"),
        ("3", "page('legend')", "legend", "legend"),
        ("right,tab", "turn(1)", "next page", "next"),
        ("left,shift+tab", "turn(-1)", "page before", "previous"),
        ("up,k", "scroll(-1)", "up", "up"),
        ("down,j", "scroll(1)", "down", "down"),
        ("pageup,b", "scroll(-12)", "page up", "pageup"),
        ("pagedown,space", "scroll(12)", "page down", "pagedown"),
        ("home", "scroll(-9999)", "first line", "first"),
        ("end", "scroll(9999)", "last line", "last"),
        ("escape,q,enter,question_mark,f1", "close", "close", "close"),
    )

    def __init__(
        self, keys: Iterable[tuple[str, str]], topic: HelpTopic, page: str = "keys"
    ) -> None:
        super().__init__()
        self.keys = (*keys, *(("", text) for text in topic.details))
        self._topic = topic
        self._spec = spec_of(topic.game)
        self._palette = topic.palette
        self._page = page

    def compose(self) -> ComposeResult:
        with Vertical(id="help"):
            yield Bar(id="tabs")
            with ContentSwitcher(initial=self._page):
                with VerticalScroll(id="keys", can_focus=False):
                    yield PictureView(id="key-table")
                with VerticalScroll(id="rules", can_focus=False):
                    yield Markdown(self._rules(), open_links=False)
                with VerticalScroll(id="legend", can_focus=False):
                    yield PictureView(id="legend-picture")
            yield KeyBar(id="help-keys")

    def on_mount(self) -> None:
        self.action_page(self._page)

    @on(PictureView.Resized)
    def _fill(self) -> None:
        width = self.query_one("#tabs", Bar).size.width - _AROUND
        keys = [[Span(f"  {key:>{_KEY_WIDTH}}  ", "key"), Span(text)] for key, text in self.keys]
        self.query_one("#key-table", PictureView).show(folded(keys, width), self._palette)
        legend = self._spec.make_view(self._topic.game).legend(self._topic.glyphs)
        picture = folded(legend.lines, width)
        self.query_one("#legend-picture", PictureView).show(picture, self._palette)

    def _rules(self) -> str:
        try:
            return self._spec.rules_text()
        except GameError as error:  # a plug-in may have none
            return error.message

    def on_resize(self) -> None:
        keys = [
            ("1 2 3", "pages", "screen.turn(1)"),
            ("↑↓", "scroll", "screen.scroll(1)"),
            ("esc", "close", "screen.close"),
        ]
        bar = self.query_one("#help-keys", KeyBar)
        bar.call_after_refresh(bar.show_keys, keys, self._palette)

    def action_page(self, page: str) -> None:
        self.query_one(ContentSwitcher).current = page
        tabs = [Span(f"{self._spec.info.name}   ", "title")]
        for number, name in enumerate(_TABS, start=1):
            role = "highlight" if name == page else ""
            tabs.append(Span(f" {number} {name.capitalize()} ", role, f"screen.page('{name}')"))
            tabs.append(Span(" "))
        self.query_one("#tabs", Bar).show(tabs, (), self._palette)

    def action_turn(self, by: int) -> None:
        current = self.query_one(ContentSwitcher).current or _TABS[0]
        self.action_page(_TABS[(_TABS.index(current) + by) % len(_TABS)])

    def action_scroll(self, lines: int) -> None:
        current = self.query_one(ContentSwitcher).current
        page = self.query_one(f"#{current}", VerticalScroll)
        page.scroll_relative(y=lines, animate=False)
