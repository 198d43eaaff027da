"""What may be seen: viewpoints of a match, and what is disclosed before it is over.

In a game with hidden information, nothing hidden may be disclosed, nor anything from which it can
be computed, such as the seed. Once the game is over, everything is public.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import GameError, UnknownNameError
from boardgames_cli.core.game import AnyGame, Seat, Step, Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import step_texts
from boardgames_cli.storage.paths import log_error


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The view of one seat, of several seats together, of the public, or of everything."""

    seats: tuple[Seat, ...] = ()
    """The viewing seats; empty for the public view."""
    see_all: bool = False

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
        known = [game.redact_step(before, step, seat) for seat in self.seats or (None,)]
        if step.is_chance:
            outcomes = (part.outcome for part in known if part.outcome is not None)
            return Step.of_chance(next(outcomes, None))
        shown = {seat for part in known for seat in part.joint}
        return Step({seat: action for seat, action in step.joint.items() if seat in shown})

    def step_of(self, match: AnyMatch, ply: int) -> Step[Any, Any]:
        """The step after a ply as seen from this viewpoint."""
        step = match.steps[ply]
        return self.step(match.game, match.state_at(ply), step) if match.is_whole else step


PUBLIC: Final = Viewpoint()

ALL_SEEING: Final = Viewpoint(see_all=True)


def read_viewpoint(game: AnyGame, text: str) -> Viewpoint:
    """Parse a viewpoint: ``all``, ``public``, or the number or name of a seat."""
    known = {"all": ALL_SEEING, "public": PUBLIC}
    for seat in range(game.seats):
        known[str(seat + 1)] = Viewpoint((seat,))
    for seat, name in enumerate(game.info.seat_names[: game.seats]):
        known[name.lower()] = Viewpoint((seat,))
    found = known.get(text.strip().lower())
    if found is None:
        raise UnknownNameError("viewpoint", text, list(known))
    return found


def has_secrets(game: AnyGame) -> bool:
    """Whether a game has hidden information."""
    return Traits.HIDDEN in game.traits


def is_secret(match: AnyMatch) -> bool:
    """Whether something in a match must not be disclosed yet.

    A truncated match is not over, unless its players ended it: its hands were never shown.
    """
    return has_secrets(match.game) and not match.has_result


def disclosed_seed(match: AnyMatch) -> int | None:
    """The seed of a match; None while it would reveal hidden information, or is not known."""
    return match.seed if match.is_whole and not is_secret(match) else None


_LONGEST_SEED: Final = 10
"""The digits of a seed that boards show: those that people choose are short."""


def short_seed(match: AnyMatch) -> int | None:
    """The seed of a match for boards; None if it may not be disclosed or is long."""
    seed = disclosed_seed(match)
    return None if seed is None or len(str(abs(seed))) > _LONGEST_SEED else seed


def disclosed_step(match: AnyMatch, ply: int, own: Sequence[Seat]) -> dict[str, str | None]:
    """The actions in the step after a ply, for programs.

    Notations by ``chance`` or seat number, None if not disclosed yet; without own seats, only what
    is public.
    """
    disclosed = Viewpoint(tuple(own), see_all=not is_secret(match)).step_of(match, ply)
    return dict.fromkeys(step_texts(match.steps[ply])) | step_texts(disclosed)


def disclosed_failure(match: AnyMatch, name: str, error: GameError) -> str:
    """Why an agent failed; if something is secret, the details go to the error log only.

    The message of an error may name the agent's cards or position.
    """
    if not is_secret(match):
        return error.message
    with contextlib.suppress(OSError):
        return f"{name} failed; {log_error(error)} says why."
    return f"{name} failed."
