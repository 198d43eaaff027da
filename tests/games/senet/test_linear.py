"""The plain evaluation of Senet, and what it is learned from."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.algorithms.linear_model import LinearModel, ModelError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.linear import FEATURES, side_features
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

GAMES = [Senet(rules, pieces) for rules in ("kendall", "skyruk") for pieces in (5, 7)]
MODEL = LinearModel(
    "senet",
    1,
    {
        "kendall": {"own 1: 30": 2.0, "foe 1: 30": -2.0, "foe 1: 3": 1.0, "1 against 1": 0.5},
        "skyruk": {},
    },
)
EVALUATION = FEATURES.evaluation(MODEL)


class TestEvaluation:
    def test_weights_are_log_odds(self) -> None:
        game = Senet()
        state = SenetState(bit(30), bit(3), 0, None)
        # 2 + 1 + 0.5 are the log odds of 97 %.
        assert EVALUATION(game, state, 0) == pytest.approx(2 * 0.970688 - 1, abs=1e-6)
        assert EVALUATION(game, state, 1) == -EVALUATION(game, state, 0)

    def test_colour_does_not_matter(self) -> None:
        game = Senet()
        state = SenetState(bit(30), bit(3), 0, None)
        mirrored = SenetState(state.spools, state.cones, 1, None)
        assert EVALUATION(game, mirrored, 1) == EVALUATION(game, state, 0)

    def test_ends_are_certain(self) -> None:
        assert EVALUATION(Senet(), SenetState(0, bit(30), 1, None), 0) == 1
        assert EVALUATION(Senet(), SenetState(bit(30), 0, 1, None), 0) == -1

    def test_after_the_throw_it_is_the_best_move_that_counts(self) -> None:
        assert EVALUATION(Senet(), SenetState(bit(30), bit(3), 0, 1), 0) == 1


class TestFeatures:
    def test_names(self) -> None:
        mask = bit(4) | bit(5) | bit(6) | bit(26) | bit(30)
        assert list(side_features("own", mask)) == [
            "own 5: 4",
            "own 5: 5",
            "own 5: 6",
            "own 5: 26",
            "own 5: 30",
            "own pair",
            "own pair",
            "own three in a row",
            "own beyond: 26+30",
        ]


class TestTrainingHook:
    def test_every_feature_is_named_and_the_balance_comes_last(self) -> None:
        state = SenetState(bit(30), bit(1) | bit(2), 0, None)
        assert FEATURES.features(state) == (
            "own 1: 30",
            "own beyond: 30",
            "foe 2: 1",
            "foe 2: 2",
            "foe two: 1+2",
            "foe pair",
            "1 against 2",
        )

    @pytest.mark.parametrize("game", GAMES, ids=str)
    def test_random_states_are_possible_and_before_a_throw(self, game: Senet) -> None:
        rng = random.Random(5)
        counts = set()
        for _ in range(60):
            state = FEATURES.random_state(game, rng)
            assert game.to_act(state) == (CHANCE,)
            assert game.from_json(game.to_json(state)) == state
            counts.add(state.cones.bit_count())
        assert counts == set(range(1, game.pieces + 1))

    def test_a_model_without_a_rule_set_is_refused(self) -> None:
        with pytest.raises(ModelError, match='not for "skyruk", only for kendall'):
            FEATURES.evaluation(LinearModel("senet", 1, {"kendall": {}}))
