"""Plays the rest of a round by plans: a second copy of the rules, for searches alone.

It holds the position in flat sequences of numbers (`plans.Sea`), changes them in place, and leaves
out what no search asks for. tests/games/deepsea/agents/test_playout.py plays it against the rules,
turn by turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.deepsea.agents.plans import (
    DIVERS,
    HESITATION,
    HOME,
    NEED,
    OXYGEN,
    RISING,
    SINKING,
    SLIP,
    SLOTS,
    Sea,
    Tables,
    drops,
    lowest_slot,
    returns,
    takes,
)
from boardgames_cli.games.deepsea.chips import GONE
from boardgames_cli.games.deepsea.state import IN_TURN, DeepSeaState

STREAM: Final = 24
"""The throws that a seat has before they come again from the first."""
MOST_TURNS: Final = 300
"""A round in which nobody carries anything need not end; a thought about it must."""
DIRECTION, DICE, CHIP = 0, 1, 2
TURN_PHASES: Final = dict(zip(IN_TURN, (DIRECTION, DICE, CHIP), strict=True))


def turn_back(sea: Sea, seat: int) -> None:
    """Let a diver turn back."""
    tank, load = sea[7], sea[2][seat]
    sea[1][seat] = 0
    tank[SINKING] -= load
    tank[RISING] += load
    tank[DIVERS] -= 1


def move(sea: Sea, seat: int, thrown: int) -> None:
    """Move a diver by its throw, less its load."""
    places, blocked = sea[0], sea[6]
    steps = thrown - sea[2][seat]
    if steps <= 0:
        return
    start = place = there = places[seat]
    if sea[1][seat]:
        last = len(blocked) - 1
        while steps and there < last:
            there += 1
            if not blocked[there]:
                place = there
                steps -= 1
        blocked[place] = 1
    else:
        while steps and there:
            there -= 1
            if not blocked[there]:
                steps -= 1
        place = there
        if place:
            blocked[place] = 1
        else:
            sea[7][RISING] -= sea[2][seat]
    if place != start:
        if start:
            blocked[start] = 0
        places[seat] = place


def take(sea: Sea, tables: Tables, seat: int) -> None:
    """Let a diver take the chip that it is on."""
    loads, trail, tank = sea[2], sea[5], sea[7]
    place, load = sea[0][seat] - 1, loads[seat]
    chip = trail[place]
    sea[4][seat * SLOTS + load] = chip
    sea[3][seat] += tables[1][chip]
    trail[place] = 0
    loads[seat] = load + 1
    if sea[1][seat]:
        tank[SINKING] += 1
    else:
        tank[RISING] += 1


def drop(sea: Sea, tables: Tables, seat: int) -> None:
    """Let a diver put its lowest chip down on the blank that it is on."""
    held, tank = sea[4], sea[7]
    slot = lowest_slot(sea, tables, seat)
    first = seat * SLOTS
    chip = held[first + slot]
    load = sea[2][seat] - 1
    for later in range(slot, load):
        held[first + later] = held[first + later + 1]
    sea[2][seat] = load
    sea[3][seat] -= tables[1][chip]
    sea[5][sea[0][seat] - 1] = chip
    if sea[1][seat]:
        tank[SINKING] -= 1
    else:
        tank[RISING] -= 1


def next_seat(sea: Sea, seat: int) -> int:
    """Let the next diver who is not home begin its turn; -1 if the round is over."""
    places, diving, tank = sea[0], sea[1], sea[7]
    oxygen = tank[OXYGEN]
    if oxygen <= 0:
        return -1
    seats = len(places)
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        if places[seat] or diving[seat]:
            load = sea[2][seat]
            tank[OXYGEN] = oxygen - load if oxygen > load else 0
            return seat
    return -1


def finish_round(
    sea: Sea,
    tables: Tables,
    plans: Sequence[float],
    bases: Sequence[int],
    dice: Sequence[int],
    slips: Sequence[float],
    seat: int,
    phase: int,
) -> None:
    """Play until the oxygen is used up or everybody is home.

    Args:
        sea: The position; it is changed.
        tables: What chips are worth, and the odds.
        plans: Plans, one after the other.
        bases: By seat where in ``plans`` its plan begins.
        dice: Throws, `STREAM` for each seat; a seat throws the same whatever the others do.
        slips: As many numbers from 0 to 1; they say when somebody departs from its plan.
        seat: Whose turn it is; its oxygen is paid.
        phase: `DIRECTION`, `DICE` or `CHIP`. -1 means that the turn is over.
    """
    places, diving, loads, trail = sea[0], sea[1], sea[2], sea[5]
    turns = [seat * STREAM for seat in range(len(places))]
    for _ in range(MOST_TURNS):
        base = bases[seat]
        luck = turns[seat]
        turns[seat] = luck + 1 if luck + 1 < (seat + 1) * STREAM else seat * STREAM
        slip, often = slips[luck], plans[base + SLIP]
        decides = phase == DIRECTION and slip >= plans[base + HESITATION]
        if decides and returns(sea, tables, plans, base, seat) != (slip < often):
            turn_back(sea, seat)
        if phase in (DIRECTION, DICE):
            move(sea, seat, dice[luck])
        place = places[seat]
        if place and phase >= 0:
            if trail[place - 1]:
                if takes(sea, tables, plans, base, seat) != (slip > 1.0 - often):
                    take(sea, tables, seat)
            elif loads[seat] and drops(sea, tables, plans, base, seat) != (slip > 1.0 - often):
                drop(sea, tables, seat)
        seat = next_seat(sea, seat)
        if seat < 0:
            return
        phase = DIRECTION if places[seat] and diving[seat] else DICE


def sea_of(state: DeepSeaState, worth: Sequence[float]) -> Sea:
    """The numbers of a position.

    Args:
        state: The position, in the middle of a round.
        worth: By chip what it is worth.
    """
    seats = len(state.places)
    loads = [*map(len, state.held)]
    carried = [sum([worth[chip] for chip in chips]) for chips in state.held]
    held = [0] * (seats * SLOTS)
    for seat, chips in enumerate(state.held):
        held[seat * SLOTS : seat * SLOTS + len(chips)] = chips
    blocked = [0, *(chip == GONE for chip in state.trail)]
    for place in state.places:
        if place:
            blocked[place] = 1
    tank = [state.oxygen, 0, 0, sum(state.diving), len(state.trail.rstrip(bytes((GONE,))))]
    for seat, load in enumerate(loads):
        if state.diving[seat]:
            tank[SINKING] += load
        elif state.places[seat]:
            tank[RISING] += load
    return (
        list(state.places), [*map(int, state.diving)], loads, carried, held, list(state.trail),
        [*map(int, blocked)], tank,
    )  # fmt: skip


def tables_of(trail: bytes, worth: Sequence[float]) -> Tables:
    """The tables that plans read.

    Args:
        trail: What lies on each place; what is removed counts alone.
        worth: By chip what it is worth.
    """
    ways, way = [1], 0
    for chip in trail:
        way += chip != GONE
        ways.append(max(1, way))
    # What lies on a place may also be `GONE`, which is worth nothing.
    return ways, [*worth, *[0.0] * (GONE + 1 - len(worth))], HOME, NEED


def copied(sea: Sea) -> Sea:
    """A copy that can be changed."""
    places, diving, loads, values, held, trail, blocked, tank = sea
    return (
        places.copy(), diving.copy(), loads.copy(), values.copy(), held.copy(), trail.copy(),
        blocked.copy(), tank.copy(),
    )  # fmt: skip
