"""Compiled ranking of positions with few dancers: `ending_tables.TableLayout.number`."""

from __future__ import annotations

import functools
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.games.senet.board import HOUSES, WATER, bit
from boardgames_cli.games.senet.ending_tables import LEVELS, MOST, Endings, TableLayout
from boardgames_cli.games.senet.fast import compiled
from boardgames_cli.games.senet.fast.moves import KENDALL, Masks, count_of

_COMBINATIONS: Final = np.array(
    [[comb(house, dancers) for dancers in range(MOST + 1)] for house in range(HOUSES + 1)],
    dtype=np.int64,
)
_WATER: Final = bit(WATER)

Starts = npt.NDArray[np.int64]


def starts_of(layout: TableLayout) -> Starts:
    """The start of each part of a table: int64[`MOST` + 1, `MOST` + 1], -1 if there is none."""
    starts = np.full((MOST + 1, MOST + 1), -1, dtype=np.int64)
    for part in layout.parts:
        starts[part.own, part.opponent] = part.start
    return starts


@functools.lru_cache(maxsize=8)
def masks_of(houses: int, dancers: int) -> Masks:
    """All masks with a number of dancers on consecutive houses, by rank."""
    chosen = combinations(range(houses), dancers)
    return np.array(sorted(sum(1 << house for house in one) for one in chosen), dtype=np.int64)


@compiled
def closed_in(rules: int) -> int:
    """The houses where dancers never stand."""
    return _WATER if rules == KENDALL else 0


@compiled
def number_of(own: int, opponent: int, rules: int, starts: Starts) -> int:
    """The index of a position in its table; -1 if it is not in it."""
    owns, opponents = count_of(own), count_of(opponent)
    if owns > MOST or opponents > MOST or starts[owns, opponents] < 0:
        return -1
    closed = closed_in(rules)
    houses = HOUSES - count_of(closed)
    block: int = _COMBINATIONS[houses - owns, opponents]
    start: int = starts[owns, opponents]
    return start + rank(own, closed) * block + rank(opponent, closed | own)


@compiled
def rank(mask: int, closed: int) -> int:
    """The rank of a mask among all masks with as many dancers on houses that are not closed."""
    found, dancers = 0, 0
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        dancers += 1
        found += _COMBINATIONS[count_of((lowest - 1) & ~closed), dancers]
    return found


@compiled
def spread(mask: int, closed: int) -> int:
    """Expand a mask that counts only the houses that are not closed."""
    while closed:
        lowest = closed & -closed
        low = mask & (lowest - 1)
        mask = low | ((mask ^ low) << 1)
        closed ^= lowest
    return mask


UNKNOWN = -1.0
"""The result of `chance_in` for a position that is not in the table."""


class CompiledTable(NamedTuple):
    """Endings in the form used by compiled functions."""

    exact: npt.NDArray[np.uint16]
    """uint16[positions]: 0 to `SCALE`."""
    rounded: npt.NDArray[np.uint8]
    """uint8[positions]: 0 to `LEVELS`; these follow the exact ones."""
    starts: Starts
    """From `ranking.starts_of`."""


def table_of(endings: Endings) -> CompiledTable:
    """Convert endings to a table, without copying the numbers."""
    exact = np.frombuffer(endings.table.numbers, dtype=np.uint16)
    rounded = np.frombuffer(endings.rounded, dtype=np.uint8)
    return CompiledTable(exact, rounded, starts_of(endings.layout))


@compiled
def chance_in(own: int, opponent: int, table: CompiledTable, rules: int) -> float:
    """The winning probability of the player about to throw.

    Args:
        own: The houses of that player; empty if it has won.
        opponent: The houses of the other player.
        table: From `table_of`, for the same rule set.
        rules: The rule set, see `moves`.

    Returns:
        `UNKNOWN` if the position is not in the table.
    """
    if own == 0:
        return 1.0
    if opponent == 0:
        return 0.0
    number = number_of(own, opponent, rules, table.starts)
    if number < 0:
        return UNKNOWN
    first = len(table.exact)
    if number < first:
        return float(table.exact[number] / SCALE)
    return float(table.rounded[number - first] / LEVELS)
