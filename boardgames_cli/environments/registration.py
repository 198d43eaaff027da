"""The ids by which Gymnasium and PettingZoo know the games: ``boardgames/Senet-v0`` for ``senet``.

Gymnasium 1.0 asks packages no longer for their environments, so that somebody must import this
one: ``import boardgames_cli.environments``, or in one go
``gymnasium.make("boardgames_cli.environments:boardgames/Senet-v0")``.
"""

from __future__ import annotations

import re
from typing import Final

import gymnasium
import pettingzoo
from pettingzoo import EnvSpec

from boardgames_cli.core.info import Traits
from boardgames_cli.registry import find_game, list_games

NAMESPACE: Final = "boardgames"
_ROOM: Final = "boardgames_cli.environments"
VERSION: Final = 0
"""Raised whenever results of a learner could differ: spaces, rewards, the way to an end."""


def gymnasium_id(game: str) -> str:
    """The id of a game's environment: its own id with capitals for hyphens."""
    name = "".join(part.capitalize() for part in re.split(r"[^0-9A-Za-z]+", game))
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_all() -> None:
    """Tell both of every game, those of other packages too; what they know is left alone."""
    for info in list_games():
        id, game = gymnasium_id(info.id), {"game": info.id}
        if id not in gymnasium.registry:
            # Gymnasium takes the vector entry point wherever there is one, unless told otherwise.
            many = f"{_ROOM}.vector:VectorEnvironment" if find_game(info.id).batch else None
            gymnasium.register(
                id,
                entry_point=f"{_ROOM}.seat:SeatEnvironment",
                vector_entry_point=many,
                kwargs=game,
            )
        if EnvSpec(id).id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", id, f"{_ROOM}.aec:AecEnvironment", kwargs=game)
            if Traits.SIMULTANEOUS in info.traits:
                entry_point = f"{_ROOM}.parallel:ParallelEnvironment"
                pettingzoo.register("parallel", id, entry_point, kwargs=game)
