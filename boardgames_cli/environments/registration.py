"""Registration of the games with Gymnasium and PettingZoo: ``boardgames/Senet-v0`` for ``senet``.

Since version 1.0, Gymnasium no longer discovers environments of packages, so this package must be
imported: ``import boardgames_cli.environments``, or in one step
``gymnasium.make("boardgames_cli.environments:boardgames/Senet-v0")``.
"""

from __future__ import annotations

import re
from typing import Final

import gymnasium
import pettingzoo
from pettingzoo import EnvSpec

from boardgames_cli.core.game import Traits
from boardgames_cli.registry import find_game, list_games

NAMESPACE: Final = "boardgames"
_ROOM: Final = "boardgames_cli.environments"
VERSION: Final = 0
"""Increased whenever learning results could differ: spaces, rewards, termination."""


def gymnasium_id(game: str) -> str:
    """The id of a game's environment: its own id with capitals for hyphens."""
    name = "".join(part.capitalize() for part in re.split(r"[^0-9A-Za-z]+", game))
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_all() -> None:
    """Register every game, including those of plug-ins; existing registrations are kept."""
    for info in list_games():
        id, game = gymnasium_id(info.id), {"game": info.id}
        if id not in gymnasium.registry:
            # Gymnasium prefers the vector entry point if there is one.
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
