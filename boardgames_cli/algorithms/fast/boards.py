"""Shared by batches of boards of any game: their random generators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boardgames_cli.algorithms.fast.jit import Flags, Seeds
from boardgames_cli.algorithms.fast.xorshift import make_seed


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
