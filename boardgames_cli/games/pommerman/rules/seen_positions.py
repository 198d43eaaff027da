"""Reads redacted positions from JSON, with fog, and null for unknown values.

External agents get these. They can't be played from, so the rules are not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.board import FOG, POWERS, RIGID, UNKNOWN, WOOD
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState


def read(data: Mapping[str, Any], size: int) -> PommermanState:
    """Read a redacted state written by `positions.write`.

    Args:
        data: The JSON object.
        size: Cells in a row.

    Raises:
        PositionError: The position is not valid.
    """
    try:
        return _read(data, size) if data["agents"] else PommermanState()
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise PositionError(f"the position is not one that a seat sees ({error}).") from error


def _read(data: Mapping[str, Any], size: int) -> PommermanState:
    board = [value for row in data["board"] for value in row]

    def mask(value: int) -> int:
        return sum(1 << cell for cell, found in enumerate(board) if found == value)

    flames, powers = [0, 0, 0], [mask(kind) for kind in POWERS]
    for flame in data["flames"]:
        flames[flame["life"]] |= 1 << _cell(flame["pos"], size)
    for pos, kind in data["items"]:  # items under a bomb
        powers[POWERS.index(kind)] |= 1 << _cell(pos, size)
    return PommermanState(
        mask(RIGID),
        mask(WOOD),
        (powers[0], powers[1], powers[2]),
        (0, 0, 0),
        (flames[0], flames[1], flames[2]),
        tuple(sorted(_bomb(item, size) for item in data["bombs"])),
        tuple(_agent(item, size) for item in data["agents"]),
        data["step"],
        tuple((said[0], said[1]) for said in data.get("messages", ())),
        tuple(data.get("fallen", ())),
        mask(FOG),
        data.get("reruns", 0),
    )


def _agent(item: Mapping[str, Any], size: int) -> Bomber:
    return Bomber(
        _cell(item["pos"], size),
        bool(item["alive"]),
        _known(item["ammo"]),
        _known(item["blast_strength"]),
        bool(item["can_kick"]),
    )


def _bomb(item: Mapping[str, Any], size: int) -> Bomb:
    cell, owner = _cell(item["pos"], size), _known(item["bomber"])
    return Bomb(cell, item["life"], item["blast_strength"], owner, item["dir"])


def _cell(pos: Any, size: int) -> int:
    return UNKNOWN if pos is None else pos[0] * size + pos[1]


def _known(value: int | None) -> int:
    return UNKNOWN if value is None else value
