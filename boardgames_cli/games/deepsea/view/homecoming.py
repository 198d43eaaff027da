"""Each diver's chance of getting home, from public information.

The numbers assume that all loads stay as they are. If others take more chips the chance falls, if
they come home it rises.
"""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.odds import MOST_TURNS, chance_home, way_home
from boardgames_cli.games.deepsea.chips import GONE
from boardgames_cli.games.deepsea.state import IN_TURN, DeepSeaState, Phase

_EVEN: Final = 0.5


def chance(state: DeepSeaState, seat: Seat) -> float | None:
    """The chance to get home by turning back at once; None in the submarine and between rounds."""
    if not state.places[seat] or state.phase not in IN_TURN:
        return None
    load, way = len(state.held[seat]), way_home(state.trail, state.places[seat])
    return chance_home(way, load, turns_to_come(state, seat))


def no_return(state: DeepSeaState, seat: Seat) -> int | None:
    """The deepest place from which a diver who dives on still gets home with probability over 1/2.

    The model: it dives once more with its present load and then turns back.

    Returns:
        A place; 0 if there is none. None if no place is too deep, for divers that are not diving on
        the trail, and between rounds.
    """
    if not state.diving[seat] or not state.places[seat] or state.phase not in IN_TURN:
        return None
    load, turns = len(state.held[seat]), turns_to_come(state, seat) - 1
    open_places = [place for place, chip in enumerate(state.trail, start=1) if chip != GONE]
    safe = [
        place
        for place in open_places
        if chance_home(way_home(state.trail, place), load, turns) >= _EVEN
    ]
    return None if len(safe) == len(open_places) else max(safe, default=0)


@functools.lru_cache(maxsize=256)  # a picture asks again for every diver
def turns_to_come(state: DeepSeaState, seat: Seat) -> int:
    """The number of turns a diver has left before the tank is empty; at most `MOST_TURNS`."""
    oxygen, turns = state.oxygen, 0
    loads = [0 if state.is_home(other) else len(held) for other, held in enumerate(state.held)]
    mover = state.current
    has_moved = state.phase is Phase.CHIP
    if mover == seat and not has_moved:
        turns = 1  # this turn is paid for
    while oxygen and turns < MOST_TURNS:
        if not any(loads):
            return MOST_TURNS
        mover = (mover + 1) % len(loads)
        if not state.is_home(mover):
            oxygen = max(0, oxygen - loads[mover])
            turns += mover == seat
    return turns
