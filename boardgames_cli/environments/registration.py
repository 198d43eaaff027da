"""The ids under which Gymnasium knows the games: ``boardgames/Senet-v0`` for ``senet``.

Gymnasium 1.0 asks packages no longer for their environments, so that somebody must import this
one: ``import boardgames_cli.environments``, or in one go
``gymnasium.make("boardgames_cli.environments:boardgames/Senet-v0")``.
"""

from __future__ import annotations

import re
from typing import Final

import gymnasium

from boardgames_cli.registry import game_ids

NAMESPACE: Final = "boardgames"
VERSION: Final = 0
"""Raised whenever results of a learner could differ: spaces, rewards, the way to an end."""


def gymnasium_id(game: str) -> str:
    """The id of a game's environment: its own id with capitals for hyphens."""
    name = "".join(part.capitalize() for part in re.split(r"[^0-9A-Za-z]+", game))
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_all() -> None:
    """Tell Gymnasium of every game, those of other packages too; what it knows is left alone."""
    for game in game_ids():
        id = gymnasium_id(game)
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="boardgames_cli.environments.seat:SeatEnvironment",
                kwargs={"game": game},
            )
