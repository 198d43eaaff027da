"""Who will get home, as all divers can work it out: how long the oxygen lasts, and for how far.

The numbers hold if everybody keeps what they carry now: others may take more, and it gets worse, or
come home, and it gets better.
"""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.agents.odds import MOST_TURNS, chance_home
from boardgames_cli.games.deepsea.chips import GONE
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

_EVEN: Final = 0.5
_TURNS: Final = (Phase.DIRECTION, Phase.DICE, Phase.CHIP)


def chance(state: DeepSeaState, seat: Seat) -> float | None:
    """The chance of a diver to get home by turning back as soon as it can.

    Returns:
        None for divers that are in the submarine, and between the rounds.
    """
    if not state.places[seat] or state.phase not in _TURNS:
        return None
    load, way = len(state.held[seat]), _way_home(state, state.places[seat])
    return chance_home(way, load, turns_to_come(state, seat))


def no_return(state: DeepSeaState, seat: Seat) -> int | None:
    """The deepest place from which a diver who dives on will still get home more often than not.

    It dives once more, with what it carries now, and turns back there.

    Returns:
        A place; 0 if there is none. None where no place is too deep, for divers that don't dive
        from a place, and between the rounds.
    """
    if not state.diving[seat] or not state.places[seat] or state.phase not in _TURNS:
        return None
    load, turns = len(state.held[seat]), turns_to_come(state, seat) - 1
    open_places = [place for place, chip in enumerate(state.trail, start=1) if chip != GONE]
    safe = [
        place for place in open_places if chance_home(_way_home(state, place), load, turns) >= _EVEN
    ]
    return None if len(safe) == len(open_places) else max(safe, default=0)


@functools.lru_cache(maxsize=256)  # a picture asks again for every diver
def turns_to_come(state: DeepSeaState, seat: Seat) -> int:
    """How often a diver will still move before the tank is empty; at most `MOST_TURNS`."""
    oxygen, turns = state.oxygen, 0
    loads = [
        len(held) if state.places[other] or state.diving[other] else 0
        for other, held in enumerate(state.held)
    ]
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


def _way_home(state: DeepSeaState, place: int) -> int:
    """The steps home from a place, over all that is not removed."""
    return place - state.trail.count(GONE, 0, place - 1)
