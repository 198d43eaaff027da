"""The inputs of Senet's network for one side, as indices of active inputs.

The inputs of a dancer on a house depend on the number of dancers left, because the last dancer
races alone while five obstruct each other. Neighbours protect each other and block, and the dancers
from house 26 on are in each other's way, so that pairs, triples and the group at the end have their
own inputs. For the last two dancers, every pair of houses is one input.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, houses

MOST: Final = 7
"""The maximum number of dancers of a side."""

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
"""The number of inputs per side."""

PHASES: Final = (MOST + 1) ** 2
"""The number of phases: pairs of numbers of dancers left."""


def phase(own: int, opponent: int) -> int:
    """The phase of a position, by the masks of the houses of both sides."""
    return own.bit_count() * (MOST + 1) + opponent.bit_count()


def side_inputs(mask: int) -> list[int]:
    """The active inputs of a side.

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
