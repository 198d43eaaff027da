"""Achievements in TapnSwap."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from boardgames_cli.core.presentation.achievement import Achievement, FinishedGame, SeenTurn
from boardgames_cli.games.tapnswap.actions import Swap, Tap

_QUICK: Final = 5
"""The most own moves of a quick win."""


def _is_kill(turn: SeenTurn, seat: int) -> bool:
    before, after = turn.before.hands[1 - seat], turn.after.hands[1 - seat]
    return isinstance(turn.action, Tap) and before.count(0) < after.count(0)


def _kept_both_hands(game: FinishedGame) -> bool:
    return game.is_won and all(0 not in state.hands[game.seat] for state in game.states)


def _revived(game: FinishedGame) -> bool:
    return any(
        isinstance(turn.action, Swap) and 0 in turn.before.hands[game.seat]
        and 0 not in turn.after.hands[game.seat]
        for turn in game.own_turns
    )  # fmt: skip


def _killed_twice_in_a_row(game: FinishedGame) -> bool:
    kills = [_is_kill(turn, game.seat) for turn in game.own_turns]
    return game.is_won and any(first and second for first, second in pairwise(kills))


def _won_fast(game: FinishedGame) -> bool:
    return game.is_won and sum(1 for _ in game.own_turns) <= _QUICK


ACHIEVEMENTS: Final = (
    Achievement(
        "perfect-hands", "Perfect hands", "Win without losing a hand.",
        "A hand that is never left where a tap takes it over 4 can't die: count before you tap.",
        _kept_both_hands,
    ),
    Achievement(
        "revival", "Back to life", "Bring a dead hand back by a swap.",
        "A dead hand is not gone: a swap that splits the other hand brings it back.",
        _revived,
    ),
    Achievement(
        "one-two", "One, two", "Win, with two kills in a row.",
        "After the first kill only one hand answers: strike again before it is split.",
        _killed_twice_in_a_row,
    ),
    Achievement(
        "quick", "Quick hands", "Win in five moves.",
        "Large hands kill at once: feed the hand that they can't run away from.",
        _won_fast,
    ),
)  # fmt: skip
