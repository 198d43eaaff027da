"""Positions from outside: what is impossible is refused, and the message names the field."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.senet.rules import Senet

GOOD = {"cones": [0, 4], "spools": [1, 28], "player": 1, "steps": 3, "pieces": 5}


def read(rules: str = "kendall", **changes: Any) -> None:
    Senet(rules).from_json({**GOOD, **changes})


def test_a_good_position_is_read_and_written_back() -> None:
    game = Senet()
    assert game.to_json(game.from_json(GOOD)) == GOOD
    assert game.to_json(game.from_json({**GOOD, "steps": None}))["steps"] is None
    over = {**GOOD, "cones": []}
    assert game.is_over(game.from_json(over))


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
@pytest.mark.parametrize("pieces", [5, 7])
def test_the_start(rules: str, pieces: int) -> None:
    game = Senet(rules, pieces)
    assert game.to_json(game.initial_state()) == {
        "cones": [0, 2, 4, 6, 8, 10, 12][:pieces],
        "spools": [1, 3, 5, 7, 9, 11, 13][:pieces],
        "player": 1,
        "steps": None,
        "pieces": pieces,
    }


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_field_is_named(key: str) -> None:
    data = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        Senet().from_json(data)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cones": "04"}, "cones is not a list"),
    ({"cones": [0, "4"]}, "cones is not a list of whole numbers"),
    ({"cones": [True]}, "cones is not a list of whole numbers"),
    ({"spools": [1.0]}, "spools is not a list of whole numbers"),
    ({"spools": None}, "spools is not a list"),
    ({"cones": [30]}, "cones has a dancer on house 30"),
    ({"cones": [-1]}, "cones has a dancer on house -1"),
    ({"cones": [2, 2]}, "cones has two dancers on house 2"),
    ({"cones": [1]}, "cones and spools both stand on house 1 "),
    ({"cones": [2, 4, 6, 8, 10, 12]}, "cones has 6 dancers, but a side has only 5"),
    ({"cones": [], "spools": []}, "cones and spools are both empty"),
    ({"spools": [26]}, r"spools has a dancer on house 26 \(0-based\), the Water"),
    ({"player": 2}, "player is 2"),
    ({"player": True}, "player is True"),
    ({"player": None}, "player is None"),
    ({"steps": 0}, "steps is 0"),
    ({"steps": 6}, "steps is 6"),
    ({"steps": False}, "steps is False"),
    ({"steps": "3"}, "steps is '3'"),
    ({"pieces": 7}, "pieces is 7, but this game has 5"),
    ({"pieces": None}, "pieces is None"),
    ({"pieces": 5.0}, "pieces is 5.0"),
    ({"colour": "red"}, 'unknown field "colour"'),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED)
def test_an_impossible_position_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        read(**changes)


def test_in_skyruks_rules_dancers_may_stand_in_the_water() -> None:
    read("skyruk", spools=[26])
