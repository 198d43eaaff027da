"""Laws of bounds: no return lies outside the declared utility, no game is longer than declared."""

from __future__ import annotations

import math
from typing import Final

from boardgames_cli.core.game import AnyGame
from boardgames_cli.testing.report import Law, demand
from boardgames_cli.testing.scene import Scene


def declares_its_bounds(game: AnyGame) -> None:
    """The utility is a least and a greatest finite number; longest is None or a whole number."""
    least, greatest = game.utility
    demand(
        math.isfinite(least) and math.isfinite(greatest) and least <= greatest,
        f"utility is {game.utility}",
        "Give (least, greatest) as finite numbers.",
    )
    longest = game.longest
    demand(
        longest is None or (type(longest) is int and longest >= 0),
        f"longest is {longest!r}",
        "Give a number of steps, or None where there is no bound.",
    )


def stays_within_its_utility(scene: Scene) -> None:
    """The returns of no seat ever lie outside the game's utility."""
    least, greatest = scene.game.utility
    returns = scene.game.returns(scene.state)
    demand(
        all(least <= value <= greatest for value in returns),
        f"the returns are {returns}, but utility is {scene.game.utility}",
        "Let utility hold the least and the greatest return that any seat can ever have.",
    )


def ends_in_time(scene: Scene) -> None:
    """A game has never more steps than longest, chance included."""
    longest = scene.game.longest
    demand(
        longest is None or scene.ply < longest or not scene.game.to_act(scene.state),
        f"after {scene.ply} steps the game goes on, but longest is {longest}",
        "Count the steps of chance too; give None if there is no bound.",
    )


GAME_LAWS: Final[tuple[Law, ...]] = (declares_its_bounds,)
BASIC_LAWS: Final[tuple[Law, ...]] = (stays_within_its_utility, ends_in_time)
"""Checked at every state, before the match takes the next step."""
