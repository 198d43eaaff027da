"""What is special about boards of Senet; the rest is in tests/algorithms/fast."""

from __future__ import annotations

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast.boards import RANDOM
from boardgames_cli.games.senet.fast.batch import SenetBatch
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState


def test_a_game_that_ends_before_the_seat_acts_does_not_count() -> None:
    seats = np.zeros(50, dtype=np.int32)
    batch = SenetBatch(Senet(), 50, seed=1)
    # As if all games began so: the spools, who begin, win at once with a throw of 1.
    start = SenetState(1, 1 << 29, 1, None)
    batch.states[0] = batch.pack(start)
    batch._start = batch.states[0].copy()
    batch.begin(seats, np.full((50, 2), RANDOM, dtype=np.int32))
    assert batch.masks(seats).any(axis=1).all()
    assert not batch.play(seats).over.any()
