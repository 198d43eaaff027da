"""How agents move in a playout, compiled: they flee, seldom bomb, else wander, all in haste.

Much like `simple`, but cheaper: what burns is known from the fuses as they stand, and bombs that
roll are taken to lie.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.pommerman.board import BOMB as LAY
from boardgames_cli.games.pommerman.board import STOP, WOOD
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
from boardgames_cli.games.pommerman.fast.jit import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.movement import is_wall

# Where things are in the policy's working memory.
FUSE: Final = 0
"""In how many steps each cell burns; `SAFE` if it doesn't."""
BUSY: Final = CELLS
"""Where nobody can go: walls, bombs and agents."""
SEEN: Final = 2 * CELLS
"""The search that has seen a cell last, and after it its number."""
QUEUE: Final = 3 * CELLS + 1
"""Three numbers for each cell to be looked at: cell, steps, first move."""
FUSES: Final = QUEUE + 3 * CELLS
"""The fuse of each bomb, shortened by those that set it off."""
SCRATCH_LENGTH: Final = FUSES + MOST

SAFE: Final = 99
_FLAMES: Final = 2
"""Steps, after that of the explosion, in which a cell burns."""
_DEEP: Final = 9
_NEAR: Final = 2


@compiled
def survey(s: Ints, scratch: Ints) -> None:
    """Work out where and when it burns, and where nobody can go.

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
    """Whether a cell is in flames at the end of the step that comes as the ``step``-th."""
    fuse = scratch[FUSE + cell]
    return bool(fuse <= step <= fuse + _FLAMES or s[FLAME + cell] >> step)


@compiled
def _is_hit(cell: int, bomb: int, reach: int) -> bool:
    """Whether a bomb would reach a cell if no wall shielded it."""
    if bomb < 0:
        return False
    row, column = cell // PITCH - bomb // PITCH, cell % PITCH - bomb % PITCH
    return (row == 0 and abs(column) <= reach) or (column == 0 and abs(row) <= reach)


@compiled
def escape(s: Ints, scratch: Ints, rng: Seeds, cell: int, bomb: int, reach: int) -> int:
    """The first move of a shortest way to a place where nothing will burn.

    Args:
        s: The state.
        scratch: What `survey` has filled.
        rng: Shuffles the directions.
        cell: Where the way begins.
        bomb: The cell of one more bomb, just laid; -1 for none.
        reach: How far that one reaches.

    Returns:
        The move, or -1 if there is no way.
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
    """Whether a bomb here would threaten an enemy or burn a wall beside."""
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
        scratch: What `survey` has filled.
        rng: uint64[1].
        seat: Who moves.
        keen: In how many cases of a hundred it bombs where a bomb makes sense.
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
    # One call for both: every one more makes compiling longer.
    move = escape(s, scratch, rng, cell, bomb, reach)
    if move < 0:
        return _wander(s, scratch, rng, cell)
    return LAY if is_safe else move


@compiled
def _wander(s: Ints, scratch: Ints, rng: Seeds, cell: int) -> int:
    """A random walk that is as little in danger as can be; towards a power-up beside."""
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
