"""Pages of the home screen: text that is scrolled, and the ladder of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from boardgames_cli.core.presentation.home_page import Opponent
from boardgames_cli.core.text import Picture, Span, columns, justified, wrapped
from boardgames_cli.evaluation.milestones import Climb
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Frame, KeyHint
from boardgames_cli.tui.widgets.picture import PictureView, Sides

PageLines = Sequence[Sequence[Span]]


class PageScreen(Frame):
    """A page of text over the home screen.

    Args:
        title: Its title.
        lines: The lines for a number of columns.
        remark: What stands beside the title.
    """

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = "#page-scroll"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "page",
        ("up", "move(-1)", "line above", "up"),
        ("down", "move(1)", "line below", "down"),
        ("escape,q", "leave", "go back", "leave"),
    )

    def __init__(self, title: str, lines: Callable[[int], PageLines], remark: str = "") -> None:
        super().__init__()
        self._heading, self._remark = title, remark
        self._lines_for = lines

    def content(self) -> ComposeResult:
        with VerticalScroll(id="page-scroll"):
            yield PictureView(id="page")

    def title_bar(self) -> Sides:
        return [Span(self._heading, "title")], [Span(self._remark, "muted")]

    def key_hints(self) -> Sequence[KeyHint]:
        return [("↑↓", "read", "screen.move(1)"), ("q", "back", "screen.leave")]

    def draw(self) -> None:
        room = self.query_one("#page-scroll").scrollable_content_region.width
        self.show_picture("page", Picture.of(self._lines_for(max(LEAST_ROOM, room))))
        super().draw()

    def action_move(self, by: int) -> None:
        self.query_one("#page-scroll").scroll_relative(y=by, animate=False)


class LadderScreen(PageScreen):
    """The opponents of a game's ladder; the next one is marked, and enter plays it.

    Args:
        title: The title.
        climb: How far the person has come.
        play: Starts a game against an opponent.
        remark: The person's rating, if there is one.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "ladder", ("enter,space", "play", "play the marked opponent", "play")
    )

    def __init__(
        self, title: str, climb: Climb, play: Callable[[Opponent], None], remark: str = ""
    ) -> None:
        super().__init__(title, self._lines, remark)
        self._climb = climb
        self._play = play
        self._cursor = min(climb.beaten, len(climb.ladder.opponents) - 1)
        self._end = 0
        """The number of lines up to the marked opponent and with it."""

    def key_hints(self) -> Sequence[KeyHint]:
        move, leave = super().key_hints()
        return [("enter", "play", "screen.play"), (move[0], "opponent", move[2]), leave]

    def _lines(self, width: int) -> PageLines:
        climb = self._climb
        lines = [[Span(line, "muted")] for line in wrapped(climb.rule, width)]
        widest = max(columns(one.name) for one in climb.ladder.opponents)
        roles = {0: "title", **dict.fromkeys(range(-climb.beaten, 0), "good")}
        for place, one in enumerate(climb.ladder.opponents):
            is_marked, click = place == self._cursor, f"mark({place})"
            mark = "▸ " if is_marked else "  "
            is_beaten = place < climb.beaten
            name = [
                Span(one.name, "chosen" if is_marked else "title", click),
                Span(" " * (widest - columns(one.name)), "", click),
            ]
            lines += [
                [],
                [
                    Span(f"{mark}{place + 1}  ", "key", click),
                    *([Span(f"{one.face}  ", f"seat.{1 - is_beaten}", click)] if one.face else []),
                    *name,
                    Span(f"  rating {justified(f'{one.rating:+d}', 6)}", "muted", click),
                    Span(f"  {climb.state(place)}", roles.get(place - climb.beaten, ""), click),
                ],
                *([Span(f"     {line}", "", click)] for line in wrapped(one.style, width - 6)),
            ]
            if is_marked:
                self._end = len(lines)
        return lines

    def action_move(self, by: int) -> None:
        self._cursor = (self._cursor + by) % len(self._climb.ladder.opponents)
        self.redraw()
        scroll = self.query_one("#page-scroll")
        scroll.scroll_to(y=max(0, self._end - scroll.size.height), animate=False)

    def action_mark(self, place: int) -> None:
        """Mark an opponent; the marked one is played."""
        if place == self._cursor:
            self.action_play()
        else:
            self.action_move(place - self._cursor)

    def action_play(self) -> None:
        with self.telling_errors():
            self._play(self._climb.ladder.opponents[self._cursor])
