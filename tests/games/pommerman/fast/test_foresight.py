"""Foresight: whoever it says can survive does, by every walk on the readable rules."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.games.pommerman.fast.arrays import pack, pack_options, padded
from boardgames_cli.games.pommerman.fast.playouts import (
    LIVES,
    STEPS,
    careful,
    foresee,
    is_calm,
    make_ahead,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import play_step
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import at_rest, crowded, living

GAME = Pommerman(mode="duel")


def alone(seed: int) -> PommermanState:
    """A crowded position in which one agent is left, no bomb rolls, and nobody kicks."""
    state = at_rest(living(crowded(GAME, random.Random(seed)), 0))
    return state._replace(agents=tuple(agent._replace(kicks=False) for agent in state.agents))


def can_survive(state: PommermanState, steps: int) -> bool:
    """Whether any walk leaves the first agent alive, by trying all of them."""
    states = {state}
    for _ in range(steps):
        after = {
            play_step(GAME.step_rules, one, [move, *[0] * (GAME.seats - 1)])
            for one in states
            for move in range(5)
        }
        states = {one for one in after if one.agents[0].alive}
    return bool(states)


def foreseen(state: PommermanState) -> np.ndarray:
    ahead = make_ahead()
    foresee(pack(GAME, state), pack_options(GAME, state), ahead)
    return ahead


def test_it_knows_who_can_survive() -> None:
    found = []
    for seed in range(250):
        state = alone(seed)
        cell = padded(state.agents[0].cell, GAME.board_spec.size)
        lives = bool(foreseen(state)[LIVES + cell])
        assert lives == can_survive(state, STEPS), seed
        found.append(lives)
    assert 25 < sum(found) < 225


def test_a_careful_agent_survives_wherever_it_can() -> None:
    rng = make_seed(3)
    for seed in range(100):
        state = alone(seed)
        if not can_survive(state, STEPS):
            continue
        for _ in range(STEPS):
            packed = pack(GAME, state)
            move = 0
            if not is_calm(packed, pack_options(GAME, state)):
                move = careful(packed, foreseen(state), rng, 0, random.Random(seed).randrange(5), 0)
            state = play_step(GAME.step_rules, state, [move, *[0] * (GAME.seats - 1)])
        assert state.agents[0].alive, seed
