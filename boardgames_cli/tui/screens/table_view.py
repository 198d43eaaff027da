"""The table as it is drawn: board, facts, story, choices, and the line to type in."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from boardgames_cli.core.view import Size
from boardgames_cli.session.hint_thread import HintThread
from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.tui.analysis import analysis_picture
from boardgames_cli.tui.animation import Animation, frame_seconds
from boardgames_cli.tui.game_loop import GameLoop
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.status import estimate_bar, key_hints, prompt_bar, title_bar
from boardgames_cli.tui.table_model import Panel, TableModel
from boardgames_cli.tui.theme import MONOCHROME, Palette
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Piece
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.log import LogPane
from boardgames_cli.tui.widgets.picture import PictureView

PLACEHOLDER = "press : to type a move or a command"
_FEW = 3
"""Actions, one a line, that need no more room than they have."""


class TableView(Frame):
    """Shows a session; `Table` keeps it going.

    Args:
        session: The table.
        settings: How it is shown.
    """

    conductor: GameLoop
    adviser: HintThread

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.outlook = TableModel(session)
        self.palette = Palette(settings.theme, session.view.palette)
        self.message = ""
        self.animation = Animation(self.set_timer, self._show_board)
        self._drawn_ply = session.match.ply

    def body(self) -> ComposeResult:
        """Board and facts, then the lines below them."""
        yield Bar(id="title")
        with Horizontal(id="table"):
            yield PictureView(centred=True, id="board")
            with Vertical(id="side"):
                yield PictureView(id="facts")
                yield PictureView(id="analysis")
                yield LogPane(id="log")
        yield Bar(id="estimate")
        yield Bar(id="prompt")
        yield ChoiceList(id="choices")
        with Horizontal(id="line"):
            yield Bar(id="mark")
            yield Input(placeholder=PLACEHOLDER, compact=True, id="entry", select_on_focus=False)
        yield Bar(id="message")
        yield KeyBar(id="keys")

    def on_resize(self) -> None:
        """Draw for the new size, once the widgets have theirs."""
        self.animation.stop()
        self.call_after_refresh(self.refresh_table)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        theme = self.app.theme
        self.palette = Palette(theme, self.session.view.palette)
        self.outlook.is_framed = theme == MONOCHROME
        self.refresh_table()

    def refresh_table(self) -> None:
        """Show everything as it is now."""
        if not self.is_mounted:
            return
        self._move_board()
        self._show_board()
        self.show_side()
        outlook, palette = self.outlook, self.palette
        in_list = outlook.panel is Panel.ANALYSIS and not self.has_class("-wide")
        self.set_class(in_list and len(outlook.legal) > _FEW, "-analysis")
        self.query_one("#choices", ChoiceList).show(
            outlook.choices(with_analysis=in_list), outlook.refusals(), outlook.index, palette
        )
        self.query_one(LogPane).show(self.session.log(outlook.past), palette)
        self.query_one("#title", Bar).show(*title_bar(self.session, outlook), palette)
        self.query_one("#mark", Bar).show([Piece("›", "key")], (), palette)
        estimate = self.query_one("#estimate", Bar)
        # Beside an analysis nobody needs to be told that there is no estimate.
        has_estimate = outlook.panel is Panel.ANALYSIS and outlook.estimate() is not None
        estimate.display = outlook.panel is Panel.ESTIMATE or has_estimate
        if estimate.display:
            width = self.size.width // 2 - 6
            estimate.show(*estimate_bar(outlook, width, outlook.is_framed), palette)
        self.query_one(KeyBar).show_keys(
            key_hints(self.conductor, outlook, self.has_class("-compact")), palette
        )
        self.show_lines()

    def _move_board(self) -> None:
        """Let something move on the board if a step has just been taken."""
        outlook, ply = self.outlook, self.session.match.ply
        is_next = ply == self._drawn_ply + 1 and not outlook.is_past
        is_still = self.app.animation_level == "none"
        if ply != self._drawn_ply or outlook.is_past or outlook.index is not None:
            self.animation.stop()
        if is_next and not is_still and self.conductor.pace.seconds != 0 and self._board_size:
            frames = outlook.frames(self._board_size)
            self.animation.play(frames, frame_seconds(self.conductor.pace, len(frames)))
        self._drawn_ply = ply

    @property
    def _board_size(self) -> Size | None:
        width, height = self.query_one("#board", PictureView).size
        return Size(width, height) if width and height else None

    def _show_board(self) -> None:
        session, outlook, size = self.session, self.outlook, self._board_size
        if size is None:
            return
        picture = self.animation.picture or session.view.picture(
            outlook.seen(), size, outlook.context()
        )
        self.query_one("#board", PictureView).show(picture, self.palette)

    def show_side(self) -> None:
        """Show the facts beside the board, and what the choices are worth."""
        session, outlook = self.session, self.outlook
        facts = session.view.sidebar(outlook.seen(), outlook.context())
        self.query_one("#facts", PictureView).show(facts, self.palette)
        analysis = self.query_one("#analysis", PictureView)
        analysis.display = outlook.panel is Panel.ANALYSIS and self.has_class("-wide")
        if analysis.display:
            waiting = "thinking …" if self.adviser.is_busy else "on your turn"
            width = self.query_one(LogPane).size.width - 1
            shown = analysis_picture(outlook.analysis, outlook.legal, session.worth, waiting, width)
            analysis.show(shown, self.palette)

    def show_lines(self) -> None:
        """Show what is to be decided, and the message."""
        self.query_one("#prompt", Bar).show(*prompt_bar(self.conductor, self.outlook), self.palette)
        warning = self.session.saving.warning
        line = Piece(warning, "bad") if warning and not self.message else Piece(self.message)
        self.query_one("#message", Bar).show([line], (), self.palette)

    def say(self, text: str) -> None:
        """Show a message until something is done."""
        self.message = text
        if self.is_mounted:
            self.show_lines()
