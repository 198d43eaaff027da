"""Viewpoints: what a viewer may see of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.core.game import AnyGame, Seat, Step
from boardgames_cli.core.match import AnyMatch


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The view of one seat, of several seats together, of the public, or of everything."""

    seats: tuple[Seat, ...] = ()
    """The viewing seats; empty for the public view."""
    see_all: bool = False
    """Whether nothing is hidden."""

    @property
    def seat(self) -> Seat | None:
        """The viewing seat, the first of several; None is a spectator."""
        return self.seats[0] if self.seats else None

    def state(self, game: AnyGame, state: Any) -> Any:
        """A state as seen from this viewpoint."""
        if self.see_all:
            return state
        if len(self.seats) > 1:
            return game.redact_for_all(state, self.seats)
        return game.redact(state, self.seat)

    def step(self, game: AnyGame, before: Any, step: Step[Any, Any]) -> Step[Any, Any]:
        """A step as seen from this viewpoint; the state before it is unredacted."""
        if self.see_all:
            return step
        if len(self.seats) > 1:
            return game.redact_step_for_all(before, step, self.seats)
        return game.redact_step(before, step, self.seat)

    def step_of(self, match: AnyMatch, ply: int) -> Step[Any, Any]:
        """The step after a ply as seen from this viewpoint."""
        return self.step(match.game, match.state_at(ply), match.steps[ply])


PUBLIC: Final = Viewpoint()
"""The public view."""

ALL_SEEING: Final = Viewpoint(see_all=True)


def read_viewpoint(game: AnyGame, text: str) -> Viewpoint:
    """Parse a viewpoint: ``all``, ``public``, or the number or name of a seat.

    Raises:
        UnknownNameError: The text is not a viewpoint.
    """
    known = {"all": ALL_SEEING, "public": PUBLIC}
    for seat in range(game.seats):
        known[str(seat + 1)] = Viewpoint((seat,))
    for seat, name in enumerate(game.info.seat_names[: game.seats]):
        known[name.lower()] = Viewpoint((seat,))
    found = known.get(text.strip().lower())
    if found is None:
        raise UnknownNameError("viewpoint", text, list(known))
    return found
