"""Leduc poker is played as RULES.md says, and has the value that is published."""

from __future__ import annotations

import pytest
from boardgames_cli import GameError, find_game, make
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.exploitability import strategy_quality
from boardgames_cli.algorithms.game_tree import GameTree, count_nodes
from boardgames_cli.algorithms.strategy import parse_strategy

from boardgames_leduc.rules import Action, Leduc, State

C, R, F = Action.CALL, Action.RAISE, Action.FOLD
J, Q, K = 1, 2, 3


@pytest.mark.parametrize(
    ("state", "won"),
    [
        (State((K, Q), J, (C, C), (C, C)), 1),
        (State((K, Q), Q, (C, C), (C, C)), -1),
        (State((K, K), Q, (R, C), (R, C)), 0),
        (State((K, J), Q, (R, R, C), (R, R, C)), 13),
        (State((K, J), None, (R, F)), 1),
        (State((K, J), None, (R, R, F)), -3),
        (State((J, K), Q, (C, C), (C, R, F)), -1),
        (State((K, J), None, (R, F), hand=1), -1),
    ],
)
def test_chips_go_to_the_better_hand(state: State, won: int) -> None:
    assert Leduc(hands=2).returns(state) == (won, -won)


def test_raises_and_folds_are_refused_with_the_reason() -> None:
    game = Leduc()
    with pytest.raises(GameError, match="illegal: there is no raise to answer"):
        game.parse(State((K, J)), 0, "fold")
    with pytest.raises(GameError, match="illegal: there are 2 raises already"):
        game.parse(State((K, J), None, (R, R)), 0, "raise")
    assert game.parse(State((K, J)), 0, "check") is C
    with pytest.raises(GameError, match="not an action"):
        game.parse(State((K, J), None, (R,)), 1, "check")


def test_cards_are_hidden_until_a_showdown() -> None:
    game = Leduc()
    assert game.observe(State((K, J)), 0).state.cards == (K, 0)
    assert game.observe(State((K, J)), None).state.cards == (0, 0)
    assert game.observe(State((K, J), None, (R, F)), 0).state.cards == (K, 0)
    assert game.observe(State((K, J), Q, (C, C), (C, C)), None).state.cards == (K, J)


@pytest.mark.parametrize(
    "position",
    [
        {"cards": [3, 3], "public": 3, "first": ["call", "call"], "second": []},
        {"cards": [3, 2], "public": 3, "first": ["call"], "second": []},
        {"cards": [3, 2], "public": None, "first": ["fold"], "second": []},
        {"cards": [3, 0], "public": None, "first": [], "second": []},
        {"cards": [3], "public": None, "first": ["call"], "second": []},
    ],
)
def test_impossible_positions_are_refused(position: dict[str, object]) -> None:
    with pytest.raises(GameError):
        Leduc().from_json({**position, "hand": 0, "won": 0})


def test_the_tree_is_as_large_as_published() -> None:
    # 288 information sets (Southey and others, 2005); OpenSpiel counts 936, with suits.
    game = Leduc()
    assert len(GameTree(game).information_sets) == 288
    assert count_nodes(game, game.initial_state(), depth=2).chance == 4


def test_the_strategy_is_an_equilibrium() -> None:
    # -0.085606424078 is the value in OpenSpiel's tests.
    text = find_game("leduc").data_text("strategy.json")
    assert text is not None
    found = strategy_quality(make("leduc"), parse_strategy(text, "strategy.json"))
    assert found.value == pytest.approx(-0.0856064, abs=1e-4)
    assert found.exploitability < 1e-3


def test_reviews_judge_by_the_strategy_that_comes_with_the_game() -> None:
    analyst = analyst_for(make("leduc", hands="2"))
    assert analyst.method.is_exact
    assert "gains 2e-04" in analyst.method.text
