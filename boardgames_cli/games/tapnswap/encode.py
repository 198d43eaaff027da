"""Encoders of TapnSwap. Needs numpy (the extra ``numpy``).

Moves are numbered by the game's `action_id`: taps are 2 * own hand + tapped hand, swaps are 4 + 3 *
giving hand + fingers given - 1. `TapnSwapHands` and these numbers are those of the originally
published environment.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.encoder import ArrayField, Arrays, Encoder, RowEncoder
from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.tapnswap.actions import MOST, TapnSwapAction
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import Seen, TapnSwapState

_TAPS, _GIFTS = 4, 3
"""How many taps there are, and how many fingers a hand can give at most."""


@dataclass(frozen=True)
class TapnSwapEncoder(RowEncoder[TapnSwap, TapnSwapState, TapnSwapAction]):
    """The whole position from the viewer's side; a spectator has that of seat 0."""

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        most = self.game.max_plies
        return (
            ArrayField(
                "hands", (2, 2), "int8", 0, MOST, ("side", "hand"),
                "Fingers; the own side first, on each side the left hand first",
            ),
            ArrayField("turn", (2,), "int8", 0, 1, ("side",), "1 for the side whose turn it is"),
            ArrayField("moves_left", (), "int32", 0, most, (), "Moves until the game is a draw"),
        )  # fmt: skip

    def row(self, seen: Seen, dtype: str) -> npt.NDArray[Any]:
        state, seat = seen.state, seen.seat or 0
        own, other = state.hands[seat], state.hands[1 - seat]
        turn = state.player ^ seat
        left = max(0, self.game.max_plies - state.ply)
        return np.array((*own, *other, 1 - turn, turn, left), dtype=dtype)


@dataclass(frozen=True)
class TapnSwapHands(Encoder[TapnSwap, TapnSwapState, TapnSwapAction]):
    """The hands only, as in the originally published environment."""

    is_complete: ClassVar[bool] = False

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        return (
            ArrayField(
                "hands", (2, 2), "int8", 0, MOST, ("side", "hand"),
                "Fingers; first the viewer's side (for a spectator the side to move), then the "
                "other; on each side the left hand first",
            ),
        )  # fmt: skip

    def encode(self, seen: Seen) -> Arrays:
        seat = seen.state.player if seen.seat is None else seen.seat
        hands = seen.state.hands
        return {"hands": np.array((hands[seat], hands[1 - seat]), dtype=np.int8)}


def triple(game: TapnSwap, state: TapnSwapState, action: TapnSwapAction) -> tuple[int, int, int]:
    """A move in the code of the original: (0, tapping hand, tapped hand) or (1, giving hand, n).

    Hands are 0 (left) and 1 (right); n is how many fingers go to the other hand.
    """
    number = game.action_id(state, action)
    if number < _TAPS:
        return 0, *divmod(number, 2)
    giving, fingers = divmod(number - _TAPS, _GIFTS)
    return 1, giving, fingers + 1


def from_triple(game: TapnSwap, state: TapnSwapState, code: tuple[int, int, int]) -> TapnSwapAction:
    """The legal move for a code; see `triple`.

    Raises:
        UnknownActionError: There is no such legal move.
    """
    for action in game.legal_actions(state, state.player):
        if triple(game, state, action) == tuple(code):
            return action
    raise UnknownActionError(f"no legal move is {list(code)}.")
