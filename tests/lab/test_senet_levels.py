"""The compiled copies of Senet's agents value moves as the agents do."""

from __future__ import annotations

import argparse
import math
import random

import pytest

pytest.importorskip("numba", reason="compiled players need the extra `fast` (numba)")

import numpy as np
from senet_learner import random_position
from senet_levels import (
    Player,
    choose,
    count_wins,
    evaluation_of,
    list_moves,
    make_moves,
    neighbours,
    player_of,
)

from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Observation
from boardgames_cli.games.senet.agents import Chaser
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.search import make_choices
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.registry import make_agent


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", ["chaser:foremost=0.7", "greedy:temperature=0.1", "hard"])
def test_moves_are_worth_what_the_agents_think(rules: str, name: str) -> None:
    game, rng, found = Senet(rules, 7), make_seed(8), make_moves()
    agent, evaluation, compared = make_agent(name, game), evaluation_of(game), 0
    agent.reset(game, 0)
    for number in range(24):
        own, opponent = random_position(7, RULES[rules], rng)
        steps = 1 + number % 5
        state = SenetState(own, opponent, 0, steps)
        legal = tuple(game.legal_actions(state, 0))
        count = list_moves(
            own, opponent, steps, player_of(name, game), evaluation, make_choices(), found
        )
        if count < 2:
            continue
        seen = Observation(0, 0, state, legal)
        if isinstance(agent, Chaser):
            values = {move: agent.at_sight(state, move) for move in legal}
        else:
            values = agent.evaluate_actions(seen, Thinking(random.Random(1)))  # type: ignore[attr-defined]
        assert found.value[:count].tolist() == pytest.approx(
            [values[move] for move in legal], abs=1e-4
        )
        for move, first, second in zip(legal, found.own, found.opponent, strict=False):
            after = game.apply(state, {0: move})
            assert (after.cones, after.spools) == (first, second)
        compared += 1
    assert compared > 8


def test_choices_go_by_temperature_and_a_win_is_taken() -> None:
    found, rng = make_moves(), make_seed(2)
    found.own[:3] = 1
    counts = np.zeros(3)
    for _ in range(3000):
        found.value[:3] = (0.0, 0.5, -9.0)
        counts[choose(found, 3, Player(3, 0.5), rng)] += 1
    assert counts[1] / counts[0] == pytest.approx(math.e, rel=0.15)
    assert not counts[2]
    found.own[2], found.value[:3] = 0, (0.0, 0.5, -9.0)
    assert choose(found, 3, Player(3), rng) == 2


def test_a_level_wins_against_random_moves_and_others_have_no_copy() -> None:
    game = Senet("skyruk")
    assert [pair.split("/")[0] for pair in neighbours(game)] == ["easy", "medium", "hard"]
    pair = [player_of(name, game) for name in ("hard", "random")]
    wins = [
        count_wins(
            60, 5, player, rival, evaluation_of(game), make_choices(), make_moves(), make_seed(1)
        )
        for player, rival in (pair, pair[::-1])
    ]
    assert wins[0] > 40
    assert wins[1] < 20
    with pytest.raises(argparse.ArgumentTypeError, match="no compiled player"):
        player_of("mcts", game)
