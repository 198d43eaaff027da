"""Agents that go by the odds: oxygen, the others' loads, the way home, and what chips are worth.

The table of odds is exact for a diver who is alone on the trail; others change the way a little
(their places are leapt over) and the oxygen a lot, which is why the drain is an argument.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea.actions import FACES, THROWS
from boardgames_cli.games.deepsea.agents.policies import Policy, is_at_end
from boardgames_cli.games.deepsea.chips import DOTS, GONE, PLACES, mean_value
from boardgames_cli.games.deepsea.state import DeepSeaState

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


WORTH: Final = tuple(sum(map(mean_value, dots)) for dots in DOTS)
"""The mean value of every chip and stack."""

WORTH_OF: Final = WORTH + (0.0,) * (GONE + 1 - len(WORTH))
"""The same for whatever can lie on a place; blanks and removed places are worth nothing."""


def carried_worth(state: DeepSeaState, seat: Seat) -> float:
    """The mean value of all that a diver carries."""
    return sum(WORTH[chip] for chip in state.held[seat])


_SAME: Final = 1e-9
"""Values that differ by less are equal: the rest is rounding."""

_HOPELESS: Final = 0.05
"""Points; a load that is expected to bring less is lost."""

_AHEAD: Final = 6
"""Turns that are looked ahead; the trail is not longer than that for a light diver."""


@dataclass
class Planner(Policy):
    """Goes for the chip that is worth most once the chance to bring it home is counted.

    For each number of turns it works out where the dice would lead, which chip lies there
    and whether the oxygen would then last for the way home. Numbers were fitted at tables
    with the classic agents.
    """

    growth: float = option(0.6, "load that others are expected to add", low=0.0, high=4.0)
    """What every diver on the way down is expected to use up beyond its present load."""
    fear: float = option(0.7, "how much others' loads count", low=0.0, high=4.0)
    """How the others' loads count: 1 is what they use now."""

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """When nothing further down is worth more than what can be had on the way home."""
        if is_at_end(state, seat):
            return True
        drain = self.drain(state, seat)
        up = self._best(state, seat, drain, -1, 1)
        return up > self._best(state, seat, drain, 1, 1) - _SAME

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """When that is worth more than going on without it."""
        chip = state.trail[state.places[seat] - 1]
        load = len(state.held[seat])
        carried = carried_worth(state, seat)
        drain = self.drain(state, seat)
        turns = turns_left(state.oxygen, drain, load + 1)
        way = way_home(state.trail, state.places[seat])
        taken = (carried + WORTH[chip]) * chance_home(way, load + 1, turns)
        left = self._best(state, seat, drain, -1, 0)
        if state.diving[seat]:
            left = max(left, self._best(state, seat, drain, 1, 0))
        return taken > left - _SAME

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the rest is worth more than all, less burdened."""
        load = len(state.held[seat])
        if not load:
            return False
        values = sorted(WORTH[held] for held in state.held[seat])
        drain = self.drain(state, seat)
        way = way_home(state.trail, state.places[seat])
        kept = sum(values) * chance_home(way, load, turns_left(state.oxygen, drain, load))
        lighter = chance_home(way, load - 1, turns_left(state.oxygen, drain, load - 1))
        # Nothing to hope for with this load: perhaps there will be after another chip is down.
        return sum(values[1:]) * lighter > kept or kept < _HOPELESS

    def best_expectation(self, state: DeepSeaState, seat: Seat) -> float:
        """The most that the diver can expect to bring home with one more chip, wherever it goes."""
        drain = self.drain(state, seat)
        up = self._best(state, seat, drain, -1, 0)
        return max(up, self._best(state, seat, drain, 1, 0)) if state.diving[seat] else up

    def drain(self, state: DeepSeaState, seat: Seat) -> float:
        """What the others will use up between two turns of a seat."""
        loads = 0.0
        for other, place in enumerate(state.places):
            if other != seat and (place or state.diving[other]):
                loads += self.fear * len(state.held[other])
                if state.diving[other]:
                    loads += self.growth
        return loads

    def _best(
        self, state: DeepSeaState, seat: Seat, drain: float, direction: int, begun: int
    ) -> float:
        """The most that can be expected from taking one more chip, going one way.

        Args:
            state: The position.
            seat: Who goes.
            drain: See `drain`.
            direction: 1 down, -1 up.
            begun: 1 if the oxygen of the next turn is paid already, else 0.
        """
        load, oxygen = len(state.held[seat]), state.oxygen
        carried = carried_worth(state, seat)
        light_rows, heavy_rows = home_chances(load), home_chances(load + 1)
        ways, worths = stops(state, state.places[seat], direction)
        last = len(ways) - 1
        best = 0.0
        if direction < 0 and load:
            best = carried * light_rows[begun + turns_left(oxygen, drain, load)][ways[0]]
        for turns in range(1, _AHEAD + 1):
            left = oxygen - (turns - begun) * (drain + load)
            if left <= 0:
                break
            light = light_rows[turns_left(left, drain, load)]
            heavy = heavy_rows[turns_left(left, drain, load + 1)]
            total = 0.0
            # The hottest loop of the agents that look ahead: no calls, no branches to spare.
            for steps, chance in reach_chances(load, turns):
                stop = steps if steps < last else last
                way = ways[stop]
                without = carried * light[way]
                with_chip = (carried + worths[stop]) * heavy[way]
                total += chance * (with_chip if with_chip > without else without)
            if total > best:
                best = total
            if turns_left(left, drain, load + 1) == 0:
                break
        return best


def stops(state: DeepSeaState, place: int, direction: int) -> tuple[list[int], list[float]]:
    """Where 0, 1, 2, ... steps lead: the ways home from there, and what lies there is worth.

    Going up, the last stop is the submarine.
    """
    trail, places = state.trail, state.places
    way = way_home(trail, place)
    ways, worths = [way], [WORTH_OF[trail[place - 1]] if place else 0.0]
    beyond = PLACES + 1 if direction > 0 else 0
    for there in range(place + direction, beyond, direction):
        chip = trail[there - 1]
        if chip != GONE and there not in places:
            way += direction
            ways.append(way if way > 1 else 1)
            worths.append(WORTH_OF[chip])
    if direction < 0:
        ways.append(0)
        worths.append(0.0)
    return ways, worths


def way_home(trail: bytes | bytearray, place: int) -> int:
    """The steps home from a place, over all that is not removed."""
    return place - trail.count(GONE, 0, place - 1) if place else 0


class OnePly(Policy):
    """Takes what has the highest expected points, one ply on.

    After its action, and the dice that follow, it counts what it carries times the chance to bring
    that home if it turned back there and everybody kept the load of now. So it takes the first
    chip that it comes to, turns back with it, and is home early with little: greedy and
    short-sighted, as beginners are.
    """

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the throw that follows is worth no less upward than downward."""
        if is_at_end(state, seat):
            return True
        return self._after_throw(state, seat, up=True) >= self._after_throw(state, seat, up=False)

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """When that raises the expectation."""
        place, load, carried = state.places[seat], len(state.held[seat]), carried_worth(state, seat)
        taken = carried + WORTH[state.trail[place - 1]]
        return _value(state, seat, place, load + 1, taken) > _value(
            state, seat, place, load, carried
        )

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """When the rest, being lighter, is worth more."""
        place, load, carried = state.places[seat], len(state.held[seat]), carried_worth(state, seat)
        if not load:
            return False
        rest = carried - min(WORTH[chip] for chip in state.held[seat])
        return _value(state, seat, place, load - 1, rest) > _value(
            state, seat, place, load, carried
        )

    def _after_throw(self, state: DeepSeaState, seat: Seat, *, up: bool) -> float:
        load, carried = len(state.held[seat]), carried_worth(state, seat)
        total = 0.0
        for steps, chance in step_chances(load):
            place = state.place_after(seat, steps, diving=not up)
            value = _value(state, seat, place, load, carried)
            if place and state.trail[place - 1]:
                taken = carried + WORTH_OF[state.trail[place - 1]]
                value = max(value, _value(state, seat, place, load + 1, taken))
            total += chance * value
        return total


def _value(state: DeepSeaState, seat: Seat, place: int, load: int, worth: float) -> float:
    """What a load at a place promises if its diver goes home and the others keep theirs."""
    drain = state.lap - len(state.held[seat])
    turns = turns_left(state.oxygen, drain, load)
    return worth * chance_home(way_home(state.trail, place), load, turns)
