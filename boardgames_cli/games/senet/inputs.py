"""What the network of Senet reads of one side: the numbers of the inputs that are there.

A dancer on a house counts by how many dancers its side has left: with one left it is the race for
the last house that matters, with five the crowd. Neighbours protect each other and block, and the
dancers from house 26 on stand in each other's way, so that pairs, threes and the group at the end
have inputs of their own. Of the last two dancers every pair of houses is one input.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, houses

MOST: Final = 7
"""The most dancers of a side."""

HOUSE: Final = 0
"""The first input of a dancer on a house: `HOUSES` of them for each number of dancers left."""
PAIR: Final = HOUSE + MOST * HOUSES
"""The first input of two dancers in a row, by the house of the first."""
THREE: Final = PAIR + HOUSES - 1
"""The first input of three in a row, by the house of the first."""
BEYOND: Final = THREE + HOUSES - 2
"""The first input of the group from house 26 on: `GROUPS` for each number of dancers left."""
GROUPS: Final = 1 << (HOUSES - HAPPINESS + 1)
LAST_TWO: Final = BEYOND + MOST * GROUPS
"""The first input of the last two dancers, by their houses."""
INPUTS: Final = LAST_TWO + HOUSES * (HOUSES - 1) // 2
"""How many inputs a side has."""

PHASES: Final = (MOST + 1) ** 2
"""Phases of the game: how many dancers either side has left."""


def phase(own: int, foe: int) -> int:
    """The phase of a position, by the masks of the houses of both sides."""
    return own.bit_count() * (MOST + 1) + foe.bit_count()


def side_inputs(mask: int) -> list[int]:
    """The inputs that are there.

    Args:
        mask: The houses of the side's dancers, at least one of them.
    """
    left = mask.bit_count() - 1
    places = [house - 1 for house in houses(mask)]
    found = [HOUSE + left * HOUSES + place for place in places]
    pairs = mask & (mask >> 1)
    found += [PAIR + house - 1 for house in houses(pairs)]
    found += [THREE + house - 1 for house in houses(pairs & (pairs >> 1))]
    group = mask >> (HAPPINESS - 1)
    if group:
        found.append(BEYOND + left * GROUPS + group)
    if len(places) == 2:
        low, high = places
        found.append(LAST_TWO + high * (high - 1) // 2 + low)
    return found
