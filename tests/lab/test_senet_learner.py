"""How Senet's network learns: self-play, targets and steps."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="compiled rules need the extra `fast` (numba)")

import numpy as np
from senet_learner import (
    Learning,
    SenetLearner,
    random_position,
)

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.search import (
    look_ahead,
    make_choices,
    make_evaluation,
    network_of,
    split,
    table_of,
)
from boardgames_cli.games.senet.heuristic import bundled_model, evaluate
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

SHORT = Learning(rounds=4, positions=1024, hidden=8)


def test_gradients_are_those_of_the_cross_entropy() -> None:
    import senet_learner as module

    learner = SenetLearner("kendall", SHORT)
    own, opponent, target = 0b1000010110, 0b101 << 24, 0.75
    weights = learner._weights.astype(np.float64)
    gradient = np.zeros_like(weights)
    width = learner.shape.row
    module._add_gradient(
        own, opponent, target, split(learner.shape, weights), split(learner.shape, gradient),
        np.zeros((2, width)), np.zeros(width), np.zeros(64, np.int64),
    )  # fmt: skip

    def loss() -> float:
        from boardgames_cli.algorithms.networks.side_network import SideNetwork
        from boardgames_cli.games.senet.heuristic import phase, side_inputs

        network = SideNetwork(learner.shape, weights.tolist())
        mine, theirs = network.sums(0, side_inputs(own)), network.sums(1, side_inputs(opponent))
        chance = 1 / (1 + np.exp(-network.log_odds(mine, theirs, phase(own, opponent))))
        return float(-target * np.log(chance) - (1 - target) * np.log(1 - chance))

    touched = np.flatnonzero(gradient)
    for place in random.Random(1).sample(list(touched), 12):
        before = weights[place]
        weights[place] = before + 1e-5
        above = loss()
        weights[place] = before - 1e-5
        slope = (above - loss()) / 2e-5
        weights[place] = before
        assert slope == pytest.approx(gradient[place], abs=1e-7)


def test_looking_ahead_takes_the_best_move_of_every_throw() -> None:
    game = Senet("skyruk")
    network = network_of(bundled_model().network_for("skyruk"), np.float32)
    choices = make_choices()
    table = table_of(Endings.load("skyruk"))
    evaluation = make_evaluation(network, table, RULES["skyruk"])
    rng = make_seed(11)
    for _ in range(8):
        own, opponent = random_position(5, RULES["skyruk"], rng)
        found = look_ahead(own, opponent, choices, evaluation)
        total = 0.0
        for throw, chance in game.chance_outcomes(SenetState(own, opponent, 0, None)):
            state = SenetState(own, opponent, 0, throw.steps)
            best = max(
                evaluate(game, game.apply(state, {0: move}), 0)
                for move in game.legal_actions(state, 0)
            )
            assert choices.value[throw.steps] == pytest.approx((1 + best) / 2, abs=1e-5)
            total += chance * (1 + best) / 2
        assert found == pytest.approx(total, abs=1e-5)
