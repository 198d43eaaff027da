"""Senet for learners: the board as an array, and three ways to number its moves.

The array and the numbers are those of the environment this game was first published in. Needs
numpy (the extra ``numpy``).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.core.game import Observation
from boardgames_cli.games.senet.actions import PASS, Move
from boardgames_cli.games.senet.board import HOUSES, bit, houses
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

NO_MOVE = (0, 0)
"""The pass, as a (house, steps) or (dancer, steps) pair."""


def board(seen: Observation[SenetState, Move]) -> npt.NDArray[np.int8]:
    """The dancers of both sides.

    Returns:
        An array of shape [2, 30] and type int8: 1 where a dancer stands, 0 elsewhere; row 0 are the
        cones, row 1 the spools, column h is house h + 1.
    """
    array = np.zeros((2, HOUSES), dtype=np.int8)
    for seat in (0, 1):
        for house in houses(seen.state.side(seat)):
            array[seat, house - 1] = 1
    return array


def house_and_steps(state: SenetState, move: Move) -> tuple[int, int]:
    """A move as (house, steps): the 0-based house it starts from, steps negative if backward.

    The pass is `NO_MOVE`, which no legal move equals, since its steps are 0.
    """
    if move == PASS:
        return NO_MOVE
    return move.start - 1, _signed_steps(state, move)


def dancer_and_steps(state: SenetState, move: Move) -> tuple[int, int]:
    """A move as (dancer, steps): dancers are numbered from 0 at the lowest house."""
    if move == PASS:
        return NO_MOVE
    before = state.side(state.player) & (bit(move.start) - 1)
    return before.bit_count(), _signed_steps(state, move)


def number(game: Senet, state: SenetState, action: Move) -> int:
    """A move as one number, 0 to 10 * pieces: the game's `action_id`."""
    return game.action_id(state, action)


def from_house_and_steps(game: Senet, state: SenetState, pair: tuple[int, int]) -> Move:
    """The legal move that a (house, steps) pair stands for.

    Raises:
        UnknownActionError: No legal move is written so.
    """
    for action in game.legal_actions(state, state.player):
        if house_and_steps(state, action) == pair:
            return action
    raise UnknownActionError(f"no legal move is {pair} as (house, steps).")


def from_dancer_and_steps(game: Senet, state: SenetState, pair: tuple[int, int]) -> Move:
    """The legal move that a (dancer, steps) pair stands for.

    Raises:
        UnknownActionError: No legal move is written so.
    """
    for action in game.legal_actions(state, state.player):
        if dancer_and_steps(state, action) == pair:
            return action
    raise UnknownActionError(f"no legal move is {pair} as (dancer, steps).")


def from_number(game: Senet, state: SenetState, id: int) -> Move:
    """The legal move of a number.

    Raises:
        UnknownActionError: No legal move has it.
    """
    return game.action_of(state, id)


def _signed_steps(state: SenetState, move: Move) -> int:
    steps = state.steps or 0
    return -steps if move.is_backward(steps) else steps
