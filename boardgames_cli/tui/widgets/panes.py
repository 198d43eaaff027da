"""The board with its animation and its side panels, used for games, replays and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual import events, geometry, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.presentation.view import LEAST_SIDEBAR, AnyView, Size
from boardgames_cli.core.text import Picture, wrapped
from boardgames_cli.session.settings import Pace
from boardgames_cli.session.snapshot import LogLine, TableSnapshot
from boardgames_cli.tui.effects import Animation, EffectFrame, ReliableTimers, motion, paced
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.picture import PictureView


class LogPane(ScrollView):
    """The log, wrapped to the width of the pane; a click goes to the ply of a sentence."""

    can_focus = False

    @dataclass
    class Picked(Message):
        """A sentence was clicked."""

        ply: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: tuple[LogLine, ...] = ()
        self._rows: list[tuple[str, LogLine]] = []
        self._palette = Palette(DARK)

    def show(self, lines: Sequence[LogLine], palette: Palette) -> None:
        lines = tuple(lines)
        if (lines, palette) != (self._lines, self._palette):
            self._lines, self._palette = lines, palette
            self._wrap()
            self.refresh()

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width < 1:
            return
        self._rows = [(row, line) for line in self._lines for row in _rows(line.text, width)]
        self.virtual_size = geometry.Size(width, len(self._rows))
        self.call_after_refresh(self.scroll_end, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        self._wrap()

    def render_line(self, y: int) -> Strip:
        """One wrapped line; lines of earlier steps are muted."""
        base, width = self.rich_style, self.size.width
        row = y + self.scroll_offset.y
        if not 0 <= row < len(self._rows):
            return Strip.blank(width, base)
        text, line = self._rows[row]
        role = f"seat.{line.seat}" if line.seat is not None else "muted"
        is_last = line.ply == self._lines[-1].ply
        style = base + self._palette.style(role) + Style(bold=is_last)
        return Strip([Segment(text, style)]).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        row = event.y + self.scroll_offset.y
        if 0 <= row < len(self._rows):
            self.post_message(self.Picked(self._rows[row][1].ply))


@lru_cache(maxsize=8192)
def _rows(text: str, width: int) -> tuple[str, ...]:
    return tuple(wrapped(text, width, indent="  ")) or ("",)


class TablePanes(ReliableTimers, Horizontal):
    """Draws one match at any ply."""

    @dataclass
    class Travelled(Message):
        """The user asked for another ply, by the wheel or a click in the log."""

        ply: int
        is_sentence: bool = False
        """Whether a sentence of the log was clicked, which tells of the step before the ply."""

    @dataclass
    class Settled(Message):
        """The animation has ended."""

    def __init__(self, view: AnyView) -> None:
        super().__init__(id="table")
        self.view = view
        """The view of the game that is shown."""
        self._palette = Palette(DARK)
        self._shown: TableSnapshot | None = None
        self._drawn_size: Size | None = None
        self.animation = Animation(self.set_timer, self._move_on)
        self.kept: Callable[[Size], Sequence[Picture]] | None = None
        """Draws frames whose last one stays in place of the board; None shows the board."""

    def compose(self) -> ComposeResult:
        yield PictureView(centred=True, id="board")
        with Vertical(id="side"):
            yield PictureView(id="facts")
            yield PictureView(id="analysis")
            yield PictureView(id="course")
            yield LogPane(id="log")

    @property
    def side_width(self) -> int:
        # In a small window they may be hidden, without a size.
        return max(self.query_one(LogPane).size.width - 1, LEAST_SIDEBAR)

    @property
    def room_for_analysis(self) -> tuple[int, int]:
        """The columns and rows that the facts leave."""
        facts = self.query_one("#facts", PictureView).picture.height
        return self.side_width, max(1, self.size.height - facts - 1)

    def show(self, snapshot: TableSnapshot, palette: Palette) -> None:
        """Draw a snapshot; while a step moves, what was before it."""
        snapshot = self.animation.before or snapshot
        self._shown, self._palette = snapshot, palette
        self.show_board()
        width = self.side_width
        self.query_one("#facts", PictureView).show(snapshot.sidebar(width), palette)
        self.query_one(LogPane).show(snapshot.log, palette)

    def show_part(self, id: str, picture: Picture | None) -> None:
        """Show or hide the analysis, or the course of the game."""
        part = self.query_one(f"#{id}", PictureView)
        part.display = picture is not None
        if picture is not None:
            part.show(picture, self._palette)

    def move(self, before: TableSnapshot, after: TableSnapshot, pace: Pace) -> None:
        """Start the animation of a step, before what is after it is drawn."""
        self.play(lambda size: paced(motion(after, size), pace), before)

    def play(
        self,
        frames: Callable[[Size], Sequence[EffectFrame]],
        before: TableSnapshot | None = None,
    ) -> float:
        """Show an effect in place of the board, unless motion is off; return its seconds."""
        size = self._board_size
        shown = () if size is None or self.app.animation_level == "none" else frames(size)
        self.animation.play(shown, before)
        return sum(frame.seconds for frame in shown)

    def turn(self) -> None:
        """In a small window switch between the board and the side panels."""
        self.toggle_class("-side")

    @property
    def _board_size(self) -> Size | None:
        board = next(
            iter(self.query("#board")), None
        )  # the first widget removed when a screen closes
        return Size(*board.size) if board is not None and all(board.size) else None

    def _move_on(self) -> None:
        if self.animation.picture is None:
            self.post_message(self.Settled())  # the board changes with what stands around it
        else:
            self.show_board()

    def show_board(self) -> None:
        """Draw the board, or the current frame of the animation."""
        shown, size = self._shown, self._board_size
        if shown is None or size is None:
            return
        self._drawn_size = size
        kept = self.kept(size)[-1:] if self.kept is not None else ()
        picture = self.animation.picture or next(iter(kept), None)
        if picture is None:
            picture = shown.board(size)
        self.query_one("#board", PictureView).show(picture, self._palette)

    @on(PictureView.Resized)
    def _board_resized(self) -> None:
        # The board may be drawn before the layout gives it its new size.
        if self._board_size != self._drawn_size:
            self.show_board()

    @on(PictureView.Wheel)
    def _wheel(self, event: PictureView.Wheel) -> None:
        if self._shown is not None:
            self.post_message(self.Travelled(self._shown.seen.ply + event.direction))

    @on(LogPane.Picked)
    def _picked(self, event: LogPane.Picked) -> None:
        self.post_message(self.Travelled(event.ply, is_sentence=True))
