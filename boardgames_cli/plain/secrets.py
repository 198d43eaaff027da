"""Games with secrets need a screen that can be wiped, and this front end has none."""

from __future__ import annotations

from collections.abc import Sequence

from boardgames_cli.core.errors import SeatError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import split_agent
from boardgames_cli.session.seats import HUMAN


def check_shared_screen(game: AnyGame, seats: Sequence[str], is_agreed: bool) -> None:
    """Refuse to show the secrets of several people on one page that scrolls.

    Args:
        game: What is to be played.
        seats: The specification of every seat.
        is_agreed: Whether the players said that they don't mind.

    Raises:
        SeatError: Two or more people would see each other's secrets.
    """
    people = sum(split_agent(spec)[0] == HUMAN for spec in seats)
    if people < 2 or is_agreed or not game.needs_lock_screen:
        return
    raise SeatError(
        f"{game.info.name} has secrets, and plain text can't hide them from {people} people: "
        "it stays on the screen.",
        "Play in a terminal without --plain, or say that you don't mind: --shared-screen",
    )
