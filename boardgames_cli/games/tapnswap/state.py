"""A position of TapnSwap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from boardgames_cli.core.codec import Whole
from boardgames_cli.core.game import Seat
from boardgames_cli.games.tapnswap.actions import Hands


@dataclass(frozen=True, slots=True)
class TapnSwapState:
    """A position: the fingers of all hands, whose turn it is, and how long the game has lasted.

    The plies count for nothing but the draw at the end of a long game. They are not part of the
    position: equal positions are equal states, whatever ply they came up at, so that tables and
    solvers meet each position once; and a position read from a file begins at ply 0.
    """

    hands: tuple[Hands, Hands]
    """For each seat the fingers of the left and the right hand."""
    player: Annotated[Seat, Whole(0, 1)]
    ply: int = field(default=0, compare=False)
