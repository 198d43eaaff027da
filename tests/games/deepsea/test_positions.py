"""Impossible positions are refused with one message that names the field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import Phase
from tests.games.deepsea.records import load


def base() -> dict[str, Any]:
    game = DeepSea(players=2)
    data: dict[str, Any] = json.loads(json.dumps(game.to_json(game.initial_state())))
    del data["phase"]
    return data


def places(*blanks: int, gone: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    path = base()["path"]
    for place in blanks:
        path[place - 1] = {"dots": 0, "removed": False}
    for place in gone:
        path[place - 1] = {"dots": 0, "removed": True}
    return path  # type: ignore[no-any-return]  # JSON


BAD: list[tuple[dict[str, Any], str]] = [
    ({"players": 3}, "players is 3, but this game has 2"),
    ({"players": True}, "players is True"),
    ({"round": 4}, "round is 4"),
    ({"round": 3, "phase": "dice"}, "round is 3"),
    ({"phase": "sleep"}, "phase is 'sleep'"),
    ({"phase": "direction"}, "phase is direction"),
    ({"phase": "chip"}, "phase is chip"),
    ({"phase": "reveal"}, "phase is reveal"),
    ({"phase": "start", "pos": [3, 0]}, "phase is start"),
    ({"current": 2}, "current is 2"),
    ({"oxygen": 26}, "oxygen is 26"),
    ({"oxygen": -1}, "oxygen is -1"),
    ({"pos": [4, 4]}, "pos has seats 0 and 1 both on place 4"),
    ({"pos": [33, 0]}, "pos[0] is 33"),
    ({"pos": [4]}, "pos has 1 values instead of 2"),
    ({"pos": [4, 0], "path": places(gone=(4,))}, "pos has seat 0 on place 4, which is removed"),
    ({"dir": [2, 1]}, "dir[0] is 2"),
    ({"dir": [0, 1]}, "done does not fit pos and dir"),
    ({"dir": [0, 1], "done": [True, False], "phase": "dice"}, "current is seat 0, who is home"),
    ({"held": [[[1]], []]}, "held has chips of seat 0, who has not left the submarine"),
    ({"held": [[[1]], []], "pos": [3, 0], "path": places(gone=(9, 1))}, "path has 0 blanks"),
    ({"held": [[[5]], []], "pos": [3, 0]}, "held[0][0] has a chip"),
    ({"held": [[[1, 9]], []], "pos": [3, 0]}, "held[0][0] has a chip with 1 dots worth 9"),
    ({"held": [[[1, 1, 1]], []], "pos": [3, 0]}, "held[0][0] has a chip"),
    ({"held": [[[1]], []], "pos": [3, 0], "path": places(20)}, "9 chips with 1 dots"),
    ({"path": places()[:31]}, "path has 31 values"),
    ({"path": [*places()[:31], {"dots": 4, "removed": True}]}, "removed"),
    ({"path": [*places()[:31], {"dots": 7}]}, "path[31]"),
    ({"path": places(5)}, "path has 1 blanks, but held has 0 chips"),
    ({"points": [1]}, "points has 1 values"),
    ({"points": [0, 0], "revealed": [3]}, "revealed adds up"),
    ({"points": [9, 0], "revealed": [3, 3, 3]}, "revealed has a value more than twice"),
    ({"points": [15, 0], "revealed": [15]}, "9 chips with 4 dots"),
    ({"turned": [[3], []]}, "turned has a value"),
    ({"by_round": [[0, 0]]}, "by_round has 1 rounds, but 0"),
    ({"round": 1, "by_round": [[5, 0]]}, "by_round adds up"),
    ({"done": [1]}, "done does not fit"),
    ({"depth": 3}, 'unknown field "depth"'),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=[message for _, message in BAD])
def test_impossible_positions_name_the_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as raised:
        DeepSea(players=2).from_json(base() | change)
    assert message in str(raised.value)


@pytest.mark.parametrize("key", ["oxygen", "current", "held", "path", "done"])
def test_missing_fields_are_named(key: str) -> None:
    data = base()
    del data[key]
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        DeepSea(players=2).from_json(data)


def test_a_position_without_a_phase_is_just_before_a_turn() -> None:
    game = DeepSea(players=2)
    state = game.from_json(
        base() | {"pos": [4, 9], "held": [[[1]], [[2]]], "path": places(4, 9), "oxygen": 7}
    )
    assert (state.phase, state.current, state.oxygen) == (Phase.DIRECTION, 0, 6)


def test_a_recorded_state_can_be_read_as_it_is() -> None:
    row = load("deepsea-obs.jsonl.gz")[7]
    assert any(row["state"]["held"])
    game = DeepSea(players=row["state"]["players"])
    state = game.from_json(row["state"])
    assert list(state.places) == row["state"]["pos"]
    assert [len(load_) for load_ in state.held] == [len(held) for held in row["state"]["held"]]


def test_stacks_are_read_only_where_they_exist() -> None:
    data = base() | {"path": [*places(gone=(1, 9))[:31], {"dots": [1, 2, 4], "removed": False}]}
    assert DeepSea(players=2, stacks=True).from_json(data)
    with pytest.raises(PositionError, match=r"path\[31\]"):
        DeepSea(players=2).from_json(data)
