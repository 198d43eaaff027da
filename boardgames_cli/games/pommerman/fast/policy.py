"""The compiled rollout policy: agents flee, sometimes bomb, otherwise wander.

Similar to `simple`, but faster: burning is computed from the current fuses, and rolling bombs are
treated as lying.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.pommerman.board import BOMB as LAY
from boardgames_cli.games.pommerman.board import STOP, WOOD
from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    AMMO,
    BLAST,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    CELLS,
    DELTA,
    FLAME,
    LIFE,
    MOST,
    PITCH,
    SEATS,
    STRENGTH,
    TEAMS,
)
from boardgames_cli.games.pommerman.fast.movement import is_wall

# Offsets in the policy's scratch memory.
FUSE: Final = 0
"""The steps until each cell burns; `SAFE` if it doesn't."""
BUSY: Final = CELLS
"""Blocked cells: walls, bombs and agents."""
SEEN: Final = 2 * CELLS
"""The number of the last search that visited each cell, followed by the current number."""
QUEUE: Final = 3 * CELLS + 1
"""The queue: cell, steps and first move of each entry."""
FUSES: Final = QUEUE + 3 * CELLS
"""The fuse of each bomb, shortened by chain reactions."""
SCRATCH_LENGTH: Final = FUSES + MOST

SAFE: Final = 99
KEEN: Final = 30
"""The percentage of sensible bombs that the policy usually lays."""
_FLAMES: Final = 2
"""Steps after the explosion in which a cell burns."""
_DEEP: Final = 9
_NEAR: Final = 2


@compiled
def survey(s: Ints, scratch: Ints) -> None:
    """Compute where and when it burns, and which cells are blocked.

    Args:
        s: The state.
        scratch: int32[`SCRATCH_LENGTH`]; filled at `FUSE` and `BUSY`.
    """
    for cell in range(CELLS):
        kind = s[BOARD + cell]
        scratch[BUSY + cell] = kind != 0 and kind <= WOOD
        scratch[FUSE + cell] = SAFE
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        scratch[BUSY + s[at + CELL]] = 1
        scratch[FUSES + number] = 1 if s[FLAME + s[at + CELL]] > 1 else s[at + LIFE]
    for seat in range(SEATS):
        if s[AGENT + 5 * seat + ALIVE]:
            scratch[BUSY + s[AGENT + 5 * seat + CELL]] = 1
    for _ in range(s[BOMBS]):
        first, soonest = -1, SAFE
        for number in range(s[BOMBS]):
            if 0 < scratch[FUSES + number] < soonest:
                first, soonest = number, scratch[FUSES + number]
        at = BOMB + 5 * first
        scratch[FUSES + first] = 0
        _mark_blast(s, scratch, s[at + CELL], s[at + BLAST], soonest)
        for number in range(s[BOMBS]):
            fuse = scratch[FUSE + s[BOMB + 5 * number + CELL]]
            scratch[FUSES + number] = min(scratch[FUSES + number], fuse)


@compiled
def _mark_blast(s: Ints, scratch: Ints, cell: int, strength: int, fuse: int) -> None:
    scratch[FUSE + cell] = min(scratch[FUSE + cell], fuse)
    for move in range(1, 5):
        other = cell
        for _ in range(strength - 1):
            other += DELTA[move]
            if is_wall(s, other):
                break
            scratch[FUSE + other] = min(scratch[FUSE + other], fuse)


@compiled
def _burns(s: Ints, scratch: Ints, cell: int, step: int) -> bool:
    """Whether a cell is in flames at the end of the ``step``-th step from now."""
    fuse = scratch[FUSE + cell]
    return bool(fuse <= step <= fuse + _FLAMES or s[FLAME + cell] >> step)


@compiled
def _is_hit(cell: int, bomb: int, reach: int) -> bool:
    """Whether a bomb would reach a cell without walls."""
    if bomb < 0:
        return False
    row, column = cell // PITCH - bomb // PITCH, cell % PITCH - bomb % PITCH
    return (row == 0 and abs(column) <= reach) or (column == 0 and abs(row) <= reach)


@compiled
def escape(s: Ints, scratch: Ints, rng: Seeds, cell: int, bomb: int, reach: int) -> int:
    """The first move of a shortest path to a safe cell.

    Args:
        s: The state.
        scratch: Filled by `survey`.
        rng: Shuffles the directions.
        cell: The start.
        bomb: The cell of one more bomb, just laid; -1 for none.
        reach: The blast strength of that bomb.

    Returns:
        The move, or -1 if there is no path.
    """
    scratch[SEEN + CELLS] += 1
    search = scratch[SEEN + CELLS]
    turn = draw(rng, 4)
    scratch[SEEN + cell] = search
    scratch[QUEUE], scratch[QUEUE + 1], scratch[QUEUE + 2] = cell, 0, STOP
    tail, head = 1, 0
    while head < tail:
        here, step = scratch[QUEUE + 3 * head], scratch[QUEUE + 3 * head + 1] + 1
        first = scratch[QUEUE + 3 * head + 2]
        head += 1
        if scratch[FUSE + here] == SAFE and not _is_hit(here, bomb, reach):
            return int(first)
        if step > _DEEP:
            return -1
        for direction in range(4):
            move = 1 + (direction + turn) % 4
            there = here + DELTA[move]
            if scratch[BUSY + there] or scratch[SEEN + there] == search:
                continue
            if _burns(s, scratch, there, step):
                continue
            scratch[SEEN + there] = search
            scratch[QUEUE + 3 * tail] = there
            scratch[QUEUE + 3 * tail + 1] = step
            scratch[QUEUE + 3 * tail + 2] = move if step == 1 else first
            tail += 1
    return -1


@compiled
def _is_target_near(s: Ints, options: Ints, seat: int) -> bool:
    """Whether a bomb here would threaten an enemy or burn an adjacent wall."""
    cell = s[AGENT + 5 * seat + CELL]
    for other in range(SEATS):
        start = AGENT + 5 * other
        if other == seat or not s[start + ALIVE] or (options[TEAMS] and (other - seat) % 2 == 0):
            continue
        rows = abs(s[start + CELL] // PITCH - cell // PITCH)
        columns = abs(s[start + CELL] % PITCH - cell % PITCH)
        if rows + columns <= _NEAR:
            return True
        if _is_hit(s[start + CELL], cell, s[AGENT + 5 * seat + STRENGTH] - 1):
            return True
    for move in range(1, 5):  # noqa: SIM110  # numba knows no any() of a generator
        if s[BOARD + cell + DELTA[move]] == WOOD:
            return True
    return False


@compiled
def decide(s: Ints, options: Ints, scratch: Ints, rng: Seeds, seat: int, keen: int) -> int:
    """The move of a living seat.

    Args:
        s: The state.
        options: The options.
        scratch: Filled by `survey`.
        rng: uint64[1].
        seat: The seat.
        keen: The percentage of sensible bombs that it lays.
    """
    start = AGENT + 5 * seat
    cell = s[start + CELL]
    is_safe = scratch[FUSE + cell] == SAFE
    bomb, reach = -1, 0
    if is_safe:
        is_keen = s[start + AMMO] > 0 and draw(rng, 100) < keen
        if not (is_keen and _is_target_near(s, options, seat)):
            return _wander(s, scratch, rng, cell)
        bomb, reach = cell, s[start + STRENGTH] - 1
    # One call for both cases, because each inlined call lengthens compilation.
    move = escape(s, scratch, rng, cell, bomb, reach)
    if move < 0:
        return _wander(s, scratch, rng, cell)
    return LAY if is_safe else move


@compiled
def _wander(s: Ints, scratch: Ints, rng: Seeds, cell: int) -> int:
    """A random walk with the least danger, preferring an adjacent power-up."""
    best, most, equals = STOP, 0, 0
    for move in range(5):
        there = cell + DELTA[move]
        if (move != STOP and scratch[BUSY + there]) or _burns(s, scratch, there, 1):
            continue
        worth = 2 * scratch[FUSE + there] + (s[BOARD + there] > WOOD)
        if worth > most:
            best, most, equals = move, worth, 1
        elif worth == most:
            equals += 1
            if draw(rng, equals) == 0:
                best = move
    return best
