"""Where a recorded state is not the one that our rules lead to, and what may be the cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardgames_cli.games.pommerman.configs import RULES, RULES_FLAGS
from boardgames_cli.games.pommerman.playground import state_values
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

_LISTS: Final = ("bombs", "flames", "items")


def difference(game: Pommerman, recorded: PommermanState, ours: PommermanState) -> str:
    """The first cell or field in which two states differ; empty if the playground sees none."""
    theirs, mine = state_values(game, recorded), state_values(game, ours)
    return (
        _in_board(theirs["board"], mine["board"])
        or _in_agents(theirs["agents"], mine["agents"])
        or next((text for key in _LISTS if (text := _in_list(key, theirs[key], mine[key]))), "")
    )


def advice(game: Pommerman) -> str:
    """Which options to try for a game that ours do not play again."""
    if any(getattr(game, name) != RULES[name] for name in ("items_block", "caps")):
        return f"The original plays with: {RULES_FLAGS}"
    return (
        "Perhaps it was played otherwise: try --mode, --collapse with --first-collapse, or --view."
    )


def _in_board(theirs: Sequence[Sequence[int]], mine: Sequence[Sequence[int]]) -> str:
    for row, (recorded, ours) in enumerate(zip(theirs, mine, strict=True)):
        for column, (wanted, found) in enumerate(zip(recorded, ours, strict=True)):
            if wanted != found:
                return f"the recorded board has {wanted} on r{row}c{column}, by these rules {found}"
    return ""


def _in_agents(theirs: Sequence[dict[str, Any]], mine: Sequence[dict[str, Any]]) -> str:
    for seat, (recorded, ours) in enumerate(zip(theirs, mine, strict=True)):
        for key, wanted in recorded.items():
            if wanted != ours[key]:
                return f"the recorded {key} of agent {seat} is {wanted}, by these rules {ours[key]}"
    return ""


def _in_list(key: str, theirs: Sequence[Any], mine: Sequence[Any]) -> str:
    for entry in theirs:
        if entry not in mine:
            return f"{key} has {entry}, which is not so by these rules"
    missing = next((entry for entry in mine if entry not in theirs), None)
    return "" if missing is None else f"{key} lacks {missing}, which is there by these rules"
