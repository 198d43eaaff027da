"""The agents that simulate games, against solved ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from boardgames_cli import make, make_agent
from boardgames_cli.agents.mcts import Ismcts, Mcts
from boardgames_cli.agents.rollout import RolloutAgent, SimulationAgent
from boardgames_cli.algorithms import game_tree
from boardgames_cli.algorithms.exploitability import profile_of, quality
from boardgames_cli.algorithms.game_tree import tree_of
from boardgames_cli.algorithms.position_graph import explore
from boardgames_cli.algorithms.retrograde import Outcome, solve
from boardgames_cli.algorithms.tree_search import RegretMatching, RolloutPolicy, TreeSearch
from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.game import AnyGame
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.testing import check_agent
from boardgames_cli.testing.findings import call_game
from tests.toys import TOYS, Cards, Heap, Pennies, Race

KINDS: Sequence[type[SimulationAgent[Any, Any]]] = (RolloutAgent, Mcts, Ismcts)


def thinking(seed: int = 1) -> Thinking:
    return Thinking(random.Random(seed))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", TOYS, ids=call_game)
def test_they_keep_the_contract(kind: type[SimulationAgent[Any, Any]], game: AnyGame) -> None:
    check_agent(kind(simulations=30), game, seeds=range(1))


@pytest.mark.parametrize(
    "agent", ["rollout:depth=3,simulations=40", "rollout:rollout=greedy,simulations=12,depth=6"]
)
def test_options_keep_the_contract(agent: str) -> None:
    game = make("tapnswap")
    check_agent(make_agent(agent, game), game, seeds=range(1), max_plies=20)


@pytest.mark.parametrize("kind", KINDS)
def test_wins_a_heap_that_can_be_won(kind: type[SimulationAgent[Any, Any]]) -> None:
    # Who leaves a multiple of 4 wins.
    game, agent = Heap(), kind(simulations=600)
    agent.reset(game, 0)
    assert agent.act(game.observe(game.initial_state(), 0), thinking()) == "3"


@pytest.mark.parametrize("multi", [False, True])
def test_a_small_tree_is_proven(multi: bool) -> None:
    # Who leaves a multiple of 4 wins.
    game = Heap()
    search: TreeSearch[Any, str] = TreeSearch(
        game, game.observe(game.initial_state(), 0), RolloutPolicy(game), random.Random(1),
        multi=multi,
    )  # fmt: skip
    search.run(400, lambda _: False)
    assert search.root.solved == (1.0, -1.0)
    assert search.policy() == {"3": 1.0, "2": 0.0, "1": 0.0}
    assert search.values()["3"] == 1.0
    lost = game.observe(game.apply(game.initial_state(), {0: "3"}), 1)
    search = TreeSearch(game, lost, RolloutPolicy(game), random.Random(1))
    search.run(400, lambda _: False)
    assert search.root.solved == (1.0, -1.0)
    assert set(search.values().values()) == {-1.0}


def test_nothing_is_proven_about_chance() -> None:
    game = Race(6)
    state = game.from_json({"here": [4, 4], "turn": 0, "roll": 1})
    search: TreeSearch[Any, Any] = TreeSearch(
        game, game.observe(state, 0), RolloutPolicy(game), random.Random(1)
    )
    search.run(400, lambda _: False)
    assert search.root.solved is None


def test_mcts_finds_the_forced_wins_of_tapnswap() -> None:
    game = TapnSwap()
    solution = solve(explore(game, game.every_position()))
    agent = Mcts[Any, Any](simulations=1500)
    agent.reset(game, 0)
    won = [
        state
        for state in game.every_position()
        if game.to_act(state) == (0,) and solution.verdict(state).outcome is Outcome.WIN
    ]
    sample = [state for state in won if solution.verdict(state).plies <= 5][::9]
    found = 0
    for state in sample:
        seen = game.observe(state, 0)
        action = agent.act(seen, thinking())
        found += solution.judge(state)[action].outcome is Outcome.WIN
    assert len(sample) > 10
    assert found >= 0.9 * len(sample)


def test_the_values_of_a_race_are_its_expected_returns() -> None:
    game = Race(6)
    agent = Mcts[Any, Any](simulations=4000)
    agent.reset(game, 0)
    ahead = game.from_json({"here": [4, 4], "turn": 0, "roll": 1})
    # A jump to 6 wins; a step to 5 loses, because the tortoise jumps home with any roll.
    values = agent.evaluate_actions(game.observe(ahead, 0), thinking())
    assert values["jump high"] == 1.0
    assert values["step"] == pytest.approx(-1.0, abs=0.1)


def test_ismcts_guesses_by_its_own_card() -> None:
    game = Cards()
    agent = Ismcts[Any, Any](simulations=300)
    agent.reset(game, 0)
    for deal, guess in (("deal 2 0", "high"), ("deal 0 2", "low")):
        seen = game.observe(game.apply_chance(game.initial_state(), deal), 0)
        assert agent.act(seen, thinking()) == guess
        assert agent.evaluate_actions(seen, thinking())[guess] == 1.0


def test_ismcts_is_hard_to_exploit_at_kuhn_poker(monkeypatch: pytest.MonkeyPatch) -> None:
    # 0.167 was measured with 1000 simulations, 0.458 for random play; 0 needs mixed strategies.
    monkeypatch.setattr(game_tree, "SAMPLES", 8)
    tree = tree_of(make("kuhn"))
    agent = Ismcts[Any, Any](simulations=300)
    measured = quality(tree, profile_of(tree, {0: agent, 1: agent}))
    assert measured.exploitability < 0.25


def test_a_joint_step_is_answered_by_a_mixed_strategy() -> None:
    game = Pennies()
    seen = game.observe(game.initial_state(), 0)
    search = TreeSearch(game, seen, RolloutPolicy(game), random.Random(1))
    search.run(4000, lambda _: False)
    assert search.policy()["heads"] == pytest.approx(0.5, abs=0.1)


def test_regret_matching_finds_the_equilibrium_of_a_matrix_game() -> None:
    # Rock wins twice as much: rock 1/4, paper 1/2, scissors 1/4 is the only equilibrium.
    wins = {("rock", "scissors"): 2.0, ("paper", "rock"): 1.0, ("scissors", "paper"): 1.0}
    names = ("rock", "paper", "scissors")
    search = TreeSearch(Pennies(), Pennies().observe(Pennies().initial_state(), 0),
                        RolloutPolicy(Pennies()), random.Random(3))  # fmt: skip
    players = (RegretMatching[str](), RegretMatching[str]())
    for _ in range(20_000):
        mine, yours = (player.choose(names, search) for player in players)
        value = wins.get((mine, yours), 0.0) - wins.get((yours, mine), 0.0)
        players[0].learn(mine, (yours,), value)
        players[1].learn(yours, (mine,), -value)
    for player in players:
        policy = player.policy(names)
        assert policy["rock"] == pytest.approx(1 / 4, abs=0.06)
        assert policy["paper"] == pytest.approx(1 / 2, abs=0.06)


def test_stops_at_the_limit_of_nodes() -> None:
    game = Heap()
    agent = Mcts[Any, Any](simulations=1000)
    agent.reset(game, 0)
    limited = Thinking(random.Random(1), Budget(nodes=7))
    search = agent.search(game.observe(game.initial_state(), 0), limited)
    assert search.simulations == 7
