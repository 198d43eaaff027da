"""The exact chances of every ending with at most three pieces a side that are not home yet.

`boardgames_ur.solver` made the table.
"""

from __future__ import annotations

import functools
import sys
import zlib
from array import array
from importlib import resources
from itertools import combinations
from typing import Final

from boardgames_cli import Seat

from boardgames_ur.rules import HOME, START, Pieces, State, Ur, moves

MOST: Final = 3
"""The most pieces a side that are not home."""
SCALE: Final = 65535
"""The number in the table of a certain win."""
FILE: Final = "data/endings.bin"


def rows(pieces: int) -> list[Pieces]:
    """Every arrangement of the pieces of one seat."""
    return [
        (START,) * waiting + on_board + (HOME,) * (pieces - waiting - count)
        for count in range(pieces + 1)
        for on_board in combinations(range(START + 1, HOME), count)
        for waiting in range(pieces - count + 1)
    ]


_NUMBERS: Final = {row: number for number, row in enumerate(rows(MOST))}


def win_chance(state: State) -> float | None:
    """The chance of the player to act by best play; None if the table doesn't know.

    Args:
        state: A position with or without a throw.
    """
    if state.winner is not None:
        return float(state.winner == state.player)
    own, other = (_number(state.pieces[seat]) for seat in (state.player, 1 - state.player))
    if own is None or other is None:
        return None
    if state.pips is None:
        return _table()[own * len(_NUMBERS) + other] / SCALE
    game = Ur(len(state.pieces[0]))
    steps = [game.apply(state, {state.player: move}) for move in moves(state, state.pips)]
    chances = [(win_chance(after), after.player == state.player) for after in steps]
    return max((chance if stays else 1 - chance) for chance, stays in chances if chance is not None)


def value(state: State, seat: Seat) -> float | None:
    """The expected return of a seat by best play; None if the table doesn't know."""
    chance = win_chance(state)
    return None if chance is None else (2 * chance - 1) * (1 if seat == state.player else -1)


def _number(pieces: Pieces) -> int | None:
    """The number of an arrangement, if at most `MOST` pieces are not home."""
    row = tuple(square for square in pieces if square != HOME)
    return _NUMBERS.get(row + (HOME,) * (MOST - len(row)))


@functools.cache
def _table() -> array[int]:
    """A row for each arrangement of the thrower's pieces, in it a number for each of the other's.

    Positions that can't be have a number, too.
    """
    numbers = array(
        "H", zlib.decompress(resources.files("boardgames_ur").joinpath(FILE).read_bytes())
    )
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
