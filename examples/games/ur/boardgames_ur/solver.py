"""Solves the endings of Ur: ``python -m boardgames_ur.solver`` writes the table. Needs numpy.

Captures, and throws that pass the turn, lead back to earlier positions, so the chances are found by
value iteration (L. Shapley, "Stochastic Games", 1953): what the rules make of the chances so far,
again and again, until nothing changes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from importlib import resources
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt
from boardgames_cli import PositionError

from boardgames_ur.endings import FILE, MOST, SCALE, rows
from boardgames_ur.rules import THROWS, State, Ur

_TINY: Final = 1e-10


def solve(pieces: int) -> npt.NDArray[np.float64]:
    """The chance of the thrower in every position; 0 for positions that can't be.

    Returns:
        An array of shape [arrangements of the thrower, arrangements of the other].
    """
    game = Ur(pieces)
    numbers = {row: number for number, row in enumerate(rows(pieces))}
    size = len(numbers) ** 2
    ends: list[int] = []
    """Where each move of each throw leads: a position, or `size` for a win."""
    swaps: list[bool] = []
    """Whether the other player throws there."""
    starts: list[int] = []
    """Where the moves of each throw begin."""
    at: list[int] = []
    for state in _positions(game):
        own, other = (numbers[row] for row in state.pieces)
        at.append(own * len(numbers) + other)
        for outcome, _ in THROWS:
            starts.append(len(ends))
            for after in _after(game, game.apply_chance(state, outcome)):
                thrower, waiting = after.pieces[after.player], after.pieces[1 - after.player]
                is_won = after.winner is not None
                ends.append(size if is_won else numbers[thrower] * len(numbers) + numbers[waiting])
                swaps.append(after.player == 1 and not is_won)
    chances = np.full(size + 1, 0.5)
    chances[size] = 1.0
    places, to, swapped = np.array(at), np.array(ends), np.array(swaps)
    shares = np.array([share for _, share in THROWS])
    change = 1.0
    while change > _TINY:
        reached = np.where(swapped, 1 - chances[to], chances[to])
        found = np.maximum.reduceat(reached, starts).reshape(-1, len(shares)) @ shares
        change = float(np.abs(found - chances[places]).max())
        chances[places] = found
    table = np.zeros(size)
    table[places] = chances[places]
    return table.reshape(len(numbers), -1)


def _positions(game: Ur) -> Iterator[State]:
    """Every position in which seat 0 is to throw."""
    for own, other in product(rows(game.pieces), rows(game.pieces)):
        state = State((own, other))
        try:
            game.check(state)
        except PositionError:
            continue
        if state.winner is None:
            yield state


def _after(game: Ur, state: State) -> list[State]:
    """The positions after a throw and a move; the throw's own if there is no move."""
    if state.pips is None:
        return [state]
    return [game.apply(state, {0: move}) for move in game.legal_actions(state, 0)]


if __name__ == "__main__":
    with resources.as_file(resources.files("boardgames_ur")) as folder:
        table = np.rint(solve(MOST) * SCALE).astype("<u2")
        (folder / FILE).write_bytes(zlib.compress(table.tobytes(), 9))
