"""Many boards at once, against the readable rules and their encoder."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast.boards import GIVEN, RANDOM, STAY
from boardgames_cli.games.pommerman.fast.batch import POLICY, BoardBatch
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.registry import make_encoder
from tests.games.pommerman.crowds import crowded, piled_up
from tests.games.pommerman.records import joint_moves

FALLING: dict[str, Any] = {"collapse": True, "first_collapse": 20, "steps": 90}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"mode": "team"},
    {"mode": "team", "view": 2, **FALLING},
    {"mode": "duel"},
    FALLING,
]


def begun(game: Pommerman, count: int, seed: int) -> BoardBatch:
    batch = BoardBatch(game, count, seed)
    batch.begin(np.zeros(count, dtype=np.int32), np.zeros((count, game.seats), dtype=np.int32))
    return batch


def batch_of(game: Pommerman, states: list[PommermanState]) -> BoardBatch:
    batch = BoardBatch(game, len(states))
    for number, state in enumerate(states):
        batch.states[number] = batch.pack(state)
    return batch


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_field_is_that_of_the_encoder(options: dict[str, Any]) -> None:
    game = Pommerman(**options)
    encoder = make_encoder(game)
    states = []
    for seed in range(40):
        rng = random.Random(seed)
        state = (crowded, piled_up)[seed % 2](game, rng)
        for _ in range(seed % 5):
            moves = [rng.randrange(6) for _ in range(game.seats)]
            state = game.apply(state, joint_moves(moves, None))
        states.append(state)
    batch = batch_of(game, states)
    assert any(not agent.alive for state in states for agent in state.agents)
    for seat in range(game.seats):
        seen, flat = batch.observe(seat), batch.play(seat, dtype="float32").rows
        assert list(seen) == [field.name for field in encoder.fields]
        for number, state in enumerate(states):
            observation = game.observe(state, seat)
            wanted = encoder.encode(observation)
            for name, array in wanted.items():
                found = seen[name][number]
                assert found.dtype == array.dtype
                assert np.array_equal(found, array), (name, number, seat)
            assert np.array_equal(flat[number], encoder.flat(observation))


def test_who_is_given_a_move_makes_it_and_the_rest_move_by_themselves() -> None:
    batch = begun(Pommerman(), 50, seed=2)
    seats = np.arange(50, dtype=np.int32) % 4
    movers = np.full((50, 4), RANDOM, dtype=np.int32)
    movers[np.arange(50), seats] = GIVEN
    batch.play(seats, np.where(np.arange(50) % 5 > 0, 5, STAY), movers)
    for number in range(50):
        owners = {bomb.owner for bomb in batch.state(number).bombs}
        assert batch.state(number).step == (number % 5 > 0)
        assert (seats[number] in owners) == (number % 5 > 0)


def test_the_policy_beats_chance() -> None:
    batch = begun(Pommerman(), 300, seed=1)
    movers = np.tile(np.array([RANDOM, POLICY, RANDOM, RANDOM], dtype=np.int32), (300, 1))
    actions = np.random.default_rng(1)
    while not (over := batch.play(1).over).all():
        batch.play(0, np.where(over, STAY, actions.integers(6, size=300)), movers)
    assert (batch.play(1).returns > 0).mean() > 0.8
