"""A position as a flat array, and the conversion from and to states.

A state is int32[`LENGTH`]: a few counts, the agents, four boards, and the lists of flames and
bombs. The boards have a border of rigid walls, so that rays and steps need no bounds checks; a
smaller board is in the upper left corner of the same array. The lists come last, so that a copy can
be partial (`copy_state`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.games.pommerman.board import POWERS, RIGID, WOOD, Mask, bits
from boardgames_cli.games.pommerman.fast import Ints, compiled
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState

PITCH: Final = 13
"""Cells in a row, including the border."""
CELLS: Final = PITCH * PITCH
MOST: Final = 121
"""The maximum number of bombs, and of cells in flames."""
SEATS: Final = 4

# Offsets in a state.
STEP: Final = 0
BOMBS: Final = 1
FIRES: Final = 2
FALLEN: Final = 3
"""The seats that the collapse has just killed, as bits."""
AGENT: Final = 4
"""Five numbers per seat, as in `Bomber`; unused seats are dead."""
CELL, ALIVE, AMMO, STRENGTH, KICKS = range(5)
BOARD: Final = AGENT + 5 * SEATS
"""0 ground, 1 rigid, 2 wood, 6 to 8 an open power-up."""
HIDDEN: Final = BOARD + CELLS
"""6 to 8: the power-up under wood, or under the flames that burnt it."""
FLAME: Final = HIDDEN + CELLS
"""The lives of the flames there, as bits 0 to 2."""
FIRE: Final = FLAME + CELLS
"""The cells in flames, unordered."""
BOMB: Final = FIRE + MOST
"""Five numbers per bomb, unordered."""
_, LIFE, BLAST, OWNER, DIRECTION = range(5)
"""The fields of `Bomb`; the first is its `CELL`."""
LENGTH: Final = BOMB + 5 * MOST

# Offsets in the packed options.
ITEMS_BLOCK, AMMO_CAP, STRENGTH_CAP, TEAMS, LAST, SIZE, PLAYERS, RINGS = range(8)
SCHEDULE: Final = 8
"""The steps after which the `RINGS` rings collapse."""

_EMPTY: Final = PommermanState()

DELTA: Final = np.array([0, -PITCH, PITCH, -1, 1, 0], dtype=np.int32)


def padded(cell: int, size: int) -> int:
    """The index of a cell on the board with the border."""
    row, column = divmod(cell, size)
    return (row + 1) * PITCH + column + 1


def plain(cell: int, size: int) -> int:
    """The inverse of `padded`."""
    row, column = divmod(cell, PITCH)
    return (row - 1) * size + column - 1


def pack_options(game: Pommerman, state: PommermanState = _EMPTY) -> Ints:
    """The options in the form of the compiled rules: int32[8 + rings], by the indices above.

    The collapse may depend on the number of earlier ties, which the state tells.
    """
    step_rules = game.step_rules
    head = [
        step_rules.items_block,
        step_rules.ammo_cap,
        step_rules.strength_cap,
        game.is_team,
        game.steps,
    ]
    rings = game.collapses_in(state)
    return np.array([*head, game.board_spec.size, game.seats, len(rings), *rings], dtype=np.int32)


def pack(game: Pommerman, state: PommermanState) -> Ints:
    """A full state after the layout as a flat array, int32[`LENGTH`].

    Raises:
        ValueError: The state is redacted, or not laid out.
    """
    unknown = [min(agent) < 0 for agent in state.agents] + [bomb.owner < 0 for bomb in state.bombs]
    if not state.agents or any(unknown):
        raise ValueError("only a full state after the layout can be packed; determinize it first")
    size = game.board_spec.size
    flat = np.zeros(LENGTH, dtype=np.int32)
    flat[STEP] = state.step
    flat[FALLEN] = sum(1 << seat for seat in state.fallen)
    for seat, agent in enumerate(state.agents):
        start = AGENT + 5 * seat
        flat[start : start + 5] = (padded(agent.cell, size), *agent[1:])
    flat[BOARD : BOARD + CELLS] = RIGID
    for cell in range(size * size):
        flat[BOARD + padded(cell, size)] = 0
    _paint(flat, BOARD, size, state.rigid, RIGID)
    _paint(flat, BOARD, size, state.wood, WOOD)
    for kind, open_, hidden in zip(POWERS, state.powers, state.hidden, strict=True):
        _paint(flat, BOARD, size, open_, kind)
        _paint(flat, HIDDEN, size, hidden, kind)
    for cell in bits(state.burning):
        lives = sum(1 << life for life, mask in enumerate(state.flames) if mask >> cell & 1)
        flat[FLAME + padded(cell, size)] = lives
        flat[FIRE + flat[FIRES]] = padded(cell, size)
        flat[FIRES] += 1
    flat[BOMBS] = len(state.bombs)
    for number, bomb in enumerate(state.bombs):
        start = BOMB + 5 * number
        flat[start : start + 5] = (padded(bomb.cell, size), *bomb[1:])
    return flat


def _paint(flat: Ints, board: int, size: int, cells: Mask, value: int) -> None:
    for cell in bits(cells):
        flat[board + padded(cell, size)] = value


def unpack(game: Pommerman, flat: Ints) -> PommermanState:
    """Convert a flat array to a position, without radio words and earlier ties."""
    size = game.board_spec.size
    numbers = flat.tolist()
    board, hidden = (_masks(numbers[at : at + CELLS], size) for at in (BOARD, HIDDEN))
    flames = [0, 0, 0]
    for cell in numbers[FIRE : FIRE + numbers[FIRES]]:
        for life in range(len(flames)):
            flames[life] |= (numbers[FLAME + cell] >> life & 1) << plain(cell, size)
    bombs = [numbers[at : at + 5] for at in range(BOMB, BOMB + 5 * numbers[BOMBS], 5)]
    agents = [numbers[at : at + 5] for at in range(AGENT, AGENT + 5 * game.seats, 5)]
    first, second, third = POWERS
    return PommermanState(
        board[RIGID],
        board[WOOD],
        (board[first], board[second], board[third]),
        (hidden[first], hidden[second], hidden[third]),
        (flames[0], flames[1], flames[2]),
        tuple(sorted(Bomb(plain(cell, size), *rest) for cell, *rest in bombs)),
        tuple(
            Bomber(plain(cell, size), bool(alive), ammo, strength, bool(kicks))
            for cell, alive, ammo, strength, kicks in agents
        ),
        numbers[STEP],
        fallen=tuple(seat for seat in range(game.seats) if numbers[FALLEN] >> seat & 1),
    )


def _masks(board: list[int], size: int) -> list[Mask]:
    found = [0] * (max(POWERS) + 1)
    for cell in range(size * size):
        found[board[padded(cell, size)]] |= 1 << cell
    return found


@compiled
def copy_state(target: Ints, source: Ints) -> None:
    """Copy the used part of a state; also used to undo steps."""
    for index in range(BOMB + 5 * source[BOMBS]):
        target[index] = source[index]
