"""State files in the layout of the original playground, read and written.

Its JSON objects hold most values as JSON strings. Reading accepts both forms; writing follows the
original: ``board_size``, ``step_count``, ``board``, ``agents`` (``agent_id``, ``is_alive``,
``position``, ``ammo``, ``blast_strength``, ``can_kick``), ``bombs`` (``position``, ``life``,
``blast_strength``, ``bomber_id``, ``moving_direction``), ``flames`` (``position``, ``life``),
``items`` ([[row, column], kind]), ``intended_actions``. Its name for an extra range is 7, for a
kick 8, as here.

In radio mode it also has ``radio_vocab_size``, ``radio_num_words`` and ``_radio_from_agent``, but
its own code fails to write the last. Here that holds the two words of each agent by its number on
the board.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.board import FIRST_AGENT, WORDS
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

STEP: Final = "step_count"
ACTIONS: Final = "intended_actions"
SIZE: Final = "board_size"
RADIO: Final = "_radio_from_agent"

_TEXTS: Final = JsonReader(what="", limit=1_000_000, error=PositionError)
_DIRECTIONS: Final = {None: 0, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


def is_playground(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object looks like a state file of the original playground."""
    return any(key in data for key in (SIZE, STEP, ACTIONS))


def dump_state(game: Pommerman, state: PommermanState, moves: Sequence[Any] = ()) -> dict[str, Any]:
    """Convert a state to the playground's format.

    Args:
        game: The rulebook.
        state: A full state, after the layout.
        moves: The actions that led to the state; empty at the start.
    """
    values = state_values(game, state) | {ACTIONS: list(moves)}
    return {key: json.dumps(value) for key, value in values.items()}


def state_values(game: Pommerman, state: PommermanState) -> dict[str, Any]:
    """The fields of a state, not yet as strings, and without actions."""
    ours = game.to_json(state)
    values = {
        SIZE: game.board_spec.size,
        STEP: state.step,
        "board": ours["board"],
        "agents": [
            {
                "agent_id": agent["id"],
                "is_alive": agent["alive"],
                "position": agent["pos"],
                "ammo": agent["ammo"],
                "blast_strength": agent["blast_strength"],
                "can_kick": agent["can_kick"],
            }
            for agent in ours["agents"]
        ],
        "bombs": [
            {
                "position": bomb["pos"],
                "bomber_id": bomb["bomber"],
                "life": bomb["life"],
                "blast_strength": bomb["blast_strength"],
                "moving_direction": bomb["dir"] or None,
            }
            for bomb in ours["bombs"]
        ],
        "flames": [{"position": flame["pos"], "life": flame["life"]} for flame in ours["flames"]],
        "items": ours["items"],
    }
    if game.has_radio:
        words = {str(FIRST_AGENT + seat): said for seat, said in enumerate(ours["messages"])}
        values |= {"radio_vocab_size": WORDS, "radio_num_words": 2, RADIO: words}
    return values


def load_state(game: Pommerman, data: Mapping[str, Any]) -> PommermanState:
    """Read a state of the playground.

    Args:
        game: The rulebook; its mode must fit the board.
        data: The JSON object.

    Raises:
        PositionError: It is not a valid state; the message names the field.
    """
    given, size = field(data, SIZE), game.board_spec.size
    if given != size:
        raise PositionError(
            f"board_size is {reprlib.repr(given)}, but mode {game.mode} plays on {size}.",
            "8 is a duel (--mode duel); 11 is ffa, team or radio.",
        )
    agents = [_read_agent(agent) for agent in _items(data, "agents")]
    bombs = [_read_bomb(bomb) for bomb in _items(data, "bombs")]
    flames = [
        {"pos": _entry(flame, "position", "flames"), "life": _entry(flame, "life", "flames")}
        for flame in _items(data, "flames")
    ]
    return game.from_json(
        {
            "board": field(data, "board"),
            "agents": agents,
            "bombs": bombs,
            "flames": flames,
            "items": field(data, "items"),
            "step": field(data, STEP),
            **_read_words(game, data),
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


def field(data: Mapping[str, Any], key: str) -> Any:
    """The value of a field, given directly or as a JSON string.

    Raises:
        PositionError: It is missing, or not JSON.
    """
    if key not in data:
        raise PositionError(f'the state file lacks the field "{key}".')
    value = data[key]
    if not isinstance(value, str):
        return value
    return _TEXTS.parse(value, f"{key} of the state file")


def _read_words(game: Pommerman, data: Mapping[str, Any]) -> dict[str, Any]:
    if RADIO not in data:
        return {}
    if not game.has_radio:
        raise PositionError(
            f"{RADIO}: there is no radio in mode {game.mode}.", "Choose --mode radio."
        )
    words = field(data, RADIO)
    seats = {str(FIRST_AGENT + seat) for seat in range(game.seats)}
    if not isinstance(words, Mapping) or set(words) != seats:
        raise PositionError(
            f"{RADIO} is {reprlib.repr(words)}.", f"It has two words for {' '.join(sorted(seats))}."
        )
    return {"messages": [words[seat] for seat in sorted(seats)]}


def _items(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    listed = field(data, key)
    if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
        raise PositionError(f"{key} of the state file is not a list of objects.")
    return listed


def _entry(item: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in item:
        raise PositionError(f'an entry of {where} lacks the field "{key}".')
    return item[key]


def _direction(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | None) or value not in _DIRECTIONS:
        raise PositionError(f"moving_direction is {reprlib.repr(value)}.", "It is 1 to 4, or null.")
    return _DIRECTIONS[value]
