"""Reads positions from files, in our own format or that of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.spec import GameSpec

POSITIONS: Final = JsonReader(
    what="the position",
    limit=1_000_000,
    error=PositionError,
    remedy="docs/file-formats.md shows the format.",
)


def read_position(path: Path) -> dict[str, Any]:
    """Read a position from a JSON file; ``-`` is standard input.

    Raises:
        PositionError: The file can't be read, is too large, or is not a JSON object.
    """
    return POSITIONS.read_object(path, allow_stream=True)


def own_position(spec: GameSpec, game: AnyGame, data: dict[str, Any]) -> dict[str, Any]:
    """Convert a position to our own format from any format of the game.

    Args:
        spec: The game's manifest.
        game: The rulebook.
        data: The JSON object; one in no other format is returned unchanged.

    Raises:
        PositionError: It is an impossible position, or a recorded game.
    """
    for card in spec.formats:
        format = card.load()
        if format.is_recording(data):
            raise PositionError(
                f"this is a recorded game of {card.name}, not a position.",
                f"To see it: boardgames convert {spec.info.id} FILE game.jsonl, "
                "then boardgames replay game.jsonl",
            )
        if format.is_position(data):
            return game.to_json(format.read_position(game, data))
    return data
