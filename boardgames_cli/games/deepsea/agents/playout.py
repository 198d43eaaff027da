"""Plays the rest of a round by plans: a second copy of the rules, for searches alone.

It changes a `plans.Sea` in place, and leaves out what no search asks for.
tests/games/deepsea/agents/test_playout.py plays it against the rules, turn by turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.deepsea.agents.plans import (
    SLOTS,
    Plan,
    Sea,
    drops,
    lowest_slot,
    returns,
    takes,
)
from boardgames_cli.games.deepsea.state import IN_TURN, DeepSeaState

STREAM: Final = 24
"""The throws that a seat has before they come again from the first."""
MOST_TURNS: Final = 300
"""A round in which nobody carries anything need not end; a thought about it must."""
DIRECTION, DICE, CHIP = 0, 1, 2
TURN_PHASES: Final = dict(zip(IN_TURN, (DIRECTION, DICE, CHIP), strict=True))


def turn_back(sea: Sea, seat: int) -> None:
    """Let a diver turn back."""
    load = sea.loads[seat]
    sea.diving[seat] = 0
    sea.sinking -= load
    sea.rising += load
    sea.divers -= 1


def move(sea: Sea, seat: int, thrown: int) -> None:
    """Move a diver by its throw, less its load."""
    places, blocked = sea.places, sea.blocked
    steps = thrown - sea.loads[seat]
    if steps <= 0:
        return
    start = place = there = places[seat]
    if sea.diving[seat]:
        last = len(blocked) - 1
        while steps and there < last:
            there += 1
            if not blocked[there]:
                place = there
                steps -= 1
        if not sea.outermost:
            sea.diving[seat] = 0
            sea.divers -= 1
        elif place:
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
            sea.rising -= sea.loads[seat]
    if place != start:
        if start:
            blocked[start] = 0
        places[seat] = place


def carry(sea: Sea, seat: int, chips: int, worth: float) -> None:
    """Count a chip more or less that a diver carries."""
    sea.loads[seat] += chips
    sea.carried[seat] += worth
    if sea.diving[seat]:
        sea.sinking += chips
    else:
        sea.rising += chips


def take(sea: Sea, seat: int) -> None:
    """Let a diver take the chip that it is on."""
    place = sea.places[seat] - 1
    chip = sea.trail[place]
    sea.held[seat * SLOTS + sea.loads[seat]] = chip
    sea.trail[place] = 0
    carry(sea, seat, 1, sea.worth[chip])


def drop(sea: Sea, seat: int) -> None:
    """Let a diver put its lowest chip down on the blank that it is on."""
    held, first = sea.held, seat * SLOTS
    slot = lowest_slot(sea, seat)
    chip = held[first + slot]
    for later in range(slot, sea.loads[seat] - 1):
        held[first + later] = held[first + later + 1]
    sea.trail[sea.places[seat] - 1] = chip
    carry(sea, seat, -1, -sea.worth[chip])


def next_seat(sea: Sea, seat: int) -> int:
    """Let the next diver who is not home begin its turn; -1 if the round is over."""
    places, diving, oxygen = sea.places, sea.diving, sea.oxygen
    if oxygen <= 0:
        return -1
    seats = len(places)
    for _ in range(seats):
        seat += 1
        if seat == seats:
            seat = 0
        if places[seat] or diving[seat]:
            load = sea.loads[seat]
            sea.oxygen = oxygen - load if oxygen > load else 0
            return seat
    return -1


def finish_round(
    sea: Sea,
    plans: Sequence[Plan],
    dice: Sequence[int],
    slips: Sequence[float],
    seat: int,
    phase: int,
) -> None:
    """Play until the oxygen is used up or everybody is home.

    Args:
        sea: The position; it is changed.
        plans: By seat its plan.
        dice: Throws, `STREAM` for each seat; a seat throws the same whatever the others do.
        slips: As many numbers from 0 to 1; they say when somebody departs from its plan.
        seat: Whose turn it is; its oxygen is paid.
        phase: `DIRECTION`, `DICE` or `CHIP`. -1 means that the turn is over.
    """
    places, diving, loads, trail = sea.places, sea.diving, sea.loads, sea.trail
    turns = [seat * STREAM for seat in range(len(places))]
    for _ in range(MOST_TURNS):
        plan = plans[seat]
        luck = turns[seat]
        turns[seat] = luck + 1 if luck + 1 < (seat + 1) * STREAM else seat * STREAM
        slip, often = slips[luck], plan.slip
        decides = phase == DIRECTION and slip >= plan.hesitation
        if decides and returns(plan, sea, seat) != (slip < often):
            turn_back(sea, seat)
        if phase in (DIRECTION, DICE):
            move(sea, seat, dice[luck])
        place = places[seat]
        if place and phase >= 0:
            if trail[place - 1]:
                if takes(plan, sea, seat) != (slip > 1.0 - often):
                    take(sea, seat)
            elif loads[seat] and drops(plan, sea, seat) != (slip > 1.0 - often):
                drop(sea, seat)
        seat = next_seat(sea, seat)
        if seat < 0:
            return
        phase = DIRECTION if places[seat] and diving[seat] else DICE


class Continuation:
    """A position in the middle of a round, which can be played on again and again."""

    def __init__(self, state: DeepSeaState) -> None:
        self._sea = Sea.of(state)
        self._seat = state.current
        self._phase = TURN_PHASES[state.phase]

    def finish(self, plans: Sequence[Plan], dice: Sequence[int], slips: Sequence[float]) -> Sea:
        """How the round ends with some luck; see `finish_round`."""
        sea = self._sea.copy()
        finish_round(sea, plans, dice, slips, self._seat, self._phase)
        return sea
