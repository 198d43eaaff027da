"""Positions of Senet from outside: every field is checked, and the first wrong one is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.position import check_fields, is_whole
from boardgames_cli.games.senet.board import DANCER_NAMES, HAPPINESS, HOUSES, WATER, bit

_KEYS: Final = ("cones", "spools", "player", "steps", "pieces")


@dataclass(frozen=True, slots=True)
class Position:
    """A checked position; the masks are those of `rules.SenetState`."""

    cones: int
    spools: int
    player: int
    steps: int | None


def read(data: Mapping[str, Any], pieces: int, rules: str) -> Position:
    """Check a position and turn its houses into masks.

    Args:
        data: The JSON object.
        pieces: Dancers a side in the game being played.
        rules: The rule set being played.

    Raises:
        PositionError: The position is impossible; the message names the field.
    """
    check_fields(data, _KEYS, expected=_EXPECTED)
    if not is_whole(data["pieces"]) or data["pieces"] != pieces:
        raise PositionError(
            f"pieces is {data['pieces']!r}, but this game has {pieces} dancers a side.",
            "Choose the same number, for example with --pieces.",
        )
    cones, spools = (_read_side(data, name, pieces, rules) for name in DANCER_NAMES)
    shared = cones & spools
    if shared:
        raise PositionError(
            f"cones and spools both stand on house {shared.bit_length() - 1} (0-based)."
        )
    if not cones and not spools:
        raise PositionError("cones and spools are both empty: the game can't end twice.")
    if not is_whole(data["player"]) or data["player"] not in (0, 1):
        raise PositionError(f"player is {data['player']!r}.", "0 is the cones, 1 the spools.")
    steps = data["steps"]
    if steps is not None and (not is_whole(steps) or not 1 <= steps <= 5):
        raise PositionError(f"steps is {steps!r}.", "It is 1 to 5, or null before the throw.")
    return Position(cones, spools, data["player"], steps)


_EXPECTED: Final = f"A Senet position has: {', '.join(_KEYS)}."


def _read_side(data: Mapping[str, Any], name: str, pieces: int, rules: str) -> int:
    listed = data[name]
    if not isinstance(listed, list | tuple) or not all(is_whole(house) for house in listed):
        raise PositionError(f"{name} is not a list of whole numbers.", "Houses are 0 to 29.")
    if len(listed) > pieces:
        raise PositionError(f"{name} has {len(listed)} dancers, but a side has only {pieces}.")
    mask = 0
    for house in listed:
        if not 0 <= house < HOUSES:
            raise PositionError(f"{name} has a dancer on house {house}.", "Houses are 0 to 29.")
        if mask & bit(house + 1):
            raise PositionError(f"{name} has two dancers on house {house} (0-based).")
        mask |= bit(house + 1)
    if rules == "kendall" and mask & bit(WATER):
        raise PositionError(
            f"{name} has a dancer on house {WATER - 1} (0-based), the Water, where nobody stays "
            "in Kendall's rules.",
            f"From house {HAPPINESS} a throw of 1 leads straight to rebirth.",
        )
    return mask
