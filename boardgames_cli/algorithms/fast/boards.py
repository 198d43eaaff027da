"""What batches of boards have in common, whatever the game: their generators and their rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boardgames_cli.algorithms.fast.jit import Bytes, Flags, Seeds
from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.encoder import ArrayField, Arrays


class Boards:
    """Boards that have a generator of random numbers each, so that none depends on the others.

    Args:
        count: How many.
        seed: Board i gets the seed ``seed + i``.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rngs: Seeds = np.zeros((count, 1), dtype=np.uint64)
        self._everything: Flags = np.ones(count, dtype=np.bool_)
        self.seed(range(seed, seed + count))

    def __len__(self) -> int:
        """How many boards there are."""
        return len(self._rngs)

    def seed(self, seeds: Sequence[int], boards: Sequence[int] | None = None) -> None:
        """Begin the generators of boards anew.

        Args:
            seeds: A number for each of them.
            boards: Which ones; all if left out.
        """
        chosen = range(len(self)) if boards is None else boards
        for board, number in zip(chosen, seeds, strict=True):
            self._rngs[board] = make_seed(number)

    def _chosen(self, boards: Flags | None) -> Flags:
        """bool[boards]: the boards that were named; all if none were."""
        return self._everything if boards is None else boards


def split_rows(fields: Sequence[ArrayField], rows: Bytes) -> Arrays:
    """The fields of an encoder, from rows that hold them one after the other.

    Args:
        fields: The fields, in their order.
        rows: int8[boards, sum of the sizes of all fields].

    Returns:
        Views of the rows by the names of the fields; their first axis counts the boards.
    """
    arrays, start = {}, 0
    for field in fields:
        part = rows[:, start : start + field.size]
        arrays[field.name] = part.reshape(len(rows), *field.shape)
        start += field.size
    return arrays
