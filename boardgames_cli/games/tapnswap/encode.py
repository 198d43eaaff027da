"""TapnSwap for learners: arrays of fingers and of legal ids. Needs numpy (extra ``numpy``)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.game import Observation
from boardgames_cli.games.tapnswap.actions import TapnSwapAction
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState


def fingers(seen: Observation[TapnSwapState, TapnSwapAction]) -> npt.NDArray[np.int8]:
    """The fingers of all hands.

    Returns:
        An array of shape [2, 2] and type int8: row 0 are the hands of the seat that looks (of the
        side to move for a spectator), row 1 the other side's; column 0 left, column 1 right.
    """
    seat = seen.state.player if seen.seat is None else seen.seat
    return np.array([seen.state.hands[seat], seen.state.hands[1 - seat]], dtype=np.int8)


def mask(game: TapnSwap, seen: Observation[TapnSwapState, TapnSwapAction]) -> npt.NDArray[np.int8]:
    """Which ids are legal.

    Returns:
        An array of shape [10] and type int8: 1 where the id stands for a legal move.
    """
    array = np.zeros(game.action_count, dtype=np.int8)
    for action in seen.legal:
        array[game.action_id(seen.state, action)] = 1
    return array
