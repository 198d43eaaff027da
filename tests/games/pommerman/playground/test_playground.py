"""State files of the original playground."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.spec import Recording
from boardgames_cli.games.pommerman.actions import make_move
from boardgames_cli.games.pommerman.playground.formats import (
    PLAYGROUND,
    config_of,
    difference,
    dump_state,
    options_of_config,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.records import Row, reference_game, rows

GAME = Pommerman()


def test_states_survive() -> None:
    for seed in range(30):
        state = crowded(GAME, random.Random(seed))
        data = json.loads(json.dumps(dump_state(GAME, state, [1, 2, 3, 4])))
        assert PLAYGROUND.is_position(data)
        assert not PLAYGROUND.is_position(GAME.to_json(state))
        assert PLAYGROUND.read_position(GAME, data) == state
        # Values may also stand for themselves.
        plain = {key: json.loads(value) for key, value in data.items()}
        assert PLAYGROUND.read_position(GAME, plain) == state


def test_recorded_states_survive() -> None:
    for row in rows("pommerman")[::20]:
        game = reference_game(row["options"])
        state = game.from_json(row["initial"])
        assert PLAYGROUND.read_position(game, dump_state(game, state)) == state


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
        ("board", "[[", "board of the state file is not JSON"),
        ("agents", "3", "agents of the state file is not a list"),
        ("agents", "[{}]", 'an entry of agents lacks the field "agent_id"'),
        (
            "bombs",
            '[{"position": [0, 0], "bomber_id": 0}]',
            'an entry of bombs lacks the field "life"',
        ),
        ("step_count", "-1", "step is -1"),
        ("items", "7", "items is not a list"),
    ],
)
def test_damaged_files_are_refused(key: str, value: str, message: str) -> None:
    data = dump_state(GAME, crowded(GAME, random.Random(3)))
    with pytest.raises(PositionError, match=message):
        PLAYGROUND.read_position(GAME, data | {key: value})
    del data[key]
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        PLAYGROUND.read_position(GAME, data)


def test_a_wrong_direction_is_refused() -> None:
    state = crowded(GAME, random.Random(3))
    data = dump_state(GAME, state)
    bombs = json.loads(data["bombs"])
    bombs[0]["moving_direction"] = 7
    with pytest.raises(PositionError, match="moving_direction is 7"):
        PLAYGROUND.read_position(GAME, data | {"bombs": json.dumps(bombs)})


def test_radio_words_survive() -> None:
    game = Pommerman(mode="radio")
    state = crowded(game, random.Random(3))
    said = state._replace(words=((1, 8), (0, 0), (3, 3), (2, 7)))
    data = dump_state(game, said)
    assert json.loads(data["_radio_from_agent"])["13"] == [2, 7]
    assert PLAYGROUND.read_position(game, data) == said
    del data["_radio_from_agent"]
    assert PLAYGROUND.read_position(game, data) == state


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("7", "_radio_from_agent is 7"),
        ("{}", "_radio_from_agent is {}"),
        ('{"10": []}', "is {'10'"),
    ],
)
def test_wrong_words_are_refused(words: str, message: str) -> None:
    game = Pommerman(mode="radio")
    data = dump_state(game, crowded(game, random.Random(3)))
    with pytest.raises(PositionError, match=message):
        PLAYGROUND.read_position(game, data | {"_radio_from_agent": words})
    with pytest.raises(PositionError, match="there is no radio in mode ffa"):
        PLAYGROUND.read_position(GAME, data)


@pytest.mark.parametrize(
    ("text", "message"),
    [("[" * 100_000, "nested too deeply"), ("9" * 5000, "a number that is too long")],
)
def test_monstrous_values_are_refused(text: str, message: str) -> None:
    data = dump_state(GAME, crowded(GAME, random.Random(3)))
    with pytest.raises(PositionError, match=message):
        PLAYGROUND.read_position(GAME, data | {"step_count": text})


def replay(row: Row) -> Recording:
    """A row of the reference's games as the playground would have recorded it."""
    game = reference_game(row["options"])
    whole = dict(row["initial"])
    states = [dump_state(game, game.from_json(whole))]
    for step in row["steps"]:
        whole |= step["after"]
        words = step.get("messages")
        did = [[move, *words[seat]] if words else move for seat, move in enumerate(step["actions"])]
        states.append(dump_state(game, game.from_json(whole), did))
    return PLAYGROUND.read_recording(
        game, {"state": states, "winners": row["steps"][-1].get("winners")}
    )


def test_games_of_the_reference_are_read_and_written() -> None:
    modes = set()
    for row in rows("pommerman")[::7]:
        game = reference_game(row["options"])
        read = replay(row)
        assert read.match.ply >= len(row["steps"]) - 1
        written = PLAYGROUND.write_recording(game, read)
        again = PLAYGROUND.read_recording(game, written)
        assert again.match.steps == read.match.steps
        assert again.match.state == read.match.state
        assert written["result"]["name"] == (
            "Win" if written.get("winners") else "Tie" if read.match.is_over else "Incomplete"
        )
        modes.add(game.mode)
    assert len(modes) > 1


def test_the_step_that_nobody_plays_any_more_is_overlooked() -> None:
    # The original plays one more step when a collapse has killed all who were left.
    found = [
        row
        for row in rows("pommerman")
        if any(not any(step["alive"]) and not step["done"] for step in row["steps"])
    ]
    assert found
    for row in found:
        match = replay(row).match
        assert match.is_over
        assert match.ply == len(row["steps"]) - 1


def test_some_environments_have_no_fog() -> None:
    assert options_of_config("PommeTeam-v0") == {"mode": "team", "view": 10}
    assert options_of_config("PommeTeamCompetition-v0") == {"mode": "team"}


@pytest.mark.parametrize("name", ["PommeFFACompetition-v0", "PommeTeamCompetition-v1"])
def test_an_environment_is_named_by_the_options_that_it_stands_for(name: str) -> None:
    assert config_of(Pommerman(**options_of_config(name))) == name


@pytest.mark.parametrize("name", ["Search-v0", None, 7, ["OneVsOne-v0"]])
def test_unknown_environments_say_nothing(name: object) -> None:
    assert options_of_config(name) == {}


@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("board", lambda board: board[0].__setitem__(0, 1), "the recorded board has 1 on r0c0"),
        ("agents", lambda a: a[2].update(ammo=9), "the recorded ammo of agent 2 is 9, by these"),
        (
            "agents",
            lambda a: a[0].update(can_kick=True),
            "the recorded can_kick of agent 0 is True",
        ),
        ("items", lambda items: items.pop(), "items lacks"),
        ("items", lambda items: items[0].__setitem__(1, 14 - items[0][1]), "items has"),
    ],
)
def test_the_first_difference_is_named(key: str, change: Any, message: str) -> None:
    layout = GAME.sample_chance(GAME.initial_state(), random.Random(5))
    state = GAME.apply_chance(GAME.initial_state(), layout)
    data = dump_state(GAME, state)
    assert difference(GAME, state, PLAYGROUND.read_position(GAME, data)) == ""
    values = json.loads(data[key])
    if key == "items":
        values.sort(key=lambda item: item[1] == 7)
    if key == "board":
        assert values[0][0] == 0
    change(values)
    other = PLAYGROUND.read_position(GAME, data | {key: values})
    assert message in difference(GAME, other, state)


def test_several_games_in_one_are_not_written() -> None:
    game = Pommerman(mode="duel", steps=2, first_collapse=1, rerun_ties=True)
    match: AnyMatch = Match(game, seed=1)
    with pytest.raises(GameError, match="not laid out"):
        PLAYGROUND.write_recording(GAME, Recording(match, ("a", "b")))
    while match.ply < 5:
        if match.waiting_for == (-1,):
            match.resolve_chance()
        else:
            for seat in match.waiting_for:
                match.submit(seat, make_move(0))
    with pytest.raises(GameError, match="a tie was played again"):
        PLAYGROUND.write_recording(GAME, Recording(match, ("a", "b")))
