"""What of a table is shown: whose view, of which moment, with which action highlighted."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import Enum
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, Observation, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.text import Picture
from boardgames_cli.core.view import RenderContext, Size
from boardgames_cli.session.hint_thread import HintResult
from boardgames_cli.session.hints import Hint
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.standing import Course, Standing, has_standing, standing
from boardgames_cli.session.viewpoint import ALL_SEEING, PUBLIC, Viewpoint
from boardgames_cli.tui.analysis import note_on
from boardgames_cli.tui.keyboard import Keyboard
from boardgames_cli.tui.widgets.choices import Choice, Refusal, moved


class Panel(Enum):
    """How much is shown, unasked, of what the position is worth."""

    OFF = "off"
    ESTIMATE = "estimate"
    ANALYSIS = "analysis"


class TableModel:
    """What of a session is shown, and how.

    Args:
        session: The table.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.past: int | None = None
        """The ply of the past that is shown; None is the present."""
        self.index: int | None = None
        """The highlighted one of the legal actions."""
        self.has_colours = True
        """Whether boards can tell things apart by colour."""
        self.panel = Panel.OFF
        self.keyboard = Keyboard.of_session(session)
        self._revealed: Seat | None = None
        self._result: HintResult | None = None
        self._hinted: int | None = None
        self._courses: dict[Viewpoint, Course] = {}

    # -- whose view --------------------------------------------------------------------------

    @property
    def must_hand_over(self) -> Seat | None:
        """The person who must take over the screen before anything secret is shown."""
        if not self.session.keeps_secrets or self.session.next_event() is not Event.HUMAN:
            return None
        seat = self.session.viewer()
        return seat if seat != self._revealed else None

    def reveal(self, seat: Seat | None) -> None:
        """Show what a person may see; None hides all secrets again."""
        self._revealed = seat

    @property
    def viewer(self) -> Seat | None:
        """Whose view is shown; None is a spectator."""
        if self.session.keeps_secrets:
            return self._revealed if self.must_hand_over is None else None
        return self.session.viewer()

    @property
    def viewpoint(self) -> Viewpoint:
        """What they can see; more than the viewer knows once no person plays any more."""
        session = self.session
        if session.keeps_secrets and not session.is_audience:
            return PUBLIC if self.viewer is None else Viewpoint((self.viewer,))
        return session.viewpoint

    def view_as_next(self) -> str:
        """Show what the next seat sees, round and round; returns what to say of it.

        Raises:
            IllegalActionError: A person still plays, who would learn too much.
        """
        session, last = self.session, self.session.viewpoint.seat
        seat = 0 if last is None else (last + 1) % session.game.seats
        session.follow(Viewpoint((seat,)))
        return f"You see what {session.names[seat]} sees."

    def view_all(self) -> str:
        """Show everything; returns what to say of it.

        Raises:
            IllegalActionError: A person still plays, who would learn too much.
        """
        self.session.follow(ALL_SEEING)
        return "You see everything."

    def turn_layer(self) -> str:
        """Lay something over the board, or take it off; returns what to say of it."""
        session, layer = self.session, self.session.view.layer
        if not layer:
            return f"There is nothing to be laid over the board of {session.game.info.name}."
        session.shows_layer = not session.shows_layer
        return f"{layer.capitalize()}: {'shown' if session.shows_layer else 'hidden'}."

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
        return self.session.see(self.viewpoint, self.past)

    def context(self) -> RenderContext[Any, Any]:
        """The context in which it is drawn."""
        context = self.session.context(self.ply, self.highlight, self.viewpoint)
        return replace(context, has_colours=self.has_colours)

    def frames(self, size: Size) -> tuple[Picture, ...]:
        """The pictures between the moment before and the one that is shown."""
        session, ply = self.session, self.ply
        if not ply:
            return ()
        context = replace(self.context(), highlight=None)
        passage = self.viewpoint.passage(session.match, ply - 1)
        return tuple(session.view.frames(*passage, size, context))

    def prompt(self) -> str:
        """The decision to take, in one line."""
        session, seen = self.session, self.seen()
        if self.past is None and session.match.truncated:
            return f"The game was cut short after {session.match.ply} steps."
        return session.view.prompt(seen, self.context())

    # -- what can be done --------------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        """The person who can act on what is shown."""
        viewer = self.viewer
        waiting = self.session.match.waiting_for
        return viewer if self.past is None and viewer in waiting and viewer != CHANCE else None

    @property
    def legal(self) -> tuple[Any, ...]:
        """What that person can do, as far as it is listed."""
        seat, session = self.seat, self.session
        if seat is None:
            return ()
        return tuple(session.view.shortlist(session.observe(seat)))

    @property
    def possible(self) -> tuple[Any, ...]:
        """All that person can do, listed or not."""
        return () if self.seat is None else self.session.observe(self.seat).legal

    def parse(self, text: str) -> Any:
        """Read an action of that person.

        Raises:
            GameError: It is none, is not legal, or nobody can act now.
        """
        if self.seat is None:
            raise GameError(self.why_not())
        return self.session.game.parse(self.session.match.state, self.seat, text)

    def why_not(self, number: int | None = None) -> str:
        """Why nothing can be done now, why not the action of that number, or why not by a key."""
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

    def position_text(self) -> tuple[str, str]:
        """What is shown as JSON, and what to say of it."""
        game = self.session.game
        text = json.dumps(game.to_json(self.seen().state))
        if Traits.HIDDEN in game.traits:
            # What is hidden is missing, so no game can start from it.
            return text, "What you know of the position is in the clipboard."
        return text, "The position is in the clipboard: boardgames play … --position FILE."

    @property
    def highlight(self) -> Any:
        """The highlighted action, if any."""
        legal = self.legal
        return legal[self.index] if self.index is not None and self.index < len(legal) else None

    def move_highlight(self, by: int, columns: int = 1) -> None:
        """Highlight another action; the first time the first one, or the last.

        Args:
            by: How far down the list, or up if it is negative.
            columns: How many actions stand side by side, if it goes down by lines.
        """
        self.index = moved(self.index, by, len(self.legal), columns)

    def index_of(self, notation: str) -> int | None:
        """The place of an action in the list, by its notation."""
        return next((i for i, action in enumerate(self.legal) if str(action) == notation), None)

    def choices(self, *, with_analysis: bool = False) -> list[Choice]:
        """The list of what can be done, with what the adviser thinks of it if it was asked.

        Args:
            with_analysis: Whether the analysis is shown here, for want of room elsewhere.
        """
        session = self.session
        seen = session.observe(self.seat) if self.seat is not None else None
        result = self.analysis if with_analysis or self.hint is not None else None
        if seen is None or seen.seat is None:
            return []
        choices = []
        for action in self.legal:
            choice = self.keyboard.choice(session.view, seen, action, session.glyphs)
            note = note_on(result, action, session.worth, with_others=with_analysis)
            choices.append(replace(choice, note=note))
        return choices

    def refusals(self) -> list[Refusal]:
        """What one might try although it is illegal."""
        if self.seat is None:
            return []
        return [Refusal(str(action), why) for action, why in self.session.refused(self.seat)]

    # -- hints -------------------------------------------------------------------------------

    @property
    def analysis(self) -> HintResult | None:
        """What the adviser said of the present decision, asked for as a hint or not."""
        result = self._result
        if result is None or result.hint is None or self.past is not None:
            return None
        is_fresh = result.version == self.session.match.version
        return result if is_fresh and result.seat == self.seat else None

    @property
    def hint(self) -> Hint | None:
        """The hint for the present decision, if one was asked for."""
        result = self.analysis
        return result.hint if result and self._hinted == result.version else None

    def keep(self, result: HintResult) -> bool:
        """Keep a hint; False if it is about another moment than the one shown."""
        self._result = result
        return self.analysis is not None

    def take_hint(self) -> Hint | None:
        """Show what the adviser said as a hint; None if it has not said anything."""
        result = self.analysis
        if result is None or result.hint is None:
            return None
        self._hinted = result.version
        self.index = self.index_of(str(result.hint.best))
        return result.hint

    @property
    def panels(self) -> tuple[Panel, ...]:
        """What can be shown, in turn, of the worth of positions in this game."""
        session = self.session
        return (
            Panel.OFF,
            *((Panel.ESTIMATE,) if has_standing(session.game, session.spec) else ()),
            *((Panel.ANALYSIS,) if session.can_advise else ()),
        )

    @property
    def has_panels(self) -> bool:
        """Whether anything can be shown of it at all."""
        # The adviser need not be made for the games that can be judged without it.
        session = self.session
        return has_standing(session.game, session.spec) or session.can_advise

    def standing(self) -> Standing | None:
        """What the position is worth, as the viewer may know it."""
        return self._standing_at(self.viewpoint, self.past)

    def course(self) -> Course:
        """What the positions up to now were worth, as the viewer may know it."""
        viewpoint = self.viewpoint
        if viewpoint not in self._courses:
            match = self.session.match
            self._courses[viewpoint] = Course(match, lambda ply: self._standing_at(viewpoint, ply))
        return self._courses[viewpoint]

    def _standing_at(self, viewpoint: Viewpoint, ply: int | None) -> Standing | None:
        session = self.session
        seen = session.see(viewpoint, ply)
        if seen.seat is None and Traits.HIDDEN not in session.game.traits:
            seen = Observation(0, seen.ply, seen.state, ())
        return standing(session.game, session.spec, seen)
