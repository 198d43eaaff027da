from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import senet_exact

import tests.toys
from boardgames_cli import registry
from boardgames_cli.agents.greedy import Greedy
from boardgames_cli.algorithms.action_values import pick_best, pick_by_temperature
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.plugins import GAME_GROUP
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.plugins import Plugins
from tests.toys import Cards


def thinking(seed: int = 1) -> Thinking:
    return Thinking(random.Random(seed))


def senet(rules: str = "kendall") -> AnyGame:
    return registry.make("senet", rules=rules)


def position(game: AnyGame, **fields: Any) -> Observation[Any, Any]:
    state = game.from_json({"player": 0, "pieces": 5} | fields)
    return game.observe(state, fields.get("player", 0))


def seated(game: AnyGame, **options: Any) -> Greedy[Any, Any]:
    agent: Greedy[Any, Any] = Greedy(**options)
    assert agent.supports(game) is None
    agent.reset(game, 0)
    return agent


CARDS = replace(tests.toys.CARDS, heuristic="tests.toys:evaluate")
"""A guess ends the game, so that this is never asked."""


class TestChoice:
    def test_single_action_needs_no_thought(self) -> None:
        game = senet()
        seen = position(game, cones=[3], spools=[10], steps=2)
        agent = Greedy[Any, Any]()  # not seated: any evaluation would fail
        assert agent.act(seen, thinking()) == seen.legal[0]

    @pytest.mark.parametrize(("card", "right", "wrong"), [(0, "low", "high"), (2, "high", "low")])
    def test_hidden_card_is_guessed_from_what_fits_the_observation(
        self, plugins: Plugins, card: int, right: str, wrong: str
    ) -> None:
        plugins.add(GAME_GROUP, "cards", "tests.agents.test_greedy:CARDS")
        game = Cards()
        state = game.apply_chance(game.initial_state(), f"deal 1 {card}")
        seen = game.observe(game.apply(state, {0: "high"}), 1)
        values = seated(game).evaluate_actions(seen, thinking())
        assert values == {right: 1.0, wrong: 0.0}

    def test_ties_are_drawn(self) -> None:
        rng = random.Random(1)
        drawn = Counter(pick_best({"a": 0.5, "b": 0.5 + 1e-12, "c": 0.4}, rng) for _ in range(200))
        assert set(drawn) == {"a", "b"}
        assert min(drawn.values()) > 60


class TestTemperature:
    def test_what_is_worse_by_it_is_drawn_e_times_more_rarely(self) -> None:
        rng = random.Random(1)
        values = {"best": 0.5, "worse": 0.4, "bad": -0.5}
        drawn = Counter(pick_by_temperature(values, 0.1, rng) for _ in range(4000))
        assert drawn["best"] / drawn["worse"] == pytest.approx(math.e, rel=0.1)
        assert drawn["bad"] < 10

    def test_at_zero_only_the_best_are_drawn(self) -> None:
        rng = random.Random(1)
        values = {"a": 0.5, "b": 0.5, "c": 0.49}
        assert {pick_by_temperature(values, 0.0, rng) for _ in range(50)} == {"a", "b"}

    def test_medium_misses_nothing_that_is_there(self) -> None:
        game = senet("skyruk")
        # Off from the Water by a 4, or back to where 60 % win instead of all: two are left, and
        # the other throws again.
        seen = position(game, cones=[26, 29], spools=[18, 19, 28], steps=4)
        agent = registry.make_agent(registry.find_game("senet").levels["medium"], game)
        agent.reset(game, 0)
        drawn = Counter(str(agent.act(seen, thinking(seed))) for seed in range(60))
        assert drawn["27>off"] == 60

    def test_a_win_at_once_is_never_let_go(self) -> None:
        game = registry.make("tapnswap")
        seen = game.observe(TapnSwapState(((2, 3), (0, 2)), 0), 0)
        hot = seated(game, temperature=100.0)
        assert len(seen.legal) > 2
        assert {str(hot.act(seen, thinking(seed))) for seed in range(40)} == {"tap R>R"}


class TestSlips:
    def test_always_slipping_is_random(self) -> None:
        game = senet()
        seen = position(game, cones=[3, 8, 12, 20, 29], spools=[5, 14], steps=1)
        agent = seated(game, slips=1.0)
        drawn = Counter(agent.act(seen, thinking(seed)) for seed in range(300))
        assert set(drawn) == set(seen.legal)
        assert min(drawn.values()) > 30


@pytest.mark.slow
class TestStrength:
    """Small samples of what `boardgames tournament` measures, with room for bad luck."""

    @pytest.mark.parametrize(
        ("agent", "rules", "floor", "loss"),
        [
            ("greedy", "kendall", 0.55, 0.01),
            ("greedy", "skyruk", 0.55, 0.01),
            ("expectimax:depth=2", "kendall", 0.62, 0.007),
            ("expectimax:depth=2", "skyruk", 0.58, 0.007),
        ],
    )
    def test_plays_known_endings_well(
        self, agent: str, rules: str, floor: float, loss: float
    ) -> None:
        choices = [choice for choice in senet_exact.read_choices() if choice.rules == rules]
        verdict = senet_exact.judge(agent, choices)
        assert verdict.optimal >= floor
        assert verdict.loss < loss
