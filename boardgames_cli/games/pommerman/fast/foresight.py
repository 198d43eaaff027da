"""Compiled foresight: what burns and blocks in the next steps, and where an agent can survive.

The rules themselves are played on with all agents standing still, so that rolling bombs, chain
reactions, burning wood and the collapse are exact. Backwards from the last step it follows from
which cells an agent can still walk or wait unburnt. Other agents block their cells for two steps.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.pommerman.board import BOMB as LAY
from boardgames_cli.games.pommerman.board import BOMB_LIFE, RIGID, STOP, WOOD
from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    CELLS,
    DELTA,
    FIRES,
    FLAME,
    KICKS,
    LENGTH,
    PITCH,
    RINGS,
    SCHEDULE,
    SEATS,
    STEP,
    copy_state,
)
from boardgames_cli.games.pommerman.fast.movement import WORK_LENGTH
from boardgames_cli.games.pommerman.fast.step import bomb_lies, play_step

STEPS: Final = BOMB_LIFE + 3
"""The steps foreseen: a bomb laid in the next step has exploded and burnt out by then."""
_FREE: Final = 10
"""What it counts that no other agent may walk to the same cell; more than all ways on."""
_BODIES: Final = 2
"""Steps for which other agents are in the way; later they have probably moved."""

# Offsets in the memory; each of the three has one board for every step from 0 to `STEPS`.
BURNS: Final = 0
"""Whether a cell is deadly at the end of a step."""
BLOCKS: Final = BURNS + (STEPS + 1) * CELLS
"""Whether a cell can't be entered in a step."""
LIVES: Final = BLOCKS + (STEPS + 1) * CELLS
"""Whether an agent there after a step can survive all later ones."""
_STATE: Final = LIVES + (STEPS + 1) * CELLS
_MOVES: Final = _STATE + LENGTH
_WORK: Final = _MOVES + SEATS
AHEAD_LENGTH: Final = _WORK + WORK_LENGTH


def make_ahead() -> Ints:
    """Allocate the memory of the foresight, int32[`AHEAD_LENGTH`]; it can be reused."""
    return np.zeros(AHEAD_LENGTH, dtype=np.int32)


@compiled
def is_calm(s: Ints, options: Ints) -> bool:
    """Whether nothing burns or collapses in the steps foreseen."""
    if s[BOMBS] or s[FIRES]:
        return False
    for depth in range(options[RINGS]):
        if 0 < options[SCHEDULE + depth] - s[STEP] <= STEPS:
            return False
    return True


@compiled
def foresee(s: Ints, options: Ints, ahead: Ints) -> None:
    """Fill the memory for a position.

    Args:
        s: The state, int32[`arrays.LENGTH`]; not changed.
        options: From `arrays.pack_options`.
        ahead: int32[`AHEAD_LENGTH`], from `make_ahead`.
    """
    later, still = ahead[_STATE:_MOVES], ahead[_MOVES:_WORK]
    work = ahead[_WORK:]
    copy_state(later, s)
    still[:] = STOP
    for step in range(1, STEPS + 1):
        blocks, burns = BLOCKS + step * CELLS, BURNS + step * CELLS
        for cell in range(CELLS):
            kind = later[BOARD + cell]
            ahead[blocks + cell] = kind != 0 and kind <= WOOD
        for number in range(later[BOMBS]):
            ahead[blocks + later[BOMB + 5 * number + CELL]] = 1
        if step <= _BODIES:
            for seat in range(SEATS):
                if s[AGENT + 5 * seat + ALIVE]:
                    ahead[blocks + s[AGENT + 5 * seat + CELL]] = 1
        play_step(later, still, options, work)
        for cell in range(CELLS):
            ahead[burns + cell] = later[FLAME + cell] != 0 or later[BOARD + cell] == RIGID
    _find_lives(ahead)


@compiled
def _find_lives(ahead: Ints) -> None:
    last = STEPS * CELLS
    for cell in range(CELLS):
        ahead[LIVES + last + cell] = 1 - ahead[BURNS + last + cell]
    for step in range(STEPS, 0, -1):
        at = step * CELLS
        for cell in range(CELLS):
            found = ahead[LIVES + at + cell] and not ahead[BURNS + at + cell]
            for move in range(1, 5):
                there = cell + DELTA[move]
                if found or there < 0 or there >= CELLS or ahead[BLOCKS + at + there]:
                    continue
                found = ahead[LIVES + at + there] and not ahead[BURNS + at + there]
            ahead[LIVES + at - CELLS + cell] = found


@compiled
def _target(ahead: Ints, cell: int, move: int) -> int:
    """Where a move leads; the own cell if it is blocked."""
    if move in (STOP, LAY):
        return cell
    there = cell + DELTA[move]
    return cell if ahead[BLOCKS + CELLS + there] else there


@compiled
def survives(ahead: Ints, cell: int) -> bool:
    """Whether an agent on a cell after the next step can survive the steps foreseen."""
    return bool(ahead[LIVES + CELLS + cell] and not ahead[BURNS + CELLS + cell])


@compiled
def _is_contested(s: Ints, seat: int, cell: int) -> bool:
    """Whether another agent may walk to a cell, too; never to the own one."""
    if s[AGENT + 5 * seat + CELL] == cell:
        return False
    for other in range(SEATS):
        start = AGENT + 5 * other
        if other != seat and s[start + ALIVE]:
            gap = abs(s[start + CELL] - cell)
            if gap in (1, PITCH):
                return True
    return False


@compiled
def careful(s: Ints, ahead: Ints, rng: Seeds, seat: int, move: int, yields: int) -> int:
    """A move that keeps a way out.

    Args:
        s: The state.
        ahead: Filled by `foresee`.
        rng: uint64[1].
        seat: A living seat.
        move: The move that it would like to make.
        yields: It gives way to others once in so many steps; 0 is never.

    Returns:
        That move if it keeps a way out; else the one with the most ways on; else a kick; else that
        move.
    """
    cell = s[AGENT + 5 * seat + CELL]
    wanted = _target(ahead, cell, move)
    # Two that want the same cell both stay where they are, so that one of them must give way.
    gives_way = yields > 0 and _is_contested(s, seat, wanted) and draw(rng, yields) == 0
    if survives(ahead, wanted) and not gives_way:
        return move
    best, most, equals = -1, 0, 0
    for other in range(5):
        there = _target(ahead, cell, other)
        if (other != STOP and there == cell) or not survives(ahead, there):
            continue
        count = _FREE if gives_way and not _is_contested(s, seat, there) else 1
        for onward in range(5):
            further = there + DELTA[onward]
            if ahead[LIVES + 2 * CELLS + further] and not ahead[BURNS + 2 * CELLS + further]:
                count += onward == STOP or not ahead[BLOCKS + 2 * CELLS + further]
        if count > most:
            best, most, equals = other, count, 1
        elif count == most:
            equals += 1
            if draw(rng, equals) == 0:
                best = other
    if best >= 0:
        return best
    if s[AGENT + 5 * seat + KICKS]:
        start = draw(rng, 4)
        for number in range(4):
            kick = 1 + (start + number) % 4
            if bomb_lies(s, cell + DELTA[kick]):
                return kick
    return move
