"""What may be disclosed of a match before it is over; used by all front ends and reports.

In a game with hidden information, nothing hidden may be disclosed, nor anything from which it can
be computed, such as the seed. Once the game is over, everything is public.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import step_texts
from boardgames_cli.storage.errorlog import log_error


def has_secrets(game: AnyGame) -> bool:
    """Whether a game has hidden information."""
    return Traits.HIDDEN in game.traits


def is_secret(match: AnyMatch) -> bool:
    """Whether something in a match must not be disclosed yet.

    A truncated match is not over: its hands were never shown.
    """
    return has_secrets(match.game) and not match.game.is_over(match.state)


def is_disclosed(match: AnyMatch) -> bool:
    """Whether a match is over and has disclosed its secrets, so that no step can be undone."""
    return has_secrets(match.game) and match.game.is_over(match.state)


def disclosed_seed(match: AnyMatch) -> int | None:
    """The seed of a match; None while it would reveal hidden information."""
    return None if is_secret(match) else match.seed


def disclosed_step(match: AnyMatch, ply: int, own: Sequence[Seat]) -> dict[str, str | None]:
    """The actions in the step after a ply, for programs.

    Args:
        match: The match.
        ply: The number of steps before.
        own: The viewer's seats; empty for public knowledge only.

    Returns:
        Notations by ``chance`` or seat number; None if not disclosed yet.
    """
    game, before, step = match.game, match.state_at(ply), match.steps[ply]
    disclosed = step
    if is_secret(match):
        disclosed = (
            game.redact_step_for_all(before, step, own)
            if own
            else game.redact_step(before, step, None)
        )
    return dict.fromkeys(step_texts(step)) | step_texts(disclosed)


def disclosed_failure(match: AnyMatch, name: str, error: GameError) -> str:
    """Why an agent failed; if something is secret, the details go to the error log only.

    The message of an error may name the agent's cards or position.
    """
    if not is_secret(match):
        return error.message
    with contextlib.suppress(OSError):
        return f"{name} failed; {log_error(error)} says why."
    return f"{name} failed."
