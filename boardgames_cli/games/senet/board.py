"""The board of Senet as bit masks.

Bit ``h`` of a mask is house ``h + 1``. The houses follow the S-shaped path, so neighbours on the
path are neighbouring bits, including around the two corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

HOUSES: Final = 30
OFF: Final = HOUSES + 1
"""The number of the place off the board, as the end of a move."""

REBIRTH: Final = 15
HAPPINESS: Final = 26
WATER: Final = 27
THREE_TRUTHS: Final = 28
RE_ATUM: Final = 29
RE_HORAKHTY: Final = 30

HOUSE_NAMES: Final = {
    REBIRTH: "House of Rebirth",
    HAPPINESS: "House of Happiness",
    WATER: "House of Water",
    THREE_TRUTHS: "House of Three Truths",
    RE_ATUM: "House of Re-Atum",
    RE_HORAKHTY: "House of Re-Horakhty",
}

BEARS_OFF: Final = {THREE_TRUTHS: 3, RE_ATUM: 2, RE_HORAKHTY: 1}
"""The throw that bears a dancer off, by its house."""

CONES: Final = 0
SPOOLS: Final = 1
DANCER_NAMES: Final = ("cones", "spools")


def bit(house: int) -> int:
    """The mask of one house."""
    return 1 << (house - 1)


def houses(mask: int) -> Iterator[int]:
    """The houses of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length()
        mask ^= lowest


def cones_at_start(dancers: int) -> int:
    """The houses of the cones at the start, as a mask; every spool stands one house further."""
    cones = 0
    for dancer in range(dancers):  # compiled, too: numba knows no sum() of a generator
        cones |= 1 << 2 * dancer
    return cones


SAFE: Final = sum(bit(house) for house in HOUSE_NAMES)
"""The houses on which nobody can be beaten."""


def clear_before(blocked: int, house: int) -> int:
    """The nearest house at or before a house that is not in a mask."""
    while bit(house) & blocked:
        house -= 1
    return house


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """The groups of dancers that stand in a row along the path, as (first, last) house."""
    starts = mask & ~(mask << 1)
    ends = mask & ~(mask >> 1)
    return zip(houses(starts), houses(ends), strict=True)
