"""An estimate of TapnSwap positions without search."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.games.tapnswap.actions import Hands, tapped
from boardgames_cli.games.tapnswap.state import TapnSwapState

_TURN: Final = 0.3

_FINGER: Final = 0.15
"""The value of one more finger than the other side: it threatens, and it can be swapped."""

_SURE: Final = 0.99


def evaluate(game: AnyGame, state: TapnSwapState, seat: Seat) -> float:
    """An estimate of the seat's final return, between -1 and 1.

    It counts fingers and the turn, and detects a winning tap; the sign is correct in four of five
    positions.
    """
    del game  # independent of the options
    own, opponent = state.hands[state.player], state.hands[1 - state.player]
    if _wins_at_once(own, opponent):
        value = _SURE
    else:
        value = max(-_SURE, min(_SURE, _TURN + _FINGER * (sum(own) - sum(opponent))))
    return value if seat == state.player else -value


def _wins_at_once(own: Hands, opponent: Hands) -> bool:
    return not min(opponent) and not tapped(max(opponent), max(own))
