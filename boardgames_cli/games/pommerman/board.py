"""The grid of Pommerman: cells, directions, rays, and constants.

Cells are numbered row by row from 0. Sets of cells are masks: bit ``c`` is cell ``c``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Mask: TypeAlias = int

ThreeMasks: TypeAlias = tuple[Mask, Mask, Mask]
"""The cells of each kind of power-up, or of flames by their life."""

STOP, UP, DOWN, LEFT, RIGHT, BOMB = range(6)

MOVE_NAMES: Final = ("stop", "up", "down", "left", "right", "bomb")
DELTAS: Final = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
"""How each move changes (row, column)."""

GROUND, RIGID, WOOD, BOMB_CELL, FLAME, FOG = range(6)
"""The content of a cell of a drawn board, with the numbers of the original playground."""
EXTRA_BOMB, EXTRA_RANGE, KICK = 6, 7, 8
POWERS: Final = (EXTRA_BOMB, EXTRA_RANGE, KICK)
NOBODY: Final = 9
FIRST_AGENT: Final = 10
"""Agent ``i`` is drawn as 10 + i."""

LARGEST: Final = 11
"""Cells in a row of the largest board."""

UNKNOWN: Final = -1
"""The mark for a number unknown to the observer."""

BOMB_LIFE: Final = 10
"""Steps from laying a bomb to its explosion, including the step of laying."""
FLAME_LIFE: Final = 2
"""Steps after the explosion in which a cell still shows flames."""
WORDS: Final = 8
"""Radio words are 1 to 8."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The geometry of a square board, computed once per size."""

    size: int
    cells: int
    full: Mask
    steps: tuple[tuple[int, ...], ...]
    """``steps[move][cell]``: the neighbour, or -1 beyond the edge; stop and bomb stay."""
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """``rays[cell]``: the cells in the four directions, nearest first."""
    near: tuple[tuple[int, ...], ...]
    """``near[cell]``: the neighbours on the board."""

    def cell(self, row: int, column: int) -> int:
        return row * self.size + column

    def place(self, cell: int) -> tuple[int, int]:
        return divmod(cell, self.size)

    def distance(self, cell: int, other: int) -> int:
        """The number of steps between two cells without obstacles."""
        (row, column), (other_row, other_column) = self.place(cell), self.place(other)
        return abs(row - other_row) + abs(column - other_column)

    def name(self, cell: int) -> str:
        """The name of a cell, such as ``r1c2``."""
        row, column = self.place(cell)
        return f"r{row}c{column}"

    def names(self, mask: Mask, most: int) -> str:
        """The names of some cells, at most so many."""
        cells = list(bits(mask))
        names = " ".join(self.name(cell) for cell in cells[:most])
        return f"{names} ..." if len(cells) > most else names

    def ring(self, depth: int) -> Mask:
        """The cells at a distance from the edge; empty past the middle."""
        last = self.size - 1
        mask = 0
        for cell in range(self.cells):
            row, column = divmod(cell, self.size)
            if min(row, column, last - row, last - column) == depth:
                mask |= 1 << cell
        return mask


@functools.cache
def grid_of(size: int) -> Grid:
    """The geometry of a board of ``size`` by ``size`` cells."""

    def neighbour(cell: int, move: int, distance: int = 1) -> int:
        row, column = divmod(cell, size)
        row += DELTAS[move][0] * distance
        column += DELTAS[move][1] * distance
        return row * size + column if 0 <= row < size and 0 <= column < size else -1

    cells = size * size
    steps = tuple(tuple(neighbour(cell, move) for cell in range(cells)) for move in range(6))
    rays = tuple(
        tuple(
            tuple(
                other
                for distance in range(1, size)
                if (other := neighbour(cell, move, distance)) >= 0
            )
            for move in (UP, DOWN, LEFT, RIGHT)
        )
        for cell in range(cells)
    )
    near = tuple(tuple(ray[0] for ray in rays[cell] if ray) for cell in range(cells))
    return Grid(size, cells, (1 << cells) - 1, steps, rays, near)


@functools.cache
def window(size: int, cell: int, radius: int) -> Mask:
    """The cells of the square around a cell, clipped to the board; cached for the fog."""
    row, column = divmod(cell, size)
    mask = 0
    for other in range(size * size):
        other_row, other_column = divmod(other, size)
        if abs(other_row - row) <= radius and abs(other_column - column) <= radius:
            mask |= 1 << other
    return mask


def mate_of(seat: int) -> int:
    """The teammate of a seat in the team modes: in the opposite corner."""
    return (seat + 2) % 4


def mask_where(board: Sequence[int], value: int) -> Mask:
    """The cells of a board that hold a value."""
    return sum(1 << cell for cell, found in enumerate(board) if found == value)


def within(masks: ThreeMasks, cells: Mask) -> ThreeMasks:
    """Three masks, restricted to some cells."""
    return masks[0] & cells, masks[1] & cells, masks[2] & cells


def bits(mask: Mask) -> Iterator[int]:
    """The cells of a mask in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
