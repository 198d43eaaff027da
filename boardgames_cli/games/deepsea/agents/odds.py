"""The odds of a dive: oxygen, the others' loads, the way home, and what chips are worth.

The table of odds is exact for a diver who is alone on the trail; others change the way a little
(their places are leapt over) and the oxygen a lot, which is why the drain is an argument.
"""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import FACES, THROWS
from boardgames_cli.games.deepsea.chips import DOTS, GONE, LEVELS, PLACES, VALUES, hidden_values
from boardgames_cli.games.deepsea.state import DeepSeaState

MOST_TURNS: Final = 40
"""Nobody needs more: without any load the tank lasts for ever."""

SLOWEST: Final = 6
"""The fewest chips with which no throw moves a diver."""

SUMS: Final = tuple(
    sum(throw.steps(0) == total for throw in THROWS) / len(THROWS)
    for total in range(2 * max(FACES) + 1)
)
"""The chance of every sum of two dice."""


@functools.cache
def step_chances(load: int) -> tuple[tuple[int, float], ...]:
    """How many steps a diver with a load makes in one turn, with the chances."""
    chances = [0.0] * len(SUMS)
    for total, chance in enumerate(SUMS):
        chances[max(0, total - load)] += chance
    return tuple((steps, chance) for steps, chance in enumerate(chances) if chance)


@functools.cache
def home_chances(load: int) -> tuple[tuple[float, ...], ...]:
    """``[turns][steps]``: the chance to make at least that many steps home in that many turns."""
    table = [tuple([1.0] + [0.0] * PLACES)]
    for _ in range(MOST_TURNS + 1):
        before = table[-1]
        table.append(
            tuple(
                sum(chance * before[max(0, way - steps)] for steps, chance in step_chances(load))
                for way in range(PLACES + 1)
            )
        )
    return tuple(table)


def turns_left(oxygen: float, drain: float, load: int) -> int:
    """How many turns a diver who has just moved will still have.

    Before its next turn the others take `drain`, before each later one itself `load` as well; a
    turn that empties the tank is still played.
    """
    used = drain + load
    if used <= 0:
        return MOST_TURNS
    # The largest number n with oxygen - n * drain - (n - 1) * load > 0.
    turns = int((oxygen + load) / used - 1e-9)
    return min(turns, MOST_TURNS)


def chance_home(way: int, load: int, turns: int) -> float:
    """The chance to come home over a number of steps in a number of turns."""
    if turns < 0 or load >= SLOWEST:
        return 0.0
    return home_chances(load)[turns][way]


@functools.lru_cache(maxsize=256)
def chip_worths(revealed: bytes) -> tuple[float, ...]:
    """The mean value of whatever can lie on a place; blanks and removed places have none."""
    means = {}
    for level in LEVELS:
        left = hidden_values(level, revealed)
        found = sum(value * count for value, count in left.items())
        means[level] = found / max(1, sum(left.values()))
    worths = [sum(means[dot] for dot in dots) for dots in DOTS]
    return (*worths, *[0.0] * (GONE + 1 - len(worths)))


WORTH: Final = chip_worths(bytes(VALUES))
"""The same while nothing is turned over."""


def carried_worth(state: DeepSeaState, seat: Seat) -> float:
    """The mean value of all that a diver carries."""
    return sum(WORTH[chip] for chip in state.held[seat])


def way_home(trail: bytes | bytearray, place: int) -> int:
    """The steps home from a place, over all that is not removed."""
    return place - trail.count(GONE, 0, place - 1) if place else 0
