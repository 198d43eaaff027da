"""What agents that put a number on every action have in common."""

from __future__ import annotations

import random
from typing import Any, Final, TypeVar

from boardgames_cli.core.game import Game, Seat
from boardgames_cli.core.spec import Heuristic

ActionT = TypeVar("ActionT")

_SAME: Final = 1e-9
"""Values that differ by less are equal: the rest is rounding."""


def pick_best(values: dict[ActionT, float], rng: random.Random) -> ActionT:
    """The action with the highest value; among equals any, with equal chances."""
    top = max(values.values())
    return rng.choice([action for action, value in values.items() if value >= top - _SAME])


def estimate(game: Game[Any, Any], heuristic: Heuristic, state: Any, seat: Seat) -> float:
    """The seat's return where the game is over, otherwise what the heuristic expects it to be."""
    if game.is_over(state):
        return game.returns(state)[seat]
    return heuristic(game, state, seat)
