"""The odds of getting home: how many turns the oxygen lasts, and whether they are enough.

The table is exact for a diver who is alone on the trail; others change the way a little (their
places are leapt over) and the oxygen a lot, which is why the drain is an argument.
"""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.games.deepsea.actions import FACES, THROWS
from boardgames_cli.games.deepsea.chips import PLACES

MOST_TURNS: Final = 40
"""Nobody needs more: without any load the tank lasts for ever."""

_RARE: Final = 0.02

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
def reach_chances(load: int, turns: int) -> tuple[tuple[int, float], ...]:
    """The distribution of a diver's steps in a number of turns; rare numbers left out."""
    sums = {0: 1.0}
    for _ in range(turns):
        before, sums = sums, {}
        for start, chance in before.items():
            for steps, then in step_chances(load):
                sums[start + steps] = sums.get(start + steps, 0.0) + chance * then
    # What hardly ever happens is left out: searches read these numbers by the million.
    likely = {steps: chance for steps, chance in sums.items() if chance > _RARE}
    total = sum(likely.values())
    return tuple((steps, chance / total) for steps, chance in sorted(likely.items()))


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

    Before its next turn the others take ``drain``, before each later one itself ``load`` as well;
    a turn that empties the tank is still played.

    Args:
        oxygen: What is left now.
        drain: What the others use from one turn of this diver to its next.
        load: Chips that the diver holds.
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
