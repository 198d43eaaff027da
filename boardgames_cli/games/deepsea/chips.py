"""Treasure chips: their levels and values, and their encoding as numbers.

A state stores a chip as a small integer, so that a trail or a load is a `bytes` object: compact,
hashable and fast to compare. 1 to 4 are single chips with that many dots; higher numbers are stacks
of two or three chips, which the published game makes of the chips of drowned divers.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

LEVELS: Final = (1, 2, 3, 4)
"""The dots on a chip's back."""

CHIPS_A_LEVEL: Final = 8
VALUES_A_LEVEL: Final = 4
EACH_VALUE: Final = 2

VALUES: Final = len(LEVELS) * VALUES_A_LEVEL
MOST_POINTS: Final = EACH_VALUE * sum(range(VALUES))
PLACES: Final = len(LEVELS) * CHIPS_A_LEVEL
"""The number of places on the trail; place 0 is the submarine."""

TALLEST_STACK: Final = 3

BLANK: Final = 0
"""A place whose chip was taken this round."""
GONE: Final = 255
"""A place that was removed after an earlier round; movement skips it."""

DOTS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    *(
        dots
        for size in range(1, TALLEST_STACK + 1)
        for dots in itertools.combinations_with_replacement(LEVELS, size)
    ),
)
"""The dots of the chips in a chip or stack, by its number (up to three in a stack)."""

WEIGHT: Final = tuple(sum(dots) for dots in DOTS)
"""The total dots of a chip or stack, by its number; defines the "lowest" one to put down."""

_NUMBERS: Final = {dots: number for number, dots in enumerate(DOTS)}


def chip_of(dots: Sequence[int]) -> int:
    """The chip or stack made of chips with these dots, in any order; `BLANK` if there are none."""
    return _NUMBERS[tuple(sorted(dots))]


def is_chip(dots: Sequence[int]) -> bool:
    """Whether there is a chip or stack with these dots."""
    return bool(dots) and tuple(sorted(dots)) in _NUMBERS


def chip_name(chip: int) -> str:
    """The notation of a chip in actions: ``3``, or ``1+1+4`` for a stack."""
    return "+".join(map(str, DOTS[chip]))


def level_of(value: int) -> int:
    """The level of chips with a value."""
    return value // VALUES_A_LEVEL + 1


def values_of(level: int) -> range:
    """The values of a level's chips: 0 to 3, 4 to 7, 8 to 11, 12 to 15."""
    return range((level - 1) * VALUES_A_LEVEL, level * VALUES_A_LEVEL)


def hidden_values(level: int, revealed: bytes) -> dict[int, int]:
    """How many chips of each value of a level have not been turned over."""
    return {value: EACH_VALUE - revealed[value] for value in values_of(level)}


def stacked(chips: Sequence[int]) -> bytes:
    """Combine chips into stacks of three, in the given order; the last may be smaller."""
    loose = [dots for chip in chips for dots in DOTS[chip]]
    return bytes(
        chip_of(loose[start : start + TALLEST_STACK])
        for start in range(0, len(loose), TALLEST_STACK)
    )


FRESH_TRAIL: Final = bytes(level for level in LEVELS for _ in range(CHIPS_A_LEVEL))
