"""Solves Senet's endings by the readable rules: value iteration over all positions at once.

Needs numpy. Larger tables are made by compiled rules, in ``lab/senet_solver.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.games.senet.actions import PASS, THROW_CHANCES, THROWS
from boardgames_cli.games.senet.board import HOUSES, bit
from boardgames_cli.games.senet.ending_tables import TableLayout
from boardgames_cli.games.senet.rules import Senet, play

CLOSE: Final = 1e-10
"""The largest change of a probability in the last step."""
SLOWEST: Final = 20.0
"""What all further steps would change, as a multiple of it: measured, a step takes a tenth off."""


def solve(game: Senet, up_to: int) -> EndingsTable:
    """Compute the winning probability of every position with few dancers per side.

    Args:
        game: The rulebook.
        up_to: The maximum number of dancers per side.

    Raises:
        MissingPackageError: numpy is not installed.
    """
    try:
        import numpy as np
    except ImportError as error:
        raise MissingPackageError("tables of endings", "numpy", "numpy") from error
    pairs = list(_positions(TableLayout(game.rules, up_to)))
    size = len(pairs)
    following = np.zeros((len(THROWS), up_to, size), dtype=np.int32)
    _follow(game, pairs, following)
    values = np.full(2 * size + 1, 0.5)  # of each position, of its loss, and of a win
    values[-1] = 1.0
    change = 1.0
    while change > CLOSE:
        after = np.tensordot(THROW_CHANCES, [values[moves].max(axis=0) for moves in following], 1)
        change = float(abs(after - values[:size]).max())
        values[:size], values[size:-1] = after, 1 - after
    numbers = np.rint(values[:size] * SCALE).astype(np.uint16)
    info, bound = game.info, SLOWEST * CLOSE
    return EndingsTable(info.id, info.rules_version, game.rules, up_to, bound, numbers.data)


def _positions(layout: TableLayout) -> Iterator[tuple[int, int]]:
    """All positions in the order of the table: both sides, of the player about to throw first."""
    free = [bit(house) for house in range(1, HOUSES + 1) if not layout.closed & bit(house)]
    for part in layout.parts:
        for own in sorted(map(sum, combinations(free, part.own))):
            others = [house for house in free if not house & own]
            for opponent in sorted(map(sum, combinations(others, part.opponent))):
                yield own, opponent


def _follow(game: Senet, pairs: list[tuple[int, int]], following: Any) -> None:
    """Write where each move of each throw leads; a dancer that can't move stands for the first."""
    numbers = {pair: number for number, pair in enumerate(pairs)}
    size = len(pairs)
    for number, (own, opponent) in enumerate(pairs):
        for throw in range(len(THROWS)):
            found = []
            for move in game.rule_set.moves(own, opponent, throw + 1):
                mine, theirs = (own, opponent) if move == PASS else play(own, opponent, move)
                if not mine:
                    found.append(2 * size)
                elif move != PASS and game.throws_again(move, throw + 1):
                    found.append(numbers[mine, theirs])
                else:
                    found.append(size + numbers[theirs, mine])
            following[throw, :, number] = found[0]
            following[throw, : len(found), number] = found
