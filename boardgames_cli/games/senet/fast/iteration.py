"""Interval iteration over Senet's endings, compiled.

Every position has a lower and an upper bound of the chance that the player about to throw wins, at
first 0 and 1. New bounds are worked out from those of the positions that follow, and are as true as
they are; the bounds of all positions meet in the end (Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", 2018). New bounds are used at once, as Gauss and Seidel do, and a
position is solved together with that in which the other player is about to throw: near the end the
turn often goes to and fro between these two, because nobody can move.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.fast.jit import Floats, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.playouts import Masks, count_of
from boardgames_cli.games.senet.fast.ranking import Starts, closed_in, number_of, spread

_CHANCES: Final = np.array((0.0, *THROW_CHANCES))


@compiled
def sweep(
    bounds: Floats,
    starts: Starts,
    first: int,
    owns: Masks,
    foes: Masks,
    rows: tuple[int, int],
    rules: int,
    close: float,
) -> float:
    """Tighten the bounds of some positions once, those of the most advanced dancers first.

    With each of them goes the position that has the sides changed.

    Args:
        bounds: float64[positions, 2]: lower and upper bounds, in the order of the table.
        starts: From `ranking.starts_of`.
        first: The number of the first position of the part.
        owns: All masks of the player about to throw, without the houses where nobody stands.
        foes: All masks of the other, without the houses of the player about to throw either.
        rows: From which of ``owns`` on, and up to which, that one excluded.
        rules: The rule set, see `moves`.
        close: Bounds that are as close as that stay as they are.

    Returns:
        The widest gap between two bounds that is left.
    """
    widest = 0.0
    closed = closed_in(rules)
    has_own_mirrors = count_of(owns[0]) == count_of(foes[0])
    for row in range(rows[1] - 1, rows[0] - 1, -1):
        own = spread(owns[row], closed)
        at = first + (row + 1) * len(foes)
        for column in range(len(foes) - 1, -1, -1):
            at -= 1
            foe = spread(foes[column], closed | own)
            if has_own_mirrors and foe > own:
                continue  # it goes with its mirror
            mirror = number_of(foe, own, rules, starts)
            gap = _wider_gap(bounds, at, mirror)
            if gap > close:
                _tighten(own, foe, at, mirror, rules, bounds, starts)
                gap = _wider_gap(bounds, at, mirror)
            widest = max(widest, gap)
    return widest


@compiled
def _wider_gap(bounds: Floats, one: int, other: int) -> float:
    gap: float = max(bounds[one, 1] - bounds[one, 0], bounds[other, 1] - bounds[other, 0])
    return gap


@compiled
def _tighten(
    own: int, foe: int, at: int, mirror: int, rules: int, bounds: Floats, starts: Starts
) -> None:
    """Solve a position and its mirror for the bounds of the positions that follow them both."""
    low, high, passes = _bounds_by_moving(own, foe, rules, bounds, starts)
    foe_low, foe_high, foe_passes = _bounds_by_moving(foe, own, rules, bounds, starts)
    # x = moving + passes * (1 - y) and y = foe_moving + foe_passes * (1 - x), solved for x.
    scale = 1.0 / (1.0 - passes * foe_passes)
    bounds[at, 0] = (low + passes * (1.0 - foe_high - foe_passes)) * scale
    bounds[at, 1] = (high + passes * (1.0 - foe_low - foe_passes)) * scale
    bounds[mirror, 0] = foe_low + foe_passes * (1.0 - bounds[at, 1])
    bounds[mirror, 1] = foe_high + foe_passes * (1.0 - bounds[at, 0])


@compiled
def _bounds_by_moving(
    own: int, foe: int, rules: int, bounds: Floats, starts: Starts
) -> tuple[float, float, float]:
    """What the throws with a move add to both bounds, and the chance of a throw without one."""
    low = high = passes = 0.0
    for steps in range(1, 6):
        moving = movers(own, foe, steps, rules)
        if moving:
            best_low, best_high = _best_move(own, foe, steps, moving, rules, bounds, starts)
            low += _CHANCES[steps] * best_low
            high += _CHANCES[steps] * best_high
        else:
            passes += _CHANCES[steps]
    return low, high, passes


@compiled
def _best_move(
    own: int, foe: int, steps: int, moving: int, rules: int, bounds: Floats, starts: Starts
) -> tuple[float, float]:
    """The bounds after a throw with which the dancers ``moving`` can move."""
    best_low = best_high = 0.0
    backward, dancers = moving & BACKWARD, moving & BOARD
    while dancers:
        start = dancers & -dancers
        dancers ^= start
        end = end_of(own, foe, start, steps, backward, rules)
        own_after, foe_after = play(own, foe, start, end)
        if not own_after:
            return 1.0, 1.0
        if throws_again(steps, end, rules):
            at = number_of(own_after, foe_after, rules, starts)
            low, high = bounds[at, 0], bounds[at, 1]
        else:
            at = number_of(foe_after, own_after, rules, starts)
            low, high = 1.0 - bounds[at, 1], 1.0 - bounds[at, 0]
        best_low = max(best_low, low)
        best_high = max(best_high, high)
    return best_low, best_high
