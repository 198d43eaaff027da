"""A quick evaluation of positions, and the winning chances, from public information."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.games.deepsea.agents.planner import (
    Planner,
    carried_worth,
    chance_home,
    turns_left,
    way_home,
)
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

_PLANNER = Planner()


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
    drain = _PLANNER.drain(state, seat)
    turns = turns_left(state.oxygen, drain, load)
    if seat == state.current and state.phase is not Phase.CHIP:
        turns += 1
    now = carried * chance_home(way_home(state.trail, state.places[seat]), load, turns)
    return points + max(now, _PLANNER.best_expectation(state, seat))


_REACH: Final = 4.0
"""The half-width of the range of integration, in standard deviations."""
_STEPS: Final = 80
"""The number of integration steps."""


def chances_of(means: Sequence[float], spreads: Sequence[float]) -> list[float]:
    """The probability of having the most points, by seat; sums to 1.

    Args:
        means: The expected final points, by seat.
        spreads: Their standard deviations, above 0. Points are modelled as independent normal
            variables.
    """
    shares = [_ahead_of_all(means, spreads, seat) for seat in range(len(means))]
    total = math.fsum(shares)
    return [share / total for share in shares]


def _ahead_of_all(means: Sequence[float], spreads: Sequence[float], seat: int) -> float:
    """The probability that a normal variable is the largest of several, up to a factor."""
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
