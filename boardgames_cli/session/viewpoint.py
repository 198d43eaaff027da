"""Through whose eyes a table is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.core.game import AnyGame, Seat, Step


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Those of one seat, of several that show each other what they see, of nobody, or of all."""

    seats: tuple[Seat, ...] = ()
    """Whose they are; without any, what everybody knows is seen."""
    see_all: bool = False
    """Whether nothing is hidden from them."""

    @property
    def seat(self) -> Seat | None:
        """The seat that looks, the first of several; None is a spectator."""
        return self.seats[0] if self.seats else None

    def state(self, game: AnyGame, state: Any) -> Any:
        """A state as these eyes see it."""
        if self.see_all:
            return state
        if len(self.seats) > 1:
            return game.redact_for_all(state, self.seats)
        return game.redact(state, self.seat)

    def step(self, game: AnyGame, before: Any, step: Step[Any, Any]) -> Step[Any, Any]:
        """A step as these eyes see it; the state before it is the full one."""
        if self.see_all:
            return step
        if len(self.seats) > 1:
            return game.redact_step_for_all(before, step, self.seats)
        return game.redact_step(before, step, self.seat)


PUBLIC: Final = Viewpoint()
"""What everybody knows."""

ALL_SEEING: Final = Viewpoint(see_all=True)


def read_viewpoint(game: AnyGame, text: str) -> Viewpoint:
    """The eyes that a text stands for: ``all``, ``public``, or the number or name of a seat.

    Raises:
        UnknownNameError: It stands for none.
    """
    known = {"all": ALL_SEEING, "public": PUBLIC}
    for seat in range(game.seats):
        known[str(seat + 1)] = Viewpoint((seat,))
    for seat, name in enumerate(game.info.seat_names[: game.seats]):
        known[name.lower()] = Viewpoint((seat,))
    found = known.get(text.strip().lower())
    if found is None:
        raise UnknownNameError("viewer", text, list(known))
    return found
