"""What the parts of the game screen share: the table, and what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardgames_cli.core.game import Seat, Traits
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.session.match_driver import Driver, Effects
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint
from boardgames_cli.tui.keyboard import Keyboard, layer_of
from boardgames_cli.tui.keys import AUDIENCE_BINDINGS, LAYER_BINDINGS
from boardgames_cli.tui.screens.frame import BoardScreen
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.entry import EntryLine
from boardgames_cli.tui.widgets.panes import TablePanes


class TableScreen(BoardScreen):
    """A session, its driver, and what is shown: a snapshot from one viewpoint at one ply.

    While a step moves, that is the one before the step, so that nothing on the screen speaks of
    what follows.

    Args:
        session: The session.
        settings: How it is shown and paced.
    """

    oracle: Oracle
    """Judges the decisions."""

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.panes = TablePanes(session.view)
        self.entry = EntryLine()
        self.choices = ChoiceList(id="choices")
        self.past: int | None = None
        """The earlier ply shown; None for the current one."""
        self.revealed: Seat | None = None
        """Of people who hide something from each other, the one whose view is shown."""
        self.rest: KeyDebounce | None = None
        """Ignores held keys during a pause for people; None if there is no pause."""
        keys = LAYER_BINDINGS if layer_of(session.view) else []
        keys = [*keys, *(AUDIENCE_BINDINGS if Traits.HIDDEN in session.game.traits else [])]
        self.take_keys(Keyboard.of_session(session), keys)
        post = self.from_thread
        effects = Effects(
            lambda request: request.start(lambda result: post(self.loop.take, result)),
            lambda seconds, call: self.set_timer(seconds, call).stop,
            lambda error: self.say(str(error)),
            self.redraw,
            self.say,
        )
        self.loop = Driver(
            session, effects, settings.pace, session.tick, auto_forced=settings.auto_forced
        )

    @property
    def must_hand_over(self) -> Seat | None:
        """The person who must take over the screen before anything secret is shown."""
        if not self.session.keeps_secrets or self.session.next_event() is not Event.HUMAN:
            return None
        seat = self.session.viewer()
        return seat if seat != self.revealed else None

    @property
    def viewpoint(self) -> Viewpoint:
        """The viewpoint; wider than the viewer's own once no person plays any more."""
        session = self.session
        if not session.keeps_secrets or session.is_audience:
            return session.viewpoint
        seat = self.revealed if self.must_hand_over is None else None
        return PUBLIC if seat is None else Viewpoint((seat,))

    @property
    def is_past(self) -> bool:
        return self.past is not None

    @property
    def is_moving(self) -> bool:
        return self.panes.animation.before is not None

    @property
    def shown(self) -> TableSnapshot:
        """What is shown; nothing is legal in the past and before a step that moves."""
        shown = self.panes.animation.before or self.session.snapshot(self.viewpoint, self.past)
        if self.index is None or self.index >= len(shown.listed):
            return shown
        return shown.pointing_at(shown.listed[self.index])

    @property
    def seat(self) -> Seat | None:
        shown = self.shown.seen
        return shown.seat if shown.legal else None

    @property
    def listed(self) -> Sequence[Any]:
        return self.shown.listed

    @property
    def are_people_out(self) -> bool:
        """Whether the game goes on without the people who played."""
        session = self.session
        return bool(session.humans) and session.is_audience and not session.match.is_over

    def show_ply(self, ply: int) -> None:
        """Show another ply; the last one is the present."""
        self.past = None if ply >= self.session.match.ply else max(0, ply)
        self.index = None

    def forget_moment(self) -> None:
        """Show the present, after undo or in another game."""
        self.message = ""
        self.show_ply(self.session.match.ply)
        self.revealed = None

    def make_room(self, rows: int) -> None:
        """Make the board end above a dialog at the bottom of the screen.

        Args:
            rows: The dialog's height; 0 if it is closed.
        """
        for below in self.query("#below"):  # gone, if another table has taken its place
            below.styles.height = rows or "auto"
        self.call_after_refresh(self.redraw)

    def follow_pause(self) -> None:
        """Let keys rest once from the moment at which a pause for people appears."""
        if not self.loop.awaited:
            self.rest = None
        elif self.rest is None:
            self.rest = KeyDebounce(REST_SECONDS)
            self.set_timer(REST_SECONDS, self.redraw)

    @property
    def is_resting(self) -> bool:
        """Whether keys meant for the decision before a pause are ignored."""
        return self.rest is not None and not self.rest.is_over
