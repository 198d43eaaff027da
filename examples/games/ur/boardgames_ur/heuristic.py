"""Which positions of Ur are good."""

from __future__ import annotations

import math
from typing import Final

from boardgames_cli import Seat

from boardgames_ur.endings import value
from boardgames_ur.rules import HOME, SAFE, SHARED, State, Ur

_AT_RISK: Final = 0.25
"""The share of its way that a piece on a shared square is expected to lose."""

_STEEPNESS: Final = 2.0
"""Fits the results of 150 games of `greedy` against itself best."""


def evaluate(game: Ur, state: State, seat: Seat) -> float:
    """An estimate of the seat's final return: how far its pieces are, and the other's.

    Endings with few pieces are exact.
    """
    known = value(state, seat)
    if known is not None:
        return known
    ways = [
        sum(
            square * (1 - _AT_RISK if square in SHARED and square != SAFE else 1)
            for square in state.pieces[each]
        )
        for each in (seat, 1 - seat)
    ]
    return math.tanh(_STEEPNESS * (ways[0] - ways[1]) / (HOME * game.pieces))
