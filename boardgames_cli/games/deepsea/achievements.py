"""Achievements in Deep Sea Adventure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardgames_cli.core.presentation.achievement import Achievement, FinishedGame
from boardgames_cli.games.deepsea.state import DeepSeaState

_CHIPS: Final = 4
_BREATHS: Final = 3
_LEAST_ROUNDS: Final = 2
_DEEP: Final = 12
"""The least value of a chip of the fourth level."""


def _arrivals(game: FinishedGame) -> Iterator[tuple[DeepSeaState, DeepSeaState]]:
    """The states before and after each return to the submarine."""
    seat = game.seat
    for turn in game.turns:
        before, after = turn.before, turn.after
        if before.round == after.round and before.places[seat] and after.is_home(seat):
            yield before, after


def _brought_four(game: FinishedGame) -> bool:
    return any(len(before.held[game.seat]) >= _CHIPS for before, _ in _arrivals(game))


def _was_just_in_time(game: FinishedGame) -> bool:
    return any(after.oxygen <= _BREATHS for _, after in _arrivals(game))


def _rounds(game: FinishedGame) -> list[tuple[int, ...]]:
    rounds: list[tuple[int, ...]] = list(game.states[-1].ledger.by_round)
    return rounds


def _was_alone_at_home(game: FinishedGame) -> bool:
    return any(
        points[game.seat] > 0 and sum(points) == points[game.seat] for points in _rounds(game)
    )


def _never_drowned(game: FinishedGame) -> bool:
    rounds = _rounds(game)
    return len(rounds) >= _LEAST_ROUNDS and all(points[game.seat] > 0 for points in rounds)


def _went_deep(game: FinishedGame) -> bool:
    turned = (value for state in game.states for value in state.ledger.turned[game.seat])
    return any(value >= _DEEP for value in turned)


ACHIEVEMENTS: Final = (
    Achievement(
        "four", "Home with four chips", "Reach the submarine with four chips.",
        "Every chip costs a step and a breath a turn: four come home only from near the top.",
        _brought_four,
    ),
    Achievement(
        "last-breath", "With the last breath", "Come home with three or less in the tank.",
        "The tank is everybody's: their chips empty it while you swim.",
        _was_just_in_time,
    ),
    Achievement(
        "alone", "Alone at home", "Be the only one with points in a round.",
        "Chips count only on board: turning early wins a round in which the others drown.",
        _was_alone_at_home,
    ),
    Achievement(
        "steady", "Points in every round", "Have points in every round.",
        "A little in each round beats one great dive that does not come back.",
        _never_drowned,
    ),
    Achievement(
        "deep", "From the deepest row", "Bring home a chip worth 12 or more.",
        "One chip of level 4 is worth four of level 1 and weighs as much as one.",
        _went_deep,
    ),
)  # fmt: skip
