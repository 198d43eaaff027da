"""State files of the original playground."""

from __future__ import annotations

import json
import random

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.playground import dump_state, is_playground, load_state
from boardgames_cli.games.pommerman.rules import Pommerman
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.records import reference_game, rows

GAME = Pommerman()


def test_states_survive() -> None:
    for seed in range(30):
        state = crowded(GAME, random.Random(seed))
        data = json.loads(json.dumps(dump_state(GAME, state, [1, 2, 3, 4])))
        assert is_playground(data)
        assert not is_playground(GAME.to_json(state))
        assert load_state(GAME, data) == state
        # Values may also stand for themselves.
        plain = {key: json.loads(value) for key, value in data.items()}
        assert load_state(GAME, plain) == state


def test_recorded_states_survive() -> None:
    for row in rows("pommerman")[::20]:
        game = reference_game(row["options"])
        state = game.from_json(row["initial"])
        assert load_state(game, dump_state(game, state)) == state


def test_the_layout_is_that_of_the_playground() -> None:
    data = dump_state(GAME, crowded(GAME, random.Random(3)))
    assert all(isinstance(value, str) for value in data.values())
    assert data["board_size"] == "11"
    bomb = json.loads(data["bombs"])[0]
    assert set(bomb) == {"position", "bomber_id", "life", "blast_strength", "moving_direction"}
    agent = json.loads(data["agents"])[0]
    assert set(agent) == {
        "agent_id", "is_alive", "position", "ammo", "blast_strength", "can_kick",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("board_size", "8", "board_size is 8, but mode ffa plays on 11"),
        ("board", "[[", "board of the state file is no JSON"),
        ("agents", "3", "agents of the state file is not a list"),
        ("agents", "[{}]", 'an entry of agents lacks the field "agent_id"'),
        ("bombs", '[{"position": [0, 0]}]', 'an entry of bombs lacks the field "life"'),
        ("step_count", "-1", "step is -1"),
        ("items", "7", "items is not a list"),
    ],
)
def test_damaged_files_are_refused(key: str, value: str, message: str) -> None:
    data = dump_state(GAME, crowded(GAME, random.Random(3)))
    with pytest.raises(PositionError, match=message):
        load_state(GAME, data | {key: value})
    del data[key]
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        load_state(GAME, data)


def test_a_wrong_direction_is_refused() -> None:
    state = crowded(GAME, random.Random(3))
    data = dump_state(GAME, state)
    bombs = json.loads(data["bombs"])
    bombs[0]["moving_direction"] = 7
    with pytest.raises(PositionError, match="moving_direction is 7"):
        load_state(GAME, data | {"bombs": json.dumps(bombs)})
