"""Deep Sea Adventure for learners: an observation as 83 integers, decisions as 1 and 0.

The vector is that of the environment this game was first published in. Needs numpy (the extra
``numpy``).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.games.deepsea.actions import MOST_PLAYERS, Choice
from boardgames_cli.games.deepsea.chips import BLANK, GONE, PLACES, WEIGHT
from boardgames_cli.games.deepsea.state import DeepSeaState

OTHERS: Final = MOST_PLAYERS - 1
LENGTH: Final = 4 + 3 * OTHERS + 2 * PLACES


def vector(seen: Observation[DeepSeaState, Choice]) -> npt.NDArray[np.int64]:
    """What a seat sees.

    Returns:
        An array of shape [83] and type int64: 0 the oxygen, 1 the own place (0 the submarine),
        2 the own load, 3 the own direction (1 diving); 4-8 places, 9-13 loads, 14-18 directions of
        the others in seat order, padded with 0; 19-50 the dots on each place (0 blank or removed, a
        stack all its dots); 51-82 1 where a place will be skipped (removed, or another diver's).
    """
    assert seen.seat is not None, "a spectator has no place of its own"
    state, seat = seen.state, seen.seat
    others = [other for other in range(len(state.places)) if other != seat]
    array = np.zeros(LENGTH, dtype=np.int64)
    array[0] = state.oxygen
    array[1:4] = _diver(state, seat)
    for index, other in enumerate(others):
        array[4 + index : 4 + 3 * OTHERS : OTHERS] = _diver(state, other)
    elsewhere = {state.places[other] for other in others}
    for place, chip in enumerate(state.trail, start=1):
        at = 4 + 3 * OTHERS + place - 1
        array[at] = 0 if chip in (BLANK, GONE) else WEIGHT[chip]
        array[at + PLACES] = chip == GONE or place in elsewhere
    return array


def _diver(state: DeepSeaState, seat: Seat) -> tuple[int, int, int]:
    return state.places[seat], len(state.held[seat]), int(state.diving[seat])
