"""State files in the layout of the original playground, read and written.

Its JSON objects hold most values as JSON texts of their own. Read leniently (values may be given
either way), written as it writes them: ``board_size``, ``step_count``, ``board``, ``agents``
(``agent_id``, ``is_alive``, ``position``, ``ammo``, ``blast_strength``, ``can_kick``), ``bombs``
(``position``, ``life``, ``blast_strength``, ``bomber_id``, ``moving_direction``), ``flames``
(``position``, ``life``), ``items`` ([[row, column], kind]), ``intended_actions``. Its name for an
extra range is 7, for a kick 8, as here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

_DIRECTIONS = {None: 0, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


def is_playground(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object looks like a state file of the original playground."""
    return "board_size" in data and "step_count" in data


def dump_state(game: Pommerman, state: PommermanState, moves: Sequence[int] = ()) -> dict[str, Any]:
    """A state as the playground writes it.

    Args:
        game: The rulebook.
        state: A full state, after the layout.
        moves: The moves that led here; empty at the start.
    """
    ours = game.to_json(state)
    agents = [
        {
            "agent_id": agent["id"],
            "is_alive": agent["alive"],
            "position": agent["pos"],
            "ammo": agent["ammo"],
            "blast_strength": agent["blast_strength"],
            "can_kick": agent["can_kick"],
        }
        for agent in ours["agents"]
    ]
    bombs = [
        {
            "position": bomb["pos"],
            "bomber_id": bomb["bomber"],
            "life": bomb["life"],
            "blast_strength": bomb["blast_strength"],
            "moving_direction": bomb["dir"] or None,
        }
        for bomb in ours["bombs"]
    ]
    flames = [{"position": flame["pos"], "life": flame["life"]} for flame in ours["flames"]]
    values = {
        "board_size": game.plan.size,
        "step_count": state.step,
        "board": ours["board"],
        "agents": agents,
        "bombs": bombs,
        "flames": flames,
        "items": ours["items"],
        "intended_actions": list(moves),
    }
    return {key: json.dumps(value) for key, value in values.items()}


def load_state(game: Pommerman, data: Mapping[str, Any]) -> PommermanState:
    """The state of a file of the playground.

    Args:
        game: The rulebook; its mode must fit the board.
        data: The JSON object.

    Raises:
        PositionError: It is no such state, or an impossible one; the message names the field.
    """
    board_size = _value(data, "board_size")
    if board_size != game.plan.size:
        raise PositionError(
            f"board_size is {board_size!r}, but mode {game.mode} plays on {game.plan.size}.",
            "8 is a duel; 11 is ffa, team or radio.",
        )
    agents = [_read_agent(agent) for agent in _items(data, "agents")]
    bombs = [_read_bomb(bomb) for bomb in _items(data, "bombs")]
    flames = [
        {"pos": _entry(flame, "position", "flames"), "life": _entry(flame, "life", "flames")}
        for flame in _items(data, "flames")
    ]
    return game.from_json(
        {
            "board": _value(data, "board"),
            "agents": agents,
            "bombs": bombs,
            "flames": flames,
            "items": _value(data, "items"),
            "step": _value(data, "step_count"),
        }
    )


def _read_agent(agent: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": _entry(agent, "agent_id", "agents"),
        "alive": _entry(agent, "is_alive", "agents"),
        "pos": _entry(agent, "position", "agents"),
        "ammo": _entry(agent, "ammo", "agents"),
        "blast_strength": _entry(agent, "blast_strength", "agents"),
        "can_kick": bool(_entry(agent, "can_kick", "agents")),
    }


def _read_bomb(bomb: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "pos": _entry(bomb, "position", "bombs"),
        "life": _entry(bomb, "life", "bombs"),
        "blast_strength": _entry(bomb, "blast_strength", "bombs"),
        "bomber": _entry(bomb, "bomber_id", "bombs"),
        "dir": _direction(bomb.get("moving_direction")),
    }


def _value(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise PositionError(f'the state file lacks the field "{key}".')
    value = data[key]
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise PositionError(f"{key} of the state file is no JSON: {error}.") from None


def _items(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    listed = _value(data, key)
    if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
        raise PositionError(f"{key} of the state file is not a list of objects.")
    return listed


def _entry(item: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in item:
        raise PositionError(f'an entry of {where} lacks the field "{key}".')
    return item[key]


def _direction(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | None) or value not in _DIRECTIONS:
        raise PositionError(f"moving_direction is {value!r}.", "It is 1 to 4, or null.")
    return _DIRECTIONS[value]
