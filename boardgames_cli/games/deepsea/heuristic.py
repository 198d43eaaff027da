"""A quick evaluation of positions, and the winning chances, from public information."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.games.deepsea.agents.odds import (
    WORTH,
    carried_worth,
    chance_home,
    home_chances,
    step_chances,
    turns_left,
    way_home,
)
from boardgames_cli.games.deepsea.chips import PLACES
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase, way

_RARE: Final = 0.02

_AHEAD: Final = 6
"""Turns that are looked ahead; the trail is not longer than that for a light diver."""
_GROWTH: Final = 0.6
"""What every diver on the way down is expected to use up beyond its present load."""
_FEAR: Final = 0.7
"""How the others' loads count: 1 is what they use now."""


def evaluate(
    game: AnyGame,  # noqa: ARG001  # the signature of every heuristic
    state: DeepSeaState,
    seat: Seat,
) -> float:
    """An estimate of the seat's points at the end of this round.

    Its points so far, plus the value of its load times the probability of bringing it home: either
    by turning back at once, given the others' oxygen use, or with the chips it can still hope for.
    """
    points = float(state.points[seat])
    carried = carried_worth(state, seat)
    if state.phase is Phase.OVER:
        return points
    if state.is_home(seat):
        return points + carried
    if state.phase is Phase.REVEAL:
        return points
    load = len(state.held[seat])
    drain = _drain(state, seat)
    turns = turns_left(state.oxygen, drain, load)
    if seat == state.current and state.phase is not Phase.CHIP:
        turns += 1
    now = carried * chance_home(way_home(state.trail, state.places[seat]), load, turns)
    return points + max(now, _hope(state, seat, drain))


def _drain(state: DeepSeaState, seat: Seat) -> float:
    loads = 0.0
    for other, place in enumerate(state.places):
        if other != seat and (place or state.diving[other]):
            loads += _FEAR * len(state.held[other])
            if state.diving[other]:
                loads += _GROWTH
    return loads


def _hope(state: DeepSeaState, seat: Seat, drain: float) -> float:
    up = _best(state, seat, drain, -1)
    return max(up, _best(state, seat, drain, 1)) if state.diving[seat] else up


def _best(state: DeepSeaState, seat: Seat, drain: float, direction: int) -> float:
    load, oxygen = len(state.held[seat]), state.oxygen
    carried = carried_worth(state, seat)
    light_rows, heavy_rows = home_chances(load), home_chances(load + 1)
    ways, worths = _stops(state, state.places[seat], direction)
    last = len(ways) - 1
    best = 0.0
    if direction < 0 and load:
        best = carried * light_rows[turns_left(oxygen, drain, load)][ways[0]]
    for turns in range(1, _AHEAD + 1):
        left = oxygen - turns * (drain + load)
        if left <= 0:
            break
        light = light_rows[turns_left(left, drain, load)]
        heavy = heavy_rows[turns_left(left, drain, load + 1)]
        total = 0.0
        # The hottest loop of the agents that look ahead: no calls, no branches to spare.
        for steps, chance in _reach_chances(load, turns):
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


def _stops(state: DeepSeaState, place: int, direction: int) -> tuple[list[int], list[float]]:
    """Where 0, 1, 2, ... steps lead: the ways home from there, and what lies there is worth.

    Going up, the last stop is the submarine.
    """
    home = way_home(state.trail, place)
    stops = way(state.trail, state.places, place, PLACES, diving=direction > 0)
    ways = [max(1, home + direction * step) if there else 0 for step, there in enumerate(stops, 1)]
    worths = [WORTH[state.trail[there - 1]] if there else 0.0 for there in (place, *stops)]
    return [home, *ways], worths


@functools.cache
def _reach_chances(load: int, turns: int) -> tuple[tuple[int, float], ...]:
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


_REACH: Final = 4.0
"""The half-width of the range of integration, in standard deviations."""
_STEPS: Final = 80


def chances_of(means: Sequence[float], spreads: Sequence[float]) -> tuple[float, ...]:
    """The probability of having the most points, by seat; sums to 1.

    Points are modelled as independent normal variables; `spreads` are their deviations, above 0.
    """
    shares = [_ahead_of_all(means, spreads, seat) for seat in range(len(means))]
    total = math.fsum(shares)
    return tuple(share / total for share in shares)


def _ahead_of_all(means: Sequence[float], spreads: Sequence[float], seat: int) -> float:
    total = 0.0
    for step in range(_STEPS + 1):
        deviation = _REACH * (2 * step / _STEPS - 1)
        points = means[seat] + deviation * spreads[seat]
        density = math.exp(-(deviation**2) / 2)
        for other, (mean, spread) in enumerate(zip(means, spreads, strict=True)):
            if other != seat:
                density *= (1 + math.erf((points - mean) / (spread * math.sqrt(2)))) / 2
        total += density
    return total
