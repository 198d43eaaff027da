"""The order of positions in a table of Senet's endings.

A table holds the positions before a throw in parts, one for each pair of numbers of dancers. Within
a part they are ordered by the ranks of the two masks in the combinatorial number system (Knuth, The
Art of Computer Programming, 7.2.1.3), so that the index of a position is computed, not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

from boardgames_cli.games.senet.board import HOUSES, WATER, bit


class Part(NamedTuple):
    """The part of a table for given numbers of dancers."""

    own: int
    """Dancers of the player about to throw."""
    opponent: int
    start: int
    """The index of the first position."""
    size: int


@dataclass(frozen=True)
class TableLayout:
    """The order of positions in a table; smaller tables are prefixes of larger ones."""

    rules: str
    up_to: int

    @property
    def closed(self) -> int:
        """The houses where dancers never stand, as a mask."""
        return bit(WATER) if self.rules == "kendall" else 0

    @cached_property
    def houses(self) -> int:
        """The number of houses where dancers can stand."""
        return HOUSES - self.closed.bit_count()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts in order of dependency: each needs only earlier ones and its mirror image."""
        found: list[Part] = []
        start = 0
        for most in range(1, self.up_to + 1):
            for least in range(1, most + 1):
                for own, opponent in dict.fromkeys([(least, most), (most, least)]):
                    size = comb(self.houses, own) * comb(self.houses - own, opponent)
                    found.append(Part(own, opponent, start, size))
                    start += size
        return tuple(found)

    @cached_property
    def size(self) -> int:
        """The number of positions."""
        return sum(part.size for part in self.parts)

    @cached_property
    def starts(self) -> Mapping[tuple[int, int], int]:
        """The start of each part, by the numbers of dancers of the two sides."""
        return {(part.own, part.opponent): part.start for part in self.parts}

    def columns(self, part: Part) -> int:
        """The number of masks of the other player for each mask of the player about to throw."""
        return comb(self.houses - part.own, part.opponent)

    def number(self, own: int, opponent: int) -> int | None:
        """The index of a position; None if it is not in the table.

        Args:
            own: The houses of the player about to throw.
            opponent: The houses of the other player.
        """
        owns, opponents = own.bit_count(), opponent.bit_count()
        start = self.starts.get((owns, opponents))
        if start is None or (own | opponent) & self.closed:
            return None
        block = comb(self.houses - owns, opponents)
        return start + rank(own, self.closed) * block + rank(opponent, self.closed | own)


def rank(mask: int, closed: int) -> int:
    """The rank of a mask among all masks with as many dancers on houses that are not closed."""
    found = dancers = 0
    while mask:
        lowest = mask & -mask
        dancers += 1
        found += comb((lowest - 1 & ~closed).bit_count(), dancers)
        mask ^= lowest
    return found
