"""A position of TapnSwap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from boardgames_cli.codec.fields import Whole
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.games.tapnswap.actions import Hands, TapnSwapAction


@dataclass(frozen=True, slots=True)
class TapnSwapState:
    """A position: the fingers of all hands, whose turn it is, and how long the game has lasted.

    The plies matter only for the draw at the end of a long game. They are not part of the position:
    equality ignores them, so that tables and solvers see each position once, and a position read
    from a file starts at ply 0.
    """

    hands: tuple[Hands, Hands]
    """The fingers of the left and the right hand of each seat."""
    player: Annotated[Seat, Whole(0, 1)]
    ply: int = field(default=0, compare=False)


Seen: TypeAlias = Observation[TapnSwapState, TapnSwapAction]
