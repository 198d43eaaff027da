"""What the game screen shows: viewpoint, ply, and highlighted action."""

from __future__ import annotations

from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, Seat
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint
from boardgames_cli.tui.effects import Animation
from boardgames_cli.tui.keyboard import Keyboard
from boardgames_cli.tui.widgets.choices import ListedChoice, Refusal


class TableModel:
    """The state of the game screen, without widgets.

    Args:
        session: The table.
        animation: What may move in place of the board. While it shows a step, the table is shown
            as it was before that step, and nobody can act.
    """

    def __init__(self, session: Session, animation: Animation | None = None) -> None:
        self.session = session
        self._animation = animation
        self.past: int | None = None
        """The earlier ply shown; None for the current one."""
        self.index: int | None = None
        """The index of the highlighted action."""
        self.keyboard = Keyboard.of_session(session)
        self._revealed: Seat | None = None

    @property
    def must_hand_over(self) -> Seat | None:
        """The person who must take over the screen before anything secret is shown."""
        if not self.session.keeps_secrets or self.session.next_event() is not Event.HUMAN:
            return None
        seat = self.session.viewer()
        return seat if seat != self._revealed else None

    def reveal(self, seat: Seat | None) -> None:
        """Show a person's view; None hides all secrets again."""
        self._revealed = seat

    @property
    def viewer(self) -> Seat | None:
        """The seat whose view is shown; None is a spectator."""
        if self.session.keeps_secrets:
            return self._revealed if self.must_hand_over is None else None
        return self.session.viewer()

    @property
    def viewpoint(self) -> Viewpoint:
        """The viewpoint; wider than the viewer's own once no person plays any more."""
        session = self.session
        if session.keeps_secrets and not session.is_audience:
            return PUBLIC if self.viewer is None else Viewpoint((self.viewer,))
        return session.viewpoint

    @property
    def is_past(self) -> bool:
        """Whether an earlier ply is shown."""
        return self.past is not None

    @property
    def before(self) -> TableSnapshot | None:
        """The table before the step that moves now; None if none does."""
        return None if self._animation is None else self._animation.before

    @property
    def is_moving(self) -> bool:
        """Whether a step is being shown."""
        return self.before is not None

    @property
    def ply(self) -> int:
        """The ply that is shown."""
        if self.before is not None:
            return self.before.seen.ply
        return self.session.match.ply if self.past is None else self.past

    def travel(self, ply: int) -> None:
        """Show another ply; the last one is the present."""
        last = self.session.match.ply
        self.past = None if ply >= last else max(0, ply)
        self.index = None

    @property
    def snapshot(self) -> TableSnapshot:
        """What is shown; nothing is legal in the past."""
        if self.before is not None:
            return self.before
        shown = self.session.snapshot(self.viewpoint, self.past)
        action = self.highlight
        return shown if action is None else shown.pointing_at(action)

    @property
    def are_people_out(self) -> bool:
        """Whether the game goes on without the people who played."""
        session = self.session
        return bool(session.humans) and session.is_audience and not session.match.is_over

    @property
    def seat(self) -> Seat | None:
        """The person who can act on what is shown."""
        viewer = self.viewer
        is_present = self.past is None and not self.is_moving
        is_awaited = viewer in self.session.match.waiting_for and viewer != CHANCE
        return viewer if is_present and is_awaited else None

    @property
    def legal(self) -> tuple[Any, ...]:
        """That person's listed legal actions."""
        if self.seat is None:
            return ()
        return tuple(self.session.snapshot(self.viewpoint).listed)

    @property
    def possible(self) -> tuple[Any, ...]:
        """All legal actions of that person."""
        return () if self.seat is None else self.session.observe(self.seat).legal

    def parse(self, text: str) -> Any:
        """Read an action of that person.

        Raises:
            GameError: It is not an action, not legal, or nobody can act now.
        """
        if self.seat is None:
            raise GameError(self.why_not())
        return self.session.game.parse(self.session.match.state, self.seat, text)

    def why_not(self, number: int | None = None) -> str:
        """Why no action is possible now, or not the one with that number, or not by that key."""
        if self.is_past:
            return "This is the past, which can't be changed. } or esc goes back to the game."
        if self.session.next_event() is Event.OVER:
            return "The game is over. enter shows what you can do now."
        if self.seat is None:
            return "It is not your turn yet."
        if number is None:
            return "That key does nothing now. ? lists the keys."
        count = len(self.legal)
        return f"There is no action {number}; choose 1{f' to {count}' if count > 1 else ''}."

    @property
    def highlight(self) -> Any:
        """The highlighted action, if any."""
        legal = self.legal
        return legal[self.index] if self.index is not None and self.index < len(legal) else None

    def index_of(self, notation: str) -> int | None:
        """The place of an action in the list, by its notation."""
        return next((i for i, action in enumerate(self.legal) if str(action) == notation), None)

    def choices(self) -> list[ListedChoice]:
        """The list of choices."""
        session = self.session
        if self.seat is None:
            return []
        seen = session.observe(self.seat)
        return [
            self.keyboard.choice(session.view, seen, action, session.glyphs)
            for action in self.legal
        ]

    def refusals(self) -> list[Refusal]:
        """The game's near misses with their reasons."""
        return [Refusal(str(action), why) for action, why in self.snapshot.refusals]
