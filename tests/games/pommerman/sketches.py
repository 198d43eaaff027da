"""Positions drawn as text, on boards as small as the point needs.

Rows are parted by slashes: ``.`` ground, ``#`` rigid, ``+`` wood, ``o`` a bomb at rest, ``^v<>``
bombs that roll, ``*`` flames, ``678`` open power-ups, ``ABCD`` agents, ``abcd`` agents on a bomb.
Boards are square: what is not drawn is ground.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules.step import StepRules
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState

_ROLLS = "o^v<>"
_MOVE_COUNT = {sign: move for move, sign in enumerate("sudlrb")}


def cases(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Rows of a table for `pytest.mark.parametrize`; the first entry is the name."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


def size_of(drawing: str) -> int:
    rows = drawing.split("/")
    return max(len(rows), *map(len, rows))


def step_rules_of(drawing: str) -> StepRules:
    return StepRules(grid_of(size_of(drawing)), 10, 10, items_block=False)


def state_of(drawing: str, kicks: str = "", life: int = 9, strength: int = 2) -> PommermanState:
    """The position of a drawing; all bombs are A's, and flames are in their last step but one."""
    size = size_of(drawing)
    at = {
        row * size + column: sign
        for row, line in enumerate(drawing.split("/"))
        for column, sign in enumerate(line)
    }

    def mask(signs: str) -> int:
        return sum(1 << cell for cell, sign in at.items() if sign in signs)

    seats = {"ABCD".index(sign.upper()): cell for cell, sign in at.items() if sign in "ABCDabcd"}
    bombs = [
        Bomb(cell, life, strength, 0, max(0, _ROLLS.find(sign)))
        for cell, sign in sorted(at.items())
        if sign in "o^v<>abcd"
    ]
    nowhere = Bomber(0, False, 1, strength, False)
    agents = [
        Bomber(seats[seat], True, 1, strength, "ABCD"[seat] in kicks) if seat in seats else nowhere
        for seat in range(max([1, *seats]) + 1)
    ]
    return PommermanState(
        mask("#"),
        mask("+"),
        (mask("6"), mask("7"), mask("8")),
        flames=(0, mask("*"), 0),
        bombs=tuple(bombs),
        agents=tuple(agents),
    )


def moves_of(text: str, state: PommermanState) -> list[int]:
    """A letter for each seat: s u d l r b; seats that are left out stop."""
    return [_MOVE_COUNT[letter] for letter in text.ljust(len(state.agents), "s")]
