"""What a table shows at one moment, as a value: front ends draw it and ask nothing back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.view import AnyView, Moment, RenderContext, Size
from boardgames_cli.core.text import Picture
from boardgames_cli.session.viewpoint import Viewpoint


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the log, with the ply at which it was written."""

    ply: int
    text: str
    seat: Seat | None = None
    """The seat that acted; None for chance and the program."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A match at one ply as seen from one viewpoint; later changes of the match don't touch it."""

    view: AnyView
    seen: Observation[Any, Any]
    """What is seen. Legal are the actions of a person who can act now; none in the past."""
    context: RenderContext[Any, Any]
    before: Any = None
    """The state before the last step, as seen from the same viewpoint; None at the start."""
    is_cut_short: bool = False
    cut_short: str = ""
    """Why it was, as a sentence; empty if that is not known."""
    log: Sequence[LogLine] = ()

    def pointing_at(self, action: Any) -> TableSnapshot:
        """The same with an action under the cursor; None takes it away."""
        return replace(self, context=replace(self.context, highlight=action))

    def with_log(self, lines: Sequence[LogLine]) -> TableSnapshot:
        """The same with the log so far, and what happened according to it."""
        moments = tuple(line.text for line in lines if isinstance(line.text, Moment))
        return replace(self, log=lines, context=replace(self.context, moments=moments))

    @property
    def listed(self) -> Sequence[Any]:
        """The legal actions that have numbers."""
        return self.view.shortlist(self.seen) if self.seen.legal else ()

    @property
    def refusals(self) -> list[tuple[Any, str]]:
        """The game's `near_misses`, each with the reason why it is illegal."""
        game, state, seat = self.view.game, self.seen.state, self.seen.seat
        if seat is None or not self.seen.legal:
            return []
        return [
            (action, game.explain_illegal(state, seat, action))
            for action in game.near_misses(state, seat)
        ]

    @property
    def prompt(self) -> str:
        """The decision to make, or what the match waits for."""
        if self.is_cut_short:
            return self.cut_short or f"The game was cut short after {self.seen.ply} steps."
        return self.view.prompt(self.seen, self.context)

    @property
    def result(self) -> str:
        """The result of a match that is over."""
        return self.view.result(self.seen.state, self.context)

    @property
    def sentences(self) -> list[str]:
        """What happened in the last step; empty at the start."""
        step = self.context.last
        if step is None:
            return []
        return list(self.view.narrate(self.before, step, self.seen.state, self.context))

    def board(self, size: Size) -> Picture:
        """The board."""
        return self.view.picture(self.seen, size, self.context)

    def sidebar(self, width: int) -> Picture:
        """The facts beside the board."""
        return self.view.sidebar(self.seen, width, self.context)

    def frames(self, size: Size) -> tuple[Picture, ...]:
        """The animation of the last step."""
        step = self.context.last
        if step is None:
            return ()
        context = replace(self.context, highlight=None)
        return tuple(self.view.frames(self.before, step, self.seen.state, size, context))

    def pause(self) -> str:
        """What follows the last step if the game should pause there for people; else empty."""
        step = self.context.last
        if step is None:
            return ""
        return self.view.pause_after(self.before, step, self.seen.state, self.context)


def take_snapshot(
    match: AnyMatch,
    view: AnyView,
    viewpoint: Viewpoint,
    ply: int,
    look: RenderContext[Any, Any],
    legal: tuple[Any, ...] = (),
) -> TableSnapshot:
    """What is seen of a match.

    The look has names, glyphs and what else does not depend on the moment; legal are the actions of
    a person who can act now.
    """
    game = match.game
    last, last_move = _last_steps(match, viewpoint, ply)
    return TableSnapshot(
        view,
        Observation(viewpoint.seat, ply, viewpoint.state(game, match.state_at(ply)), legal),
        replace(look, last=last, last_move=last_move, viewer=viewpoint.seat),
        viewpoint.state(game, match.state_at(ply - 1)) if ply else None,
        match.truncated and ply == match.ply,
    )


def _last_steps(
    match: AnyMatch, viewpoint: Viewpoint, ply: int
) -> tuple[Step[Any, Any] | None, Step[Any, Any] | None]:
    """The last step before a ply and the last one of seats."""
    if not ply:
        return None, None
    by_seats = (at for at in reversed(range(ply)) if not match.steps[at].is_chance)
    moved = next(by_seats, None)
    last = viewpoint.step_of(match, ply - 1)
    if moved is None:
        return last, None
    return last, last if moved == ply - 1 else viewpoint.step_of(match, moved)
