from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.linear_model import LinearModel, ModelError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.heuristic import (
    FEATURES,
    bundled_model,
    evaluate,
    load_weights,
    side_features,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

SAMPLE = Path(__file__).parents[2] / "data" / "senet_exact_sample.jsonl.gz"
GAMES = [Senet(rules, pieces) for rules in ("kendall", "skyruk") for pieces in (5, 7)]


def random_states(game: Senet, games: int) -> Iterator[SenetState]:
    rng = random.Random(3)
    for _ in range(games):
        state = game.initial_state()
        while to_act := game.to_act(state):
            yield state
            if to_act == (CHANCE,):
                state = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                move = rng.choice(game.legal_actions(state, to_act[0]))
                state = game.apply(state, {to_act[0]: move})
        yield state


def exact_values(rules: str) -> list[tuple[SenetState, float]]:
    game = Senet(rules)
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        (game.from_json(position(row)), row["win_prob_before_throw"])
        for row in rows
        if row["rules"] == rules
    ]


def position(row: dict[str, Any]) -> dict[str, Any]:
    wanted = {key: row[key] for key in ("cones", "spools", "player")}
    return wanted | {"steps": None, "pieces": 5}


class TestEvaluate:
    @pytest.mark.parametrize("game", GAMES, ids=str)
    def test_bounded_and_symmetric(self, game: Senet) -> None:
        for state in random_states(game, 4):
            value = evaluate(game, state, 0)
            assert -1 <= value <= 1
            assert evaluate(game, state, 1) == -value

    @pytest.mark.parametrize("game", GAMES, ids=str)
    def test_colour_does_not_matter(self, game: Senet) -> None:
        for state in random_states(game, 2):
            mirrored = SenetState(state.spools, state.cones, 1 - state.player, state.steps)
            assert evaluate(game, mirrored, 1) == evaluate(game, state, 0)

    def test_ends_are_certain(self) -> None:
        game = Senet()
        assert evaluate(game, SenetState(0, bit(30), 1, None), 0) == 1
        assert evaluate(game, SenetState(bit(30), 0, 1, None), 0) == -1

    def test_after_the_throw_it_is_the_best_move_that_counts(self) -> None:
        game = Senet()
        state = SenetState(bit(30), bit(3), 0, 1)
        assert evaluate(game, state, 0) == 1

    @pytest.mark.parametrize("rules", ["kendall", "skyruk"])
    def test_close_to_the_exact_chances(self, rules: str) -> None:
        game = Senet(rules)
        errors = [
            abs((evaluate(game, state, state.player) + 1) / 2 - chance)
            for state, chance in exact_values(rules)
        ]
        # Calling every ending even would be off by 0.35.
        assert sum(errors) / len(errors) < 0.11

    @pytest.mark.parametrize("game", GAMES, ids=str)
    def test_fewer_dancers_left_is_better(self, game: Senet) -> None:
        few = SenetState(bit(10) | bit(20), bit(9) | bit(12) | bit(16) | bit(19), 0, None)
        many = SenetState(few.spools, few.cones, 0, None)
        assert evaluate(game, few, 0) > 0 > evaluate(game, many, 0)


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

    @pytest.mark.parametrize("rules", ["kendall", "skyruk"])
    def test_common_features_have_weights(self, rules: str) -> None:
        weights = load_weights(rules)
        named = {
            name
            for state in random_states(Senet(rules, 7), 3)
            for name in side_features("own", state.cones)
        }
        # Random play comes to places where the learner's own games hardly ever were.
        assert len(named - set(weights)) <= 0.1 * len(named)


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

    def test_the_bundled_weights_make_the_bundled_evaluation(self) -> None:
        game = Senet("skyruk")
        evaluation = FEATURES.evaluation(bundled_model())
        for state in random_states(game, 1):
            assert evaluation(game, state, 0) == evaluate(game, state, 0)

    def test_a_model_without_a_rule_set_is_refused(self) -> None:
        with pytest.raises(ModelError, match='say nothing of "skyruk", only of kendall'):
            FEATURES.evaluation(LinearModel("senet", 1, {"kendall": {}}))
