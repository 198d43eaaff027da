"""Compiled lookup of exact endings: `endings.Endings.chance`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.games.senet.endings import Endings
from boardgames_cli.games.senet.fast.jit import compiled
from boardgames_cli.games.senet.fast.ranking import Starts, number_of, starts_of

UNKNOWN = -1.0
"""The result of `chance_in` for a position that is not in the table."""


class CompiledTable(NamedTuple):
    """A table in the form used by compiled functions."""

    numbers: npt.NDArray[np.uint16]
    """uint16[positions]: 0 to `SCALE`."""
    starts: Starts
    """From `ranking.starts_of`."""


def table_of(endings: Endings) -> CompiledTable:
    """Convert endings to a table, without copying the numbers."""
    numbers = np.frombuffer(endings.table.numbers, dtype=np.uint16)
    return CompiledTable(numbers, starts_of(endings.layout))


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
    return UNKNOWN if number < 0 else table.numbers[number] / SCALE
