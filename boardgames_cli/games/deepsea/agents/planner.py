"""Plans by the odds: oxygen, the others' loads, the way home, and what chips are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea.agents.odds import (
    chance_home,
    home_chances,
    reach_chances,
    turns_left,
)
from boardgames_cli.games.deepsea.agents.policies import Policy, is_at_end
from boardgames_cli.games.deepsea.chips import DOTS, GONE, PLACES, mean_value
from boardgames_cli.games.deepsea.state import DeepSeaState

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
