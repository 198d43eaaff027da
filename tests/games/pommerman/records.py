"""The recorded games of the reference engine, and the games that play by its readings."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path
from typing import Any

from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.rules import Pommerman

DATA = Path(__file__).parents[2] / "data"
MODES = {"ffa": "ffa", "team": "team", "radio": "radio", "1v1": "duel"}
Row = dict[str, Any]


@functools.cache
def rows(name: str) -> list[Row]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def boards() -> Row:
    with gzip.open(DATA / "pommerman-boards.json.gz", "rt", encoding="utf-8") as text:
        read: Row = json.load(text)
    return read


@functools.cache
def _game(mode: str, steps: int, first: int | None, caps: bool) -> Pommerman:
    more = {} if first is None else {"collapse": True, "first_collapse": first}
    return Pommerman(mode=mode, steps=steps, caps=caps, items_block=caps, **more)  # type: ignore[arg-type]


def reference_game(options: Row, *, caps: bool = True) -> Pommerman:
    """The rulebook of a recorded row, with the readings of the reference or with ours."""
    mode = MODES[options["game_type"]]
    return _game(mode, options["max_steps"], options.get("first_collapse"), caps)


def joint_moves(moves: list[int], messages: list[list[int]] | None) -> dict[int, Move]:
    """The joint order of a recorded step, the dead included."""
    words = messages or [[0, 0]] * len(moves)
    return {seat: Move(move, (words[seat][0], words[seat][1])) for seat, move in enumerate(moves)}
