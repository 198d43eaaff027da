"""Compiled rollouts and whole games from a position: a policy for all agents, and its foresight.

By the policy agents flee, sometimes bomb, otherwise wander. It is similar to `simple`, but faster:
burning is computed from the current fuses, and rolling bombs are treated as lying.

In the foresight, of what burns and blocks in the next steps and where an agent can survive, the
rules themselves are played on with all agents standing still, so that rolling bombs, chain
reactions, burning wood and the collapse are exact. Backwards from the last step it follows from
which cells an agent can still walk or wait unburnt. Other agents block their cells for two steps.

``s``, ``options`` and ``work`` are those of `step`, ``scratch`` is int32[`SCRATCH_LENGTH`].
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boardgames_cli.algorithms.fast.jit import draw
from boardgames_cli.games.pommerman.board import BOMB as LAY
from boardgames_cli.games.pommerman.board import BOMB_LIFE, RIGID, STOP, WOOD
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
    FIRES,
    FLAME,
    KICKS,
    LENGTH,
    LIFE,
    MOST,
    PITCH,
    RINGS,
    SCHEDULE,
    SEATS,
    STEP,
    STRENGTH,
    TEAMS,
    copy_state,
)
from boardgames_cli.games.pommerman.fast.step import (
    EVEN,
    NOBODY,
    RUNNING,
    WORK_LENGTH,
    bomb_lies,
    is_wall,
    outcome,
    play_step,
)

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
    """Compute where and when it burns (`FUSE`), and which cells are blocked (`BUSY`)."""
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


@compiled.inline
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
    fuse = scratch[FUSE + cell]
    return bool(fuse <= step <= fuse + _FLAMES or s[FLAME + cell] >> step)


@compiled
def _is_hit(cell: int, bomb: int, reach: int) -> bool:
    if bomb < 0:
        return False
    row, column = cell // PITCH - bomb // PITCH, cell % PITCH - bomb % PITCH
    return (row == 0 and abs(column) <= reach) or (column == 0 and abs(row) <= reach)


@compiled
def escape(s: Ints, scratch: Ints, rng: Seeds, cell: int, bomb: int, reach: int) -> int:
    """The first move of a shortest path to a safe cell, or -1 if there is none.

    One more bomb is just laid on a cell, or on none (-1), with that reach.
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
    cell = s[AGENT + 5 * seat + CELL]
    for other in range(SEATS):
        start = AGENT + 5 * other
        if other == seat or not s[start + ALIVE] or (options[TEAMS] and (other - seat) % 2 == 0):
            continue
        rows = abs(s[start + CELL] // PITCH - cell // PITCH)
        columns = abs(s[start + CELL] % PITCH - cell % PITCH)
        if rows + columns <= _NEAR:
            return True
        if _is_hit(s[start + CELL], int(cell), s[AGENT + 5 * seat + STRENGTH] - 1):
            return True
    for move in range(1, 5):  # noqa: SIM110  # numba knows no any() of a generator
        if s[BOARD + cell + DELTA[move]] == WOOD:
            return True
    return False


@compiled
def decide(s: Ints, options: Ints, scratch: Ints, rng: Seeds, seat: int, keen: int) -> int:
    """The move of a living seat after a `survey`; it lays so many percent of sensible bombs."""
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
    """Fill the memory from `make_ahead` for a position."""
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
    """The wanted move if it keeps a way out; else the one with the most ways on; else a kick.

    It gives way to others once in `yields` steps; 0 is never.
    """
    cell = s[AGENT + 5 * seat + CELL]
    wanted = _target(ahead, cell, int(move))
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


# Offsets in the memory of a rollout, which starts with the state.
MOVES: Final = LENGTH
WORK: Final = MOVES + SEATS
SCRATCH: Final = WORK + WORK_LENGTH
ROOM_LENGTH: Final = SCRATCH + SCRATCH_LENGTH


def make_room() -> Ints:
    """Allocate the memory of a rollout, int32[`ROOM_LENGTH`]; it can be reused."""
    return np.zeros(ROOM_LENGTH, dtype=np.int32)


# The counts of `play_to_end`.
WON: Final = 0
"""Offset of the games won by each seat, alone or with its teammate."""
LIVED: Final = SEATS
"""Offset of the games in which each seat was alive at the horizon or the earlier end."""
TIED: Final = 2 * SEATS
"""Offset of the games without a winner."""
EVENED: Final = TIED + 1
"""Offset of the duels in which both died at once."""
COUNTS: Final = EVENED + 1
GIVE_WAY: Final = 3
"""Of two agents that want the same cell, each gives way in one step of so many."""
_HASTY: Final = np.zeros(0, dtype=np.int32)


class PlayoutPlan(NamedTuple):
    """How games are played by `play_to_end`."""

    horizon: int
    """The step at which survivors are counted."""
    is_whole: bool = False
    """Whether games are played to the end; otherwise to the horizon."""
    ahead: Ints = _HASTY
    """From `make_ahead`: all seats keep a way out if there is one; an empty array leaves that to
    the policy, which is much faster and dies more often."""
    peaceful: int = -1
    """A seat that lays no bombs; -1 for none."""
    yields: int = 0
    """How that seat gives way to others; see `careful`."""
    watched: int = -1
    """A seat whose death ends a game; -1 for none."""


@compiled
def play_to_end(
    root: Ints,
    room: Ints,
    options: Ints,
    rng: Seeds,
    counts: Ints,
    first: Ints,
    games: int,
    plan: PlayoutPlan,
) -> None:
    """Play several games from a position, with the policy for all agents.

    Args:
        root: The position, int32[`arrays.LENGTH`]; not changed.
        room: From `make_room`.
        options: From `arrays.pack_options`.
        rng: uint64[1].
        counts: int32[`COUNTS`], added to.
        first: int32[`SEATS`], the first move of each seat; -1 leaves it to the policy.
        games: The number of games.
        plan: How they are played.
    """
    s, moves = room[:MOVES], room[MOVES:WORK]
    work, scratch = room[WORK:SCRATCH], room[SCRATCH:]
    horizon, ahead, watched = plan.horizon, plan.ahead, plan.watched
    for _ in range(games):
        copy_state(s, root)
        step = 0
        found = outcome(s, options)
        while found == RUNNING and (plan.is_whole or step < horizon):
            survey(s, scratch)
            is_careful = len(ahead) > 0 and not is_calm(s, options)
            if is_careful:
                foresee(s, options, ahead)
            for seat in range(SEATS):
                moves[seat] = 0
                if s[AGENT + 5 * seat + ALIVE]:
                    rate = 0 if seat == plan.peaceful else KEEN
                    moves[seat] = decide(s, options, scratch, rng, seat, rate)
                    if is_careful:
                        way = plan.yields if seat == plan.peaceful else GIVE_WAY
                        moves[seat] = careful(s, ahead, rng, seat, moves[seat], way)
                    if step == 0 and first[seat] >= 0:
                        moves[seat] = first[seat]
            play_step(s, moves, options, work)
            step += 1
            found = outcome(s, options)
            if step == horizon:
                _count_living(counts, s)
            if watched >= 0 and not s[AGENT + 5 * watched + ALIVE]:
                break
        if step < horizon:
            _count_living(counts, s)
        _count_end(counts, found)


@compiled
def _count_living(counts: Ints, s: Ints) -> None:
    for seat in range(SEATS):
        counts[LIVED + seat] += s[AGENT + 5 * seat + ALIVE]


@compiled
def _count_end(counts: Ints, found: int) -> None:
    if found == NOBODY:
        counts[TIED] += 1
    elif found == EVEN:
        counts[EVENED] += 1
    elif found != RUNNING:
        for seat in range(SEATS):
            counts[WON + seat] += found >> seat & 1
