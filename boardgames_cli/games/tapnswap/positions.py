"""Positions and moves of TapnSwap as they come from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.position import check_fields, is_whole
from boardgames_cli.games.tapnswap.moves import DEAD, HAND_NAMES, MOST, Hands

_KEYS: Final = ("hands", "player")
_EXPECTED: Final = 'A TapnSwap position looks so: {"hands": [[1, 1], [1, 1]], "player": 0}.'
_SHORT_TAP: Final = re.compile(r"(?:tap)?\s*([lr])\s*(?:>|to|-)?\s*([lr])")
_SHORT_SWAP: Final = re.compile(r"(?:swap)?\s*([0-9])\s*[- ,:]?\s*([0-9])")


def read(data: Mapping[str, Any]) -> tuple[tuple[Hands, Hands], int]:
    """Check a position.

    Args:
        data: The JSON object.

    Returns:
        The hands of both seats, and the seat to move.

    Raises:
        PositionError: The position is impossible; the message names the field.
    """
    check_fields(data, _KEYS, expected=_EXPECTED)
    sides = data["hands"]
    if not isinstance(sides, list | tuple) or len(sides) != 2:
        raise PositionError("hands is not a list of two sides.", _EXPECTED)
    hands = (_read_side(sides[0], 0), _read_side(sides[1], 1))
    if hands == (DEAD, DEAD):
        raise PositionError("hands has two dead sides: the game can't end twice.")
    player = data["player"]
    if not is_whole(player) or player not in (0, 1):
        raise PositionError(f"player is {player!r}.", "It is 0 or 1, the seat to move.")
    return hands, player


def _read_side(side: Any, seat: int) -> Hands:
    if not isinstance(side, list | tuple) or len(side) != 2 or not all(map(is_whole, side)):
        raise PositionError(f"hands[{seat}] is not a list of two whole numbers.", _EXPECTED)
    for hand, fingers in enumerate(side):
        if not 0 <= fingers <= MOST:
            raise PositionError(
                f"hands[{seat}] has {fingers} fingers on the {HAND_NAMES[hand]} hand.",
                f"A hand has 0 (dead) to {MOST}.",
            )
    return side[0], side[1]


def spelled_out(text: str) -> str:
    """The notation that a shorter or looser text stands for; other texts are returned unchanged."""
    plain = text.strip().lower()
    tap = _SHORT_TAP.fullmatch(plain)
    if tap:
        return f"tap {tap[1]}>{tap[2]}"
    swap = _SHORT_SWAP.fullmatch(plain)
    return f"swap {swap[1]}-{swap[2]}" if swap else text
