"""What may be disclosed of a match before it is over; all front ends and reports ask here.

In a game with hidden information nothing hidden is disclosed, and nothing from which it can be
computed: the seed repeats every deal. Once the game is over, nothing is secret any more.
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
    """Whether a game can hide anything from anybody."""
    return Traits.HIDDEN in game.traits


def is_secret(match: AnyMatch) -> bool:
    """Whether something in a match must not be disclosed yet.

    A match that was cut short is not over: its hands were never shown.
    """
    return has_secrets(match.game) and not match.game.is_over(match.state)


def is_disclosed(match: AnyMatch) -> bool:
    """Whether a match is over and has disclosed its secrets: no step can be taken back."""
    return has_secrets(match.game) and match.game.is_over(match.state)


def disclosed_seed(match: AnyMatch) -> int | None:
    """The seed of a match; None as long as it would give away what is hidden."""
    return None if is_secret(match) else match.seed


def disclosed_step(match: AnyMatch, ply: int, own: Sequence[Seat]) -> dict[str, str | None]:
    """Who did what in the step after a ply, for programs.

    Args:
        match: The match.
        ply: How many steps came before.
        own: The seats of the reader; without any, what everybody knows.

    Returns:
        The notation by ``chance`` or the number of the seat; None is not disclosed yet.
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
    """Why an agent did not answer; where something is secret, that stands in the error log only.

    An error's text may name the agent's cards, or the position that it was in.
    """
    if not is_secret(match):
        return error.message
    with contextlib.suppress(OSError):
        return f"{name} failed; {log_error(error)} says why."
    return f"{name} failed."
