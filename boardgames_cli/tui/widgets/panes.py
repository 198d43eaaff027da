"""The board with what stands beside it: facts, analysis, log; of a game that goes on or is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from boardgames_cli.core.game import Observation
from boardgames_cli.core.text import Picture
from boardgames_cli.core.view import AnyView, RenderContext, Size
from boardgames_cli.session.game_log import LogLine
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.animation import Animation, frame_seconds
from boardgames_cli.tui.theme import DARK, Palette
from boardgames_cli.tui.widgets.log import LogPane
from boardgames_cli.tui.widgets.picture import PictureView


@dataclass(frozen=True, slots=True)
class Moment:
    """What is shown of a match at one ply."""

    seen: Observation[Any, Any]
    context: RenderContext[Any, Any]
    """How it is drawn."""
    log: Sequence[LogLine]
    """The log so far."""


class TablePanes(Horizontal):
    """Draws moments of one match.

    Args:
        view: The game's view.
    """

    @dataclass
    class Travelled(Message):
        """Another moment is to be shown: the wheel was turned, or a line of the log clicked."""

        ply: int

    def __init__(self, view: AnyView) -> None:
        super().__init__(id="table")
        self._view = view
        self._palette = Palette(DARK)
        self._moment: Moment | None = None
        self.animation = Animation(self.set_timer, self._show_board)

    def compose(self) -> ComposeResult:
        """The board at the left, the rest beside it."""
        yield PictureView(centred=True, id="board")
        with Vertical(id="side"):
            yield PictureView(id="facts")
            yield PictureView(id="analysis")
            yield LogPane(id="log")

    @property
    def side_width(self) -> int:
        """Columns beside the board."""
        return self.query_one(LogPane).size.width - 1

    def show(self, moment: Moment, palette: Palette) -> None:
        """Draw a moment."""
        self._moment, self._palette = moment, palette
        self._show_board()
        facts = self._view.sidebar(moment.seen, moment.context)
        self.query_one("#facts", PictureView).show(facts, palette)
        self.query_one(LogPane).show(moment.log, palette)

    def show_analysis(self, picture: Picture | None) -> None:
        """Show what the choices are worth, or nothing of it."""
        analysis = self.query_one("#analysis", PictureView)
        analysis.display = picture is not None
        if picture is not None:
            analysis.show(picture, self._palette)

    def move(self, frames: Callable[[Size], Sequence[Picture]], pace: Pace) -> None:
        """Let something move on the board before the next moment is drawn.

        Args:
            frames: Draws the pictures for the room there is.
            pace: How fast steps follow each other.
        """
        size = self._board_size
        if size is not None and self.app.animation_level != "none":
            pictures = frames(size)
            self.animation.play(pictures, frame_seconds(pace, len(pictures)))

    def turn(self) -> None:
        """In a small window show the other half: the board, or what is beside it."""
        self.toggle_class("-side")

    @property
    def _board_size(self) -> Size | None:
        width, height = self.query_one("#board", PictureView).size
        return Size(width, height) if width and height else None

    def _show_board(self) -> None:
        moment, size = self._moment, self._board_size
        if moment is None or size is None:
            return
        picture = self.animation.picture or self._view.picture(moment.seen, size, moment.context)
        self.query_one("#board", PictureView).show(picture, self._palette)

    @on(PictureView.Wheel)
    def _wheel(self, event: PictureView.Wheel) -> None:
        if self._moment is not None:
            self.post_message(self.Travelled(self._moment.seen.ply + event.direction))

    @on(LogPane.Picked)
    def _picked(self, event: LogPane.Picked) -> None:
        self.post_message(self.Travelled(event.ply))
