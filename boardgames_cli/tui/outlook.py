"""What of a table is shown: through whose eyes, at which moment, with which action highlighted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boardgames_cli.core.game import CHANCE, Observation, Seat, Traits
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import Look
from boardgames_cli.session.session import Advice, Event, Session
from boardgames_cli.tui.widgets.choices import Choice, Refusal


class Outlook:
    """The eyes on a session.

    Args:
        session: The table.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.past: int | None = None
        """The ply of the past that is shown; None is the present."""
        self.index: int | None = None
        """The highlighted one of the legal actions."""
        self.is_framed = False
        """Whether boards must do without colour, so that ASCII frames serve better than tiles."""
        self._revealed: Seat | None = None
        self._advice: tuple[int, Advice] | None = None

    # -- whose eyes --------------------------------------------------------------------------

    @property
    def keeps_secrets(self) -> bool:
        """Whether several people share the screen in a game with hidden information."""
        is_hidden = Traits.HIDDEN in self.session.game.info.traits
        return is_hidden and len(self.session.humans) > 1

    @property
    def must_hand_over(self) -> Seat | None:
        """The person who must take over the screen before anything secret is shown."""
        if not self.keeps_secrets or self.session.next_event() is not Event.HUMAN:
            return None
        seat = self.session.viewer()
        return seat if seat != self._revealed else None

    def reveal(self, seat: Seat | None) -> None:
        """Show what a person may see; None hides all secrets again."""
        self._revealed = seat

    @property
    def viewer(self) -> Seat | None:
        """Through whose eyes the table is shown; None is a spectator."""
        if self.keeps_secrets:
            return self._revealed if self.must_hand_over is None else None
        return self.session.viewer()

    # -- which moment ------------------------------------------------------------------------

    @property
    def is_past(self) -> bool:
        """Whether an earlier moment is shown."""
        return self.past is not None

    @property
    def ply(self) -> int:
        """The ply that is shown."""
        return self.session.match.ply if self.past is None else self.past

    def travel(self, ply: int) -> None:
        """Show another moment; the last one is the present."""
        last = self.session.match.ply
        self.past = None if ply >= last else max(0, ply)
        self.index = None

    def seen(self) -> Observation[Any, Any]:
        """What is shown; nothing is legal in the past."""
        viewer = self.viewer
        if self.past is None:
            return self.session.observe(viewer)
        seen = self.session.observe(viewer, self.past)
        return Observation(viewer, self.past, seen.state, ())

    def look(self) -> Look[Any]:
        """How it is to be drawn."""
        look = self.session.look(self.ply, self.highlight)
        return replace(look, glyphs=Glyphs.ASCII) if self.is_framed else look

    def prompt(self) -> str:
        """What is to be decided, in one line."""
        session, seen = self.session, self.seen()
        if self.past is None and session.match.truncated:
            return f"The game was cut short after {session.match.ply} steps."
        return session.view.prompt(session.game, seen, self.look())

    # -- what can be done --------------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        """The person who can act on what is shown."""
        viewer = self.viewer
        waiting = self.session.match.waiting_for
        return viewer if self.past is None and viewer in waiting and viewer != CHANCE else None

    @property
    def legal(self) -> tuple[Any, ...]:
        """What that person can do."""
        seat = self.seat
        return () if seat is None else self.session.observe(seat).legal

    @property
    def highlight(self) -> Any:
        """The highlighted action, if any."""
        legal = self.legal
        return legal[self.index] if self.index is not None and self.index < len(legal) else None

    def move_highlight(self, by: int) -> None:
        """Highlight the next or an earlier action; the first step comes to the first or last."""
        count = len(self.legal)
        if not count:
            self.index = None
        elif self.index is None:
            self.index = 0 if by > 0 else count - 1
        else:
            self.index = (self.index + by) % count

    def index_of(self, notation: str) -> int | None:
        """The place of an action in the list, by its notation."""
        return next((i for i, action in enumerate(self.legal) if str(action) == notation), None)

    def choices(self) -> list[Choice]:
        """The list of what can be done, with what the adviser thinks of it."""
        session = self.session
        seen = session.observe(self.seat) if self.seat is not None else None
        values: Mapping[Any, float | None] = dict(self.advice.values) if self.advice else {}
        best = self.advice.best if self.advice else None
        return [
            Choice(
                session.view.describe(session.game, seen, action),
                " ".join(filter(None, ("best" * (action == best), self.worth(values.get(action))))),
            )
            for action in self.legal
            if seen is not None
        ]

    def refusals(self) -> list[Refusal]:
        """What one might try although it is illegal."""
        if self.seat is None:
            return []
        return [Refusal(str(action), why) for action, why in self.session.refused(self.seat)]

    # -- advice ------------------------------------------------------------------------------

    @property
    def advice(self) -> Advice | None:
        """The advice for the present decision, if it was asked for."""
        if self._advice is None or self.past is not None:
            return None
        version, advice = self._advice
        return advice if version == self.session.match.version else None

    def take_advice(self, version: int, advice: Advice) -> bool:
        """Keep an advice; False if the match has gone on since."""
        if version != self.session.match.version:
            return False
        self._advice = (version, advice)
        self.index = self.index_of(str(advice.best))
        return True

    def worth(self, value: float | None) -> str:
        """An expected return in words: a share of wins where that is what it means."""
        if value is None:
            return ""
        duel = self.session.game.seats == 2 and Traits.ZERO_SUM in self.session.game.info.traits
        return f"{(value + 1) / 2:.0%}" if duel and abs(value) <= 1 else f"{value:+.2f}"

    def estimate(self) -> tuple[Seat, float] | None:
        """A seat and its winning chances as the game's evaluation sees them, if it can say."""
        session, seen = self.session, self.seen()
        if seen.seat is None and Traits.HIDDEN not in session.game.info.traits:
            seen = Observation(0, seen.ply, seen.state, ())
        if seen.seat is None or session.game.is_over(seen.state):
            return None
        share = session.estimate(seen)
        return None if share is None else (seen.seat, min(1.0, max(0.0, share)))
