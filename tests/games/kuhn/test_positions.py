"""Positions of Kuhn poker from outside."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from tests.games.kuhn.tables import BET, CHECK, every_state

GOOD: dict[str, Any] = {"cards": [2, 0], "actions": ["check"], "first": 0}


def test_one_hand_has_the_three_keys_only() -> None:
    assert Kuhn().to_json(KuhnState((2, 0), (CHECK,), 0)) == GOOD
    assert Kuhn().to_json(Kuhn(first=2).initial_state()) == {
        "cards": [None, None], "actions": [], "first": 1,
    }  # fmt: skip


def test_a_match_has_the_hand_and_the_chips_too() -> None:
    data = GOOD | {"hand": 6, "chips": [3, -3]}
    state = KuhnState((2, 0), (CHECK,), 0, 6, 3)
    assert Kuhn(hands=20).to_json(state) == data
    assert Kuhn(hands=20).from_json(data) == state


def test_every_state_comes_back() -> None:
    for game in (Kuhn(), Kuhn(first=2), Kuhn(hands=2)):
        for state in every_state(game):
            assert game.from_json(game.to_json(state)) == state


def test_what_is_left_out_is_that_of_the_start() -> None:
    position = {"cards": [2, 0], "actions": ["bet"]}
    assert Kuhn(hands=5, first=2).from_json(position) == KuhnState((2, 0), (BET,), 1, 0, 0)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cards": [2, 2]}, "cards has 2 twice"),
        ({"cards": [2, 3]}, "cards has 3"),
        ({"cards": [2]}, "cards has 1 values"),
        ({"cards": [2, "?"]}, "hidden"),
        ({"cards": [True, 0]}, "cards has True"),
        ({"cards": [2, None]}, "not all are dealt"),
        ({"cards": [None, 2], "actions": []}, "not all are dealt"),
        ({"actions": ["call"]}, "actions"),
        ({"actions": ["check", "check", "bet"]}, "can't go so"),
        ({"actions": "check"}, "actions is"),
        ({"first": 2}, "first is 2"),
        ({"first": True}, "first is True"),
        ({"hand": 5}, "hand is 5"),
        ({"hand": 1, "chips": [3, -3]}, "chips"),
        ({"hand": 2, "chips": [3, 3]}, "chips"),
        ({"chips": [1]}, "chips"),
        ({"returns": [1, -1]}, "unknown field"),
    ],
)
def test_impossible_positions_are_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError, match=field):
        Kuhn(hands=5).from_json(GOOD | changes)


@pytest.mark.parametrize("key", ["cards", "actions"])
def test_a_missing_field_is_named(key: str) -> None:
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        Kuhn().from_json({name: value for name, value in GOOD.items() if name != key})
