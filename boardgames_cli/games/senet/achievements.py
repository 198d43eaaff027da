"""Achievements in Senet."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.presentation.achievement import Achievement, FinishedGame
from boardgames_cli.games.senet.board import WATER, bit

_MANY: Final = 3
_SWAPS: Final = 15


def _swapped_often(game: FinishedGame) -> bool:
    swaps = [
        turn for turn in game.own_turns
        if turn.action.start and turn.before.side(1 - game.seat) & bit(turn.action.end)
    ]  # fmt: skip
    return len(swaps) >= _SWAPS


def _blocked(game: FinishedGame) -> bool:
    for state in game.states:
        own = state.side(game.seat)
        if own & own >> 1 & own >> 2 & own >> 3:
            return True
    return False


def _stayed_dry(game: FinishedGame) -> bool:
    return game.is_won and not any(state.side(game.seat) & bit(WATER) for state in game.states)


def _won_clearly(game: FinishedGame) -> bool:
    return game.is_won and game.states[-1].side(1 - game.seat).bit_count() >= _MANY


def _came_back(game: FinishedGame) -> bool:
    other = 1 - game.seat
    behind = (
        state.side(other).bit_count() == 1 and state.side(game.seat).bit_count() >= _MANY
        for state in game.states
    )  # fmt: skip
    return game.is_won and any(behind)


ACHIEVEMENTS: Final = (
    Achievement(
        "swaps", "Fifteen swaps in a game", "Swap fifteen times in one game.",
        "A swap wins its way twice: your dancer gains what theirs loses.",
        _swapped_often,
    ),
    Achievement(
        "blockade", "A wall of four", "Have four dancers side by side.",
        "Dancers side by side can't be jumped: a wall holds a faster opponent back.",
        _blocked,
    ),
    Achievement(
        "dry", "Dry feet", "Win without touching the Water.",
        "From house 26 you choose the throw: leave it only when the Water can't catch you.",
        _stayed_dry,
    ),
    Achievement(
        "clear", "Far ahead", "Win while three of theirs are on the board.",
        "Dancers that reach the last row together bear off throw after throw.",
        _won_clearly,
    ),
    Achievement(
        "comeback", "Not over yet", "Win after they had one dancer left and you three.",
        "One dancer in the Water undoes a lead: keep the houses before it in your hand.",
        _came_back,
    ),
)  # fmt: skip
