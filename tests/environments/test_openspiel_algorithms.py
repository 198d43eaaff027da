"""OpenSpiel's own algorithms on our games, against what is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boardgames_cli.environments import openspiel
from tests.environments.openspiel_tools import every_state, pyspiel

GAME_VALUE = -1 / 18
"""What a hand of Kuhn poker is worth to the player who acts first (Kuhn, 1950)."""


def optimum(game: Any) -> Any:
    """One of Kuhn's optimal strategies, in which the first player bets no jack."""
    bets = {
        "J": 0.0, "Q": 0.0, "K": 0.0,
        "J check bet": 0.0, "Q check bet": 1 / 3, "K check bet": 1.0,
        "J check": 1 / 3, "Q check": 0.0, "K check": 1.0,
        "J bet": 0.0, "Q bet": 1 / 3, "K bet": 1.0,
    }  # fmt: skip
    table = {}
    for state in every_state(game.new_initial_state()):
        if state.current_player() >= 0:
            bet = bets[game.rules.information_set(state.past.observe(state.current_player()))]
            table[state.information_state_string()] = [(0, 1 - bet), (1, bet)]
    return pyspiel.TabularPolicy(table)


def test_an_optimal_strategy_has_the_value_of_the_game_and_no_weakness() -> None:
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import TabularPolicy

    game = openspiel.load("kuhn")
    table, best = optimum(game), TabularPolicy(game)
    for key, row in table.policy_table().items():
        best.policy_for_key(key)[:] = [dict(row)[0], dict(row)[1]]
    scores = expected_game_score.policy_value(game.new_initial_state(), [best, best])
    assert scores == pytest.approx([GAME_VALUE, -GAME_VALUE])
    assert exploitability.exploitability(game, best) == pytest.approx(0.0, abs=1e-12)
    # The same in their C++.
    assert pyspiel.exploitability(game, table) == pytest.approx(0.0, abs=1e-12)


def test_exploitability_is_as_in_their_own_kuhn_poker() -> None:
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import UniformRandomPolicy

    found = [
        exploitability.exploitability(game, UniformRandomPolicy(game))
        for game in (openspiel.load("kuhn"), pyspiel.load_game("kuhn_poker"))
    ]
    assert found[0] == pytest.approx(found[1])


def test_a_search_with_secrets_guesses_what_it_does_not_know() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game, rng = openspiel.load("kuhn"), np.random.RandomState(1)
    state = game.new_initial_state()
    for action in (2, 0, 0):
        state.apply_action(action)
    seen = set()
    for _ in range(20):
        other = state.resample_from_infostate(1, rng.random_sample)
        assert other.information_state_string(1) == state.information_state_string(1)
        assert other.current_player() == 1
        # What the other player really has shows nowhere: its own text begins anew.
        assert other.information_state_string(0) != state.information_state_string(0)
        seen.add(tuple(game.rules.to_json(other.position)["cards"]))
        assert other.child(1).information_state_string(1) == (
            state.child(1).information_state_string(1)
        )
    assert seen == {(1, 0), (2, 0)}
    searcher = ismcts.ISMCTSBot(
        game=game,
        uct_c=2.0,
        max_simulations=30,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        random_state=rng,
    )
    assert searcher.step(state) in (0, 1)
