"""Compiled move generation for both rule sets: `movement.RuleSet` and `rules.play`.

A position before a throw is two masks of houses, ``own`` of the player to throw and ``opponent``
of the other (bit h is house h + 1, see `board`). For a given throw each dancer has at most one
move, so that all legal moves fit into one mask of the houses they start from::

    starts = movers(own, opponent, steps, rules)      # 0: only the pass is legal
    backward, starts = starts & BACKWARD, starts & BOARD
    while starts:
        start = starts & -starts                 # the lowest house first, as the rules list them
        starts ^= start
        end = end_of(own, opponent, start, steps, backward, rules)
        own_after, opponent_after = play(own, opponent, start, end)
        again = throws_again(steps, end, rules)

All are functions of whole numbers, int64 in and out; masks of one house stand for houses.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import draw
from boardgames_cli.games.senet import board
from boardgames_cli.games.senet.board import SAFE, bit
from boardgames_cli.games.senet.fast import Seeds, compiled

Masks = npt.NDArray[np.int64]

KENDALL, SKYRUK = 0, 1
RULES: Final = {"kendall": KENDALL, "skyruk": SKYRUK}

BOARD: Final = (1 << board.HOUSES) - 1
OFF: Final = bit(board.OFF)
"""The end of a move off the board; no house has this bit."""
BACKWARD: Final = 1 << board.OFF
"""The flag in the result of `movers` for backward moves."""

_REBIRTH: Final = bit(board.REBIRTH)
_HAPPINESS: Final = bit(board.HAPPINESS)
_WATER: Final = bit(board.WATER)
_THREE_TRUTHS: Final = bit(board.THREE_TRUTHS)
_RE_ATUM: Final = bit(board.RE_ATUM)
_RE_HORAKHTY: Final = bit(board.RE_HORAKHTY)
_RACE: Final = _HAPPINESS - 1
"""The houses before 26."""


@compiled
def movers(own: int, opponent: int, steps: int, rules: int) -> int:
    """The houses of the dancers that can move, with `BACKWARD` if that is their way."""
    open_houses = BOARD & ~own & ~(opponent & (SAFE | _protected(opponent, rules)))
    starts = _forward(own, opponent, open_houses, steps, rules)
    if starts:
        return starts
    starts = (own & _RACE) & (open_houses << steps)
    if starts and opponent:
        starts &= ~_blocked(opponent, steps, rules, True)
    return starts | BACKWARD if starts else 0


@compiled
def end_of(own: int, opponent: int, start: int, steps: int, backward: int, rules: int) -> int:
    """The house, as a mask, to which one of the `movers` goes, or `OFF`."""
    if backward:
        return start >> steps
    if start < _HAPPINESS:
        end = start << steps
        return _HAPPINESS if end > _HAPPINESS else end
    if start == _HAPPINESS:
        return _from_happiness(own | opponent, steps, rules)
    if start == _WATER and steps != 4:
        return _reborn(own | opponent)
    return OFF


@compiled.inline
def play(own: int, opponent: int, start: int, end: int) -> tuple[int, int]:
    """The masks after a move; an opponent on its end is swapped to its start."""
    if opponent & end:
        opponent ^= end | start
    return (own ^ start) | (end & BOARD), opponent


@compiled.inline
def throws_again(steps: int, end: int, rules: int) -> bool:
    """Whether the player throws again after a move to an end; after a pass nobody does."""
    return steps == 1 or steps >= 4 or (rules == SKYRUK and end == _HAPPINESS)


@compiled.inline
def _protected(opponent: int, rules: int) -> int:
    if rules == KENDALL:
        return (opponent << 1) | (opponent >> 1)
    return (opponent << 1) ^ (opponent >> 1)


@compiled
def _forward(own: int, opponent: int, open_houses: int, steps: int, rules: int) -> int:
    if rules == SKYRUK and own & _HAPPINESS:
        return _HAPPINESS
    reach = _RACE | (_HAPPINESS if rules == KENDALL else 0)
    starts = (own & _RACE) & ((open_houses & reach) >> steps)
    if starts and opponent:
        starts &= ~_blocked(opponent, steps, rules, False)
    if rules == SKYRUK and not opponent & _HAPPINESS:
        starts |= _stopping(own, opponent, steps)
    if own & ~_RACE:
        starts |= _leaving(own, opponent, steps, rules)
    return starts


@compiled
def _stopping(own: int, opponent: int, steps: int) -> int:
    starts = own & _RACE & ~((_HAPPINESS >> steps) - 1)
    pairs = opponent & (opponent >> 1) & _RACE
    while starts and pairs > (starts & -starts):
        starts &= starts - 1  # the lowest of them is behind a blockade
    return starts


@compiled
def _leaving(own: int, opponent: int, steps: int, rules: int) -> int:
    starts = 0
    if steps == 3:
        starts = own & _THREE_TRUTHS
    elif steps == 2:
        starts = own & _RE_ATUM
    if rules == SKYRUK:
        # A dancer on 26 was handled before, since it must move.
        starts |= own & _RE_HORAKHTY
        return starts | (own & _WATER) if steps <= 4 else starts
    if steps == 1:
        starts = own & _RE_HORAKHTY
    if own & _HAPPINESS and (steps in (1, 5) or not (own | opponent) & (_HAPPINESS << steps)):
        starts |= _HAPPINESS
    return starts


@compiled
def _from_happiness(occupied: int, steps: int, rules: int) -> int:
    if steps == 5:
        return OFF
    end = _HAPPINESS << steps
    if rules == KENDALL:
        return _reborn(occupied) if steps == 1 else end
    if occupied & end:
        end = _WATER
    return _reborn(occupied) if occupied & end else end


@compiled.inline
def _reborn(occupied: int) -> int:
    house = _REBIRTH
    while occupied & house:
        house >>= 1
    return house


@compiled
def _blocked(opponent: int, steps: int, rules: int, backward: bool) -> int:
    blocked = 0
    shortest = 3 if rules == KENDALL else 2
    if steps > shortest and opponent & (opponent >> 1):
        firsts = opponent & ~(opponent << 1)
        for length in range(shortest, steps):
            found = _runs(firsts, opponent, length)
            for distance in range(1, steps - length + 1):
                blocked |= found << (length - 1 + distance) if backward else found >> distance
    return blocked


@compiled
def _runs(firsts: int, opponent: int, length: int) -> int:
    found = firsts & ~(opponent >> length)
    for step in range(1, length):
        found &= opponent >> step
    return found


@compiled
def count_of(mask: int) -> int:
    """The number of houses in a mask of at most 31 bits."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return (mask * 0x01010101 >> 24) & 0xFF


@compiled
def nth(mask: int, number: int) -> int:
    """The n-th house of a mask of dancers, counted from 0 at the lowest, as a mask."""
    for lower in range(_MOST_DANCERS - 1):  # without a branch, which nobody could predict
        mask &= mask - (lower < number)
    return mask & -mask


_MOST_DANCERS: Final = 7


@compiled
def throw(rng: Seeds) -> int:
    """A throw of the four sticks: 1 to 5."""
    fall = draw(rng, 16)
    flat = (fall & 1) + (fall >> 1 & 1) + (fall >> 2 & 1) + (fall >> 3)
    return flat if flat else 5
