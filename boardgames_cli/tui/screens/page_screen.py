"""Pages of the home screen: text that is scrolled, and the ladder of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from boardgames_cli.core.home_page import Opponent
from boardgames_cli.core.text import Picture, Span, wrapped
from boardgames_cli.evaluation.milestones import Climb
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Frame
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.bars import Bar, KeyBar
from boardgames_cli.tui.widgets.picture import PictureView

PageLines = Sequence[Sequence[Span]]
_READ = [("↑↓", "read", "screen.move(1)"), ("q", "back", "screen.leave")]


class PageScreen(Frame):
    """A page of text over the home screen.

    Args:
        title: Its title.
        draw: The lines for a number of columns.
        keys: Key, label and action of what can be done.
    """

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = "#page-scroll"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "page",
        ("up", "move(-1)", "line above", "up"),
        ("down", "move(1)", "line below", "down"),
        ("escape,q", "leave", "go back", "leave"),
    )

    def __init__(
        self,
        title: str,
        draw: Callable[[int], PageLines],
        keys: Sequence[tuple[str, str, str]] = _READ,
    ) -> None:
        super().__init__()
        self._heading = title
        self._draw = draw
        self._keys = keys

    def body(self) -> ComposeResult:
        """The title, the page, the keys."""
        yield Bar(id="title")
        with VerticalScroll(id="page-scroll"):
            yield PictureView(id="page")
        yield Bar(id="message")
        yield KeyBar(id="keys")

    def redraw(self) -> None:
        """Draw the page for the present size."""
        if not self.is_mounted:
            return
        palette = Palette(self.app.theme)
        room = max(LEAST_ROOM, self.query_one("#page-scroll").scrollable_content_region.width)
        self.query_one("#title", Bar).show([Span(self._heading, "title")], (), palette)
        self.query_one("#page", PictureView).show(Picture.of(self._draw(room)), palette)
        self.query_one("#message", Bar).show(
            [Span(self.message)] if self.message else (), (), palette
        )
        self.query_one(KeyBar).show_keys(self._keys, palette)

    def action_move(self, by: int) -> None:
        """Scroll."""
        self.query_one("#page-scroll").scroll_relative(y=by, animate=False)


class LadderScreen(PageScreen):
    """The opponents of a game's ladder; the next one is marked, and enter plays it.

    Args:
        title: The title.
        climb: How far the person has come.
        play: Starts a game against an opponent.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "ladder", ("enter,space", "play", "play the marked opponent", "play")
    )

    def __init__(self, title: str, climb: Climb, play: Callable[[Opponent], None]) -> None:
        keys = [
            ("enter", "play", "screen.play"),
            ("↑↓", "opponent", "screen.move(1)"),
            ("q", "back", "screen.leave"),
        ]
        super().__init__(title, self._lines, keys)
        self._climb = climb
        self._play = play
        self._cursor = min(climb.beaten, len(climb.ladder.opponents) - 1)
        self._end = 0
        """The number of lines up to the marked opponent and with it."""

    def _lines(self, width: int) -> PageLines:
        climb = self._climb
        lines = [[Span(line, "muted")] for line in wrapped(climb.rule, width)]
        for place, one in enumerate(climb.ladder.opponents):
            is_marked, click = place == self._cursor, str(place)
            mark = "▸ " if is_marked else "  "
            state = climb.state(place)
            lines += [
                [],
                [
                    Span(f"{mark}{place + 1}  ", "key", click),
                    Span(one.name, "chosen" if is_marked else "title", click),
                    Span(f"  rating {one.rating:+d}", "muted", click),
                    Span(f"  {state}", "good" if place < climb.beaten else "", click),
                ],
                *([Span(f"     {line}", "", click)] for line in wrapped(one.style, width - 6)),
            ]
            if is_marked:
                self._end = len(lines)
        return lines

    def action_move(self, by: int) -> None:
        """Mark another opponent."""
        self._cursor = (self._cursor + by) % len(self._climb.ladder.opponents)
        self.redraw()
        scroll = self.query_one("#page-scroll")
        scroll.scroll_to(y=max(0, self._end - scroll.size.height), animate=False)

    def action_play(self) -> None:
        """Play the marked opponent."""
        with self.telling_errors():
            self._play(self._climb.ladder.opponents[self._cursor])

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        place = int(event.notation)
        if place == self._cursor:
            self.action_play()
        else:
            self.action_move(place - self._cursor)
