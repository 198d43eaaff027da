"""What may be told of a match before it is over; all front ends and reports ask here.

In a game with secrets nothing hidden is told, and nothing that hidden things can be computed from:
the seed repeats every deal. Once the game is over, nothing is secret any more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, Game, Seat, Traits
from boardgames_cli.core.match import Match
from boardgames_cli.storage.errorlog import log_error


def has_secrets(game: Game[Any, Any]) -> bool:
    """Whether something can be hidden from somebody in a game."""
    return Traits.HIDDEN in game.info.traits


def is_secret(match: Match[Any, Any]) -> bool:
    """Whether something in a match must not be told yet.

    A match that was cut short is not over: its hands were never shown.
    """
    return has_secrets(match.game) and not match.game.is_over(match.state)


def is_disclosed(match: Match[Any, Any]) -> bool:
    """Whether a match is over whose secrets have been told, so that no step can be taken back."""
    return has_secrets(match.game) and match.game.is_over(match.state)


def told_seed(match: Match[Any, Any]) -> int | None:
    """The seed of a match; None as long as it would give away what is hidden."""
    return None if is_secret(match) else match.seed


def told_step(match: Match[Any, Any], ply: int, own: Collection[Seat]) -> dict[str, str | None]:
    """Who did what in the step after a ply, for programs.

    Args:
        match: The match.
        ply: How many steps came before.
        own: The seats of the reader, who knows what they did.

    Returns:
        The notation by ``chance`` or the number of the seat; None is not told yet.
    """
    joint: Mapping[Seat, Any] = match.steps[ply].joint
    hides = is_secret(match)
    return {
        "chance" if seat == CHANCE else str(seat): (
            None if hides and seat not in own else str(action)
        )
        for seat, action in joint.items()
    }


def told_failure(match: Match[Any, Any], name: str, error: GameError) -> str:
    """Why an agent did not answer; where something is secret, that stands in the error log only.

    An error's text may name the agent's cards, or the position that it was in.
    """
    if not is_secret(match):
        return error.message
    with contextlib.suppress(OSError):
        return f"{name} failed; {log_error(error)} says why."
    return f"{name} failed."
