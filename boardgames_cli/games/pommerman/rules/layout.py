"""Generation of boards, and their invariants.

The invariants are those observed on thousands of boards of the original playground. The generator
is our own: it places walls in mirrored pairs on cells drawn without replacement, and starts over if
too much is out of reach.
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import Final

from boardgames_cli.games.pommerman.actions import Layout
from boardgames_cli.games.pommerman.board import (
    FIRST_AGENT,
    GROUND,
    LARGEST,
    POWERS,
    RIGID,
    WOOD,
    Grid,
    grid_of,
    mask_where,
)
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

MOST_CUT_OFF: Final = 4
"""The maximum number of unreachable free cells."""


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """The fixed properties of one kind of board."""

    size: int
    rigid: int
    wood: int
    agents: tuple[int, ...]
    free: frozenset[int]
    """Cells that are always ground."""
    corridors: frozenset[int]
    """Cells that are always wood."""


@functools.cache
def board_spec_of(seats: int) -> BoardSpec:
    """The spec for four agents on 11 by 11 cells, or two on 8 by 8."""
    size = LARGEST if seats == 4 else 8
    far = size - 2
    corners = ((1, 1), (far, 1), (far, far), (1, far)) if seats == 4 else ((1, 1), (far, far))
    free = set()
    for row, column in corners:
        down, right = (1 if row == 1 else -1), (1 if column == 1 else -1)
        for distance in (1, 2):
            free |= {(row + down * distance, column), (row, column + right * distance)}
    corridors = set()
    if seats == 4:
        for along in range(4, size - 4):
            corridors |= {(1, along), (far, along), (along, 1), (along, far)}
    grid = grid_of(size)
    return BoardSpec(
        size,
        rigid=36 if seats == 4 else 16,
        wood=36 if seats == 4 else 16,
        agents=tuple(grid.cell(*corner) for corner in corners),
        free=frozenset(grid.cell(*cell) for cell in free),
        corridors=frozenset(grid.cell(*cell) for cell in corridors),
    )


def draw_layout(spec: BoardSpec, items: int, rng: random.Random) -> Layout:
    """Generate a new board with so many power-ups under wood."""
    while True:
        board = _draw_walls(spec, rng)
        if _is_open(spec, board):
            break
    wood = [cell for cell, value in enumerate(board) if value == WOOD]
    places = sorted(rng.sample(wood, items))
    return Layout(tuple(board), tuple((cell, rng.choice(POWERS)) for cell in places))


def _draw_walls(spec: BoardSpec, rng: random.Random) -> list[int]:
    grid = grid_of(spec.size)
    board = [GROUND] * grid.cells
    for seat, cell in enumerate(spec.agents):
        board[cell] = FIRST_AGENT + seat
    for cell in spec.corridors:
        board[cell] = WOOD
    pairs = rng.sample(mirrored_pairs(spec), (spec.rigid + spec.wood - len(spec.corridors)) // 2)
    for number, (cell, mirrored) in enumerate(pairs):
        board[cell] = board[mirrored] = RIGID if number < spec.rigid // 2 else WOOD
    return board


@functools.cache
def mirrored_pairs(spec: BoardSpec) -> tuple[tuple[int, int], ...]:
    """The pairs of mirrored cells on which walls can be drawn."""
    grid = grid_of(spec.size)
    taken = spec.free | spec.corridors | set(spec.agents)
    return tuple(
        (grid.cell(row, column), grid.cell(column, row))
        for row in range(spec.size)
        for column in range(row)
        if grid.cell(row, column) not in taken
    )


def _is_open(spec: BoardSpec, board: list[int]) -> bool:
    reached = _reach(grid_of(spec.size), board, spec.agents[0])
    if not all(cell in reached for cell in spec.agents):
        return False
    cut_off = sum(value == GROUND and cell not in reached for cell, value in enumerate(board))
    return cut_off <= MOST_CUT_OFF


def _reach(grid: Grid, board: list[int], start: int) -> set[int]:
    reached, frontier = {start}, [start]
    while frontier:
        cell = frontier.pop()
        for other in grid.near[cell]:
            if other not in reached and board[other] != RIGID:
                reached.add(other)
                frontier.append(other)
    return reached


def lay_out(spec: BoardSpec, layout: Layout, strength: int) -> PommermanState:
    """The initial position on a board."""
    hidden = [sum(1 << cell for cell, found in layout.items if found == kind) for kind in POWERS]
    return PommermanState(
        mask_where(layout.board, RIGID),
        mask_where(layout.board, WOOD),
        hidden=(hidden[0], hidden[1], hidden[2]),
        agents=tuple(Bomber(cell, True, 1, strength, False) for cell in spec.agents),
    )


def flaw(spec: BoardSpec, layout: Layout, items: int | None = None) -> str:
    """What is wrong with a board; empty if it is valid. None means any number of items."""
    board = list(layout.board)
    grid = grid_of(spec.size)
    if len(board) != grid.cells:
        return f"the layout has {len(board)} cells, not {spec.size} by {spec.size}"
    for cell, value in enumerate(board):
        row, column = grid.place(cell)
        seat = spec.agents.index(cell) if cell in spec.agents else None
        wanted = FIRST_AGENT + seat if seat is not None else None
        if value != wanted and (wanted is not None or value >= FIRST_AGENT):
            return f"the agent of r{row}c{column} is not where it starts"
        if cell in spec.free and value != GROUND:
            return f"r{row}c{column}, beside an agent, is not free"
        if cell in spec.corridors and value != WOOD:
            return f"r{row}c{column}, between two corners, is not wood"
        if row == column and value in (RIGID, WOOD):
            return f"r{row}c{column}, on the diagonal, is a wall"
        if value < FIRST_AGENT and board[grid.cell(column, row)] != value:
            return f"r{row}c{column} is not mirrored at r{column}c{row}"
    for kind, name, wanted in (
        (RIGID, "rigid", spec.rigid),
        (WOOD, "wooden", spec.wood),
    ):
        if board.count(kind) != wanted:
            return f"there are {board.count(kind)} {name} walls, not {wanted}"
    if any(board[cell] != WOOD for cell, _ in layout.items):
        return "a power-up is not under wood"
    if items is not None and len(layout.items) != items:
        return f"{len(layout.items)} walls hide a power-up, not {items}"
    return "" if _is_open(spec, board) else "too much of the board is out of reach"
