from __future__ import annotations

import random
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.agents.expectimax import Expectimax
from boardgames_cli.algorithms.action_values import estimate
from boardgames_cli.core.agent import UNLIMITED, Budget, EvaluatesActions, Thinking
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    Observation,
)
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.games.tapnswap.state import TapnSwapState


def senet(rules: str = "kendall") -> AnyGame:
    return registry.make("senet", rules=rules)


def seated(game: AnyGame, depth: int) -> Expectimax[Any, Any]:
    agent: Expectimax[Any, Any] = Expectimax(depth)
    assert agent.supports(game) is None
    agent.reset(game, 0)
    return agent


def opening(game: AnyGame, throw: str = "throw 3") -> Observation[Any, Any]:
    start = game.initial_state()
    return game.observe(game.apply_chance(start, game.parse_chance(start, throw)), 1)


def plain_value(game: AnyGame, heuristic: Heuristic, state: Any, seat: int, depth: int) -> float:
    """Expectimax as in the textbook: no memory, no limits."""
    if depth == 0 or game.is_over(state):
        return estimate(game, heuristic, state, seat)
    player = game.to_act(state)[0]
    if player == CHANCE:
        return sum(
            chance * plain_value(game, heuristic, game.apply_chance(state, outcome), seat, depth)
            for outcome, chance in game.chance_outcomes(state)
        )
    values = [
        plain_value(game, heuristic, game.apply(state, {player: action}), seat, depth - 1)
        for action in game.legal_actions(state, player)
    ]
    return max(values) if player == seat else min(values)


class Flag:
    """Asked the n-th time, says that the thinking is cancelled."""

    def __init__(self, n: int) -> None:
        self.left = n

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


class TestValues:
    @pytest.mark.parametrize("rules", ["kendall", "skyruk"])
    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_agree_with_the_textbook(self, rules: str, depth: int) -> None:
        game = senet(rules)
        heuristic = registry.heuristic_of(game)
        assert heuristic is not None
        state = game.from_json(
            {"cones": [3, 20, 25], "spools": [5, 19], "player": 0, "steps": 2, "pieces": 5}
        )
        seen = game.observe(state, 0)
        agent = seated(game, depth)
        assert isinstance(agent, EvaluatesActions)
        values = agent.evaluate_actions(seen, Thinking(random.Random(1)))
        assert set(values) == set(seen.legal)
        for action, value in values.items():
            after = game.apply(state, {0: action})
            wanted = plain_value(game, heuristic, after, 0, depth - 1)
            assert value == pytest.approx(wanted, abs=1e-5)

    def test_sure_win_is_worth_1_and_taken(self) -> None:
        game = senet()
        state = game.from_json(
            {"cones": [29], "spools": [3, 28], "player": 0, "steps": 1, "pieces": 5}
        )
        seen = game.observe(state, 0)
        values = seated(game, 2).evaluate_actions(seen, Thinking(random.Random(1)))
        assert values == {game.parse(state, 0, "30>off"): 1.0}

    def test_win_now_beats_win_later(self) -> None:
        game = registry.make("tapnswap")
        state = TapnSwapState(((2, 4), (0, 1)), 0)  # a swap wins in 3 plies, a tap in 9
        agent = seated(game, 5)
        for seed in range(20):
            action = agent.act(game.observe(state, 0), Thinking(random.Random(seed)))
            assert str(action) == "tap R>R"


class TestLimits:
    def test_nodes_stop_it_after_the_last_finished_depth(self) -> None:
        game = senet()
        seen = opening(game)
        reports: list[str] = []
        thinking = Thinking(random.Random(1), Budget(nodes=300), report=reports.append)
        values = seated(game, 30).evaluate_actions(seen, thinking)
        finished = len(reports)
        assert 1 <= finished < 5
        assert reports[-1].startswith(f"depth {finished}, ")
        again = seated(game, finished).evaluate_actions(seen, Thinking(random.Random(1)))
        assert values == again

    def test_report_counts_nodes(self) -> None:
        game = senet()
        reports: list[str] = []
        seated(game, 3).act(opening(game), Thinking(random.Random(1), report=reports.append))
        assert [text.split(",")[0] for text in reports] == ["depth 1", "depth 2", "depth 3"]
        counts = [
            int(text.split(", ")[1].removesuffix(" nodes").replace(",", "")) for text in reports
        ]
        assert counts == sorted(counts)
        assert counts[0] == len(opening(game).legal)

    @pytest.mark.parametrize("asked", [0, 1, 7, 100])
    def test_cancelled_thinking_still_answers(self, asked: int) -> None:
        game = senet()
        seen = opening(game)
        thinking = Thinking(random.Random(1), UNLIMITED, cancelled=Flag(asked))
        assert seated(game, 30).act(seen, thinking) in seen.legal

    def test_no_time_still_answers(self) -> None:
        game = senet()
        seen = opening(game)
        thinking = Thinking(random.Random(1), Budget(seconds=0))
        first = seated(game, 1).evaluate_actions(seen, Thinking(random.Random(1)))
        assert seated(game, 30).evaluate_actions(seen, thinking) == first
