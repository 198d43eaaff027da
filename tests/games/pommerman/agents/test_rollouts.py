"""The agent that plays its moves out: what it does in clear cases, and what it guesses."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="the agent needs the extra `fast` (numba)")

import numpy as np

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.rollouts import (
    Rollouts,
    beyond_chance,
    guess_state,
)
from boardgames_cli.games.pommerman.agents.simple import Simple
from boardgames_cli.games.pommerman.board import UNKNOWN
from boardgames_cli.games.pommerman.fast.arrays import pack
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from tests.games.pommerman.agents.duels import FLIGHT, bomber, decide
from tests.games.pommerman.crowds import crowded


@pytest.mark.parametrize("cancelled", [False, True])
def test_without_any_time_it_still_flees(cancelled: bool) -> None:
    budget = Budget() if cancelled else Budget(seconds=0.0)
    assert decide(Rollouts(playouts=300), FLIGHT, budget, cancelled) == "right"


@pytest.mark.parametrize("mode", ["team", "radio"])
def test_guesses_are_full_states_that_agree_with_what_is_seen(mode: str) -> None:
    game = Pommerman(mode=mode, view=2)
    for seed in range(100):
        rng = random.Random(seed)
        state = crowded(game, rng)
        memory = Memory(11)
        seen = game.redact(state, 0)
        memory.watch(seen)
        guess = guess_state(game, seen, memory.complete(seen), 0, rng)
        pack(game, guess)
        assert guess.agents[0] == state.agents[0]
        clear = ~seen.fog
        assert guess.rigid & clear == seen.rigid
        assert guess.wood & clear == seen.wood
        assert {bomb.cell for bomb in seen.bombs} <= {bomb.cell for bomb in guess.bombs}
        walls = guess.rigid | guess.wood
        for agent, known in zip(guess.agents, seen.agents, strict=True):
            if known.cell == UNKNOWN and agent.alive:
                assert seen.fog >> agent.cell & 1
                assert not walls >> agent.cell & 1
            elif known.cell != UNKNOWN:
                assert agent.cell == known.cell


def test_nobody_is_placed_where_no_place_is_left() -> None:
    game = Pommerman(mode="team", view=10)
    agents = (bomber(1, 1), *(Bomber(UNKNOWN, True, -1, -1, False) for _ in range(3)))
    bombs = (Bomb(40, 5, 3, UNKNOWN, 0),)
    state = PommermanState(agents=agents, bombs=bombs)
    guess = guess_state(game, state, state, 0, random.Random(1))
    pack(game, guess)
    assert [agent.alive for agent in guess.agents] == [True, False, False, False]
    assert guess.bombs[0].owner in (1, 2, 3)


def test_only_what_is_beyond_chance_counts() -> None:
    # Survived, rivals dead, mates dead, for each of three moves.
    even = np.array([[0.9, 0.1, 0.0], [0.92, 0.1, 0.0], [0.91, 0.12, 0.0]])
    assert beyond_chance(even, 100) == [0.0, 0.0, 0.0]
    deadly = np.array([[0.2, 0.1, 0.0], [0.9, 0.1, 0.0], [0.9, 0.1, 0.0]])
    few, many = beyond_chance(deadly, 100), beyond_chance(deadly, 10_000)
    assert few[0] < 0 < few[1] == few[2]
    assert many[0] < few[0], "the surer, the more"
    kills = beyond_chance(np.array([[0.9, 1.0, 0.0], [0.9, 0.0, 0.0], [0.9, 0.0, 1.0]]), 1000)
    assert kills[0] > 0 > kills[2]


@pytest.mark.slow
def test_it_beats_simple() -> None:
    # An equal agent would win 15 % of such games; the benchmark has the exact share.
    won = 0
    for seed in range(100, 103):
        agents = [Rollouts(playouts=60) if seat == seed % 4 else Simple() for seat in range(4)]
        won += play(Match(Pommerman(), seed=seed), agents, Budget())[seed % 4] > 0
    assert won >= 2
