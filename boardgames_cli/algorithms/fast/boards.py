"""Helpers for batches of boards of any game: random generators and encoded rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boardgames_cli.algorithms.fast.jit import Bytes, Flags, Seeds
from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.encoder import ArrayField, Arrays


class Boards:
    """Boards with a random generator each, so that no board depends on the others.

    Args:
        count: The number of boards.
        seed: Board i gets the seed ``seed + i``.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rngs: Seeds = np.zeros((count, 1), dtype=np.uint64)
        self._everything: Flags = np.ones(count, dtype=np.bool_)
        self.seed(range(seed, seed + count))

    def __len__(self) -> int:
        """The number of boards."""
        return len(self._rngs)

    def seed(self, seeds: Sequence[int], boards: Sequence[int] | None = None) -> None:
        """Reseed the generators of boards.

        Args:
            seeds: A seed for each of them.
            boards: Their indices; by default all.
        """
        chosen = range(len(self)) if boards is None else boards
        for board, number in zip(chosen, seeds, strict=True):
            self._rngs[board] = make_seed(number)

    def _chosen(self, boards: Flags | None) -> Flags:
        """bool[boards]: the selected boards; by default all."""
        return self._everything if boards is None else boards


def split_rows(fields: Sequence[ArrayField], rows: Bytes) -> Arrays:
    """Split rows of concatenated fields into the fields of an encoder.

    Args:
        fields: The fields in order.
        rows: int8[boards, sum of the sizes of all fields].

    Returns:
        Views of the rows by field name; the first axis is the board.
    """
    arrays, start = {}, 0
    for field in fields:
        part = rows[:, start : start + field.size]
        arrays[field.name] = part.reshape(len(rows), *field.shape)
        start += field.size
    return arrays
