"""Compiled movement: `rules.movement.settle` on flat arrays.

The order is that of `rules.movement`: wishes, swaps, crowding, contact and kicks, late collisions.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.board import RIGID, WOOD
from boardgames_cli.games.pommerman.fast import Ints, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    CELLS,
    DELTA,
    DIRECTION,
    ITEMS_BLOCK,
    KICKS,
    MOST,
    SEATS,
)

# Offsets in the scratch memory, whose content is not kept between steps.
AGENT_CLAIMS: Final = 0
"""The number of agents that claim each cell; claims are never withdrawn."""
BOMB_CLAIMS: Final = CELLS
WISH: Final = 2 * CELLS
"""The target cell of each seat."""
ROLL: Final = WISH + SEATS
"""The target cell of each bomb."""
KICKER: Final = ROLL + MOST
"""The seat that kicks each bomb, or -1."""
CONTACT: Final = KICKER + MOST
"""The result of contact for each bomb: one of the following, or the cell it is kicked to."""
NOTHING, BOMB_BACK, BOTH_BACK = -1, -2, -3
WORK_LENGTH: Final = CONTACT + 2 * MOST


@compiled
def is_wall(s: Ints, cell: int) -> bool:
    """Whether a cell is impassable."""
    kind = s[BOARD + cell]
    return bool(kind in (RIGID, WOOD))


@compiled
def _stops_bomb(s: Ints, options: Ints, cell: int) -> bool:
    kind = s[BOARD + cell]
    return bool(kind != 0 and (kind <= WOOD or options[ITEMS_BLOCK] != 0))


@compiled
def settle(s: Ints, moves: Ints, options: Ints, work: Ints) -> None:
    """Compute the agents' new cells, and move the bombs.

    Args:
        s: The state; bombs are moved, agents not yet.
        moves: int32[4], the move of every seat.
        options: The options.
        work: int32[`WORK_LENGTH`]; afterwards the agents' cells are at `WISH`.
    """
    for seat in range(SEATS):
        cell = s[AGENT + 5 * seat + CELL]
        work[WISH + seat] = cell
        if s[AGENT + 5 * seat + ALIVE]:
            target = cell + DELTA[moves[seat]]
            if not is_wall(s, target):
                work[WISH + seat] = target
    if _is_plain(s, work):
        return
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        target = s[at + CELL] + DELTA[s[at + DIRECTION]]
        work[ROLL + number] = s[at + CELL] if _stops_bomb(s, options, target) else target
        work[KICKER + number] = -1
    _undo_swaps(s, work)
    _claim(s, work)
    while _thin_crowds(s, work):
        pass
    _make_contact(s, moves, options, work)
    while _stop_late_movers(s, work):
        pass
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        if work[KICKER + number] >= 0:
            s[at + DIRECTION] = moves[work[KICKER + number]]
        elif work[ROLL + number] == s[at + CELL]:
            s[at + DIRECTION] = 0
        s[at + CELL] = work[ROLL + number]


@compiled
def _is_plain(s: Ints, work: Ints) -> bool:
    """Whether all wishes can be granted: nothing rolls, nobody meets."""
    for number in range(s[BOMBS]):
        if s[BOMB + 5 * number + DIRECTION]:
            return False
    for seat in range(SEATS):
        if not s[AGENT + 5 * seat + ALIVE]:
            continue
        cell, target = s[AGENT + 5 * seat + CELL], work[WISH + seat]
        for other in range(seat):
            if not s[AGENT + 5 * other + ALIVE]:
                continue
            if work[WISH + other] == target:
                return False
            if work[WISH + other] == cell and s[AGENT + 5 * other + CELL] == target:
                return False
        if target != cell:
            for number in range(s[BOMBS]):
                if s[BOMB + 5 * number + CELL] == target:
                    return False
    return True


@compiled
def _undo_swaps(s: Ints, work: Ints) -> None:
    """Undo swaps of cells; bombs consider the agents' first wishes."""
    bombs_back = work[CONTACT : CONTACT + s[BOMBS]]
    bombs_back[:] = 0
    for number in range(s[BOMBS]):
        cell, target = s[BOMB + 5 * number + CELL], work[ROLL + number]
        if target == cell:
            continue
        for other in range(s[BOMBS]):
            if s[BOMB + 5 * other + CELL] == target and work[ROLL + other] == cell:
                bombs_back[number] = 1
        for seat in range(SEATS):
            start = AGENT + 5 * seat
            if s[start + ALIVE] and s[start + CELL] == target and work[WISH + seat] == cell:
                bombs_back[number] = 1
    for seat in range(SEATS):
        for other in range(seat):
            cell, others = s[AGENT + 5 * seat + CELL], s[AGENT + 5 * other + CELL]
            if not (s[AGENT + 5 * seat + ALIVE] and s[AGENT + 5 * other + ALIVE]):
                continue
            if work[WISH + seat] == others and work[WISH + other] == cell:
                work[WISH + seat], work[WISH + other] = cell, others
    for number in range(s[BOMBS]):
        if bombs_back[number]:
            work[ROLL + number] = s[BOMB + 5 * number + CELL]


@compiled
def _claim(s: Ints, work: Ints) -> None:
    work[: 2 * CELLS] = 0
    for seat in range(SEATS):
        if s[AGENT + 5 * seat + ALIVE]:
            work[AGENT_CLAIMS + work[WISH + seat]] += 1
    for number in range(s[BOMBS]):
        work[BOMB_CLAIMS + work[ROLL + number]] += 1


@compiled
def _send_agent_back(s: Ints, work: Ints, seat: int) -> None:
    cell = s[AGENT + 5 * seat + CELL]
    work[WISH + seat] = cell
    work[AGENT_CLAIMS + cell] += 1


@compiled
def _send_bomb_back(s: Ints, work: Ints, number: int) -> None:
    cell = s[BOMB + 5 * number + CELL]
    work[ROLL + number] = cell
    work[BOMB_CLAIMS + cell] += 1


@compiled
def _is_leaving(s: Ints, work: Ints, seat: int) -> bool:
    start = AGENT + 5 * seat
    return bool(s[start + ALIVE] and work[WISH + seat] != s[start + CELL])


@compiled
def _thin_crowds(s: Ints, work: Ints) -> bool:
    """Send back everything that wants a crowded cell; whether there was any."""
    changed = False
    for seat in range(SEATS):
        target = work[WISH + seat]
        crowd = max(work[AGENT_CLAIMS + target], work[BOMB_CLAIMS + target])
        if crowd > 1 and _is_leaving(s, work, seat):
            _send_agent_back(s, work, seat)
            changed = True
    for number in range(s[BOMBS]):
        target = work[ROLL + number]
        crowd = max(work[AGENT_CLAIMS + target], work[BOMB_CLAIMS + target])
        if crowd > 1 and target != s[BOMB + 5 * number + CELL]:
            _send_bomb_back(s, work, number)
            changed = True
    return changed


@compiled
def _who_wants(s: Ints, work: Ints, cell: int) -> int:
    for seat in range(SEATS):
        if s[AGENT + 5 * seat + ALIVE] and work[WISH + seat] == cell:
            return seat
    return -1


@compiled
def _contact_result(s: Ints, moves: Ints, options: Ints, work: Ints, number: int) -> int:
    """The result of contact between a bomb and an agent: see `CONTACT`."""
    cell = work[ROLL + number]
    seat = _who_wants(s, work, cell)
    if seat < 0:
        return NOTHING
    if not _is_leaving(s, work, seat):
        return BOMB_BACK if cell != s[BOMB + 5 * number + CELL] else NOTHING
    if not s[AGENT + 5 * seat + KICKS]:
        return BOTH_BACK
    target = int(cell + DELTA[moves[seat]])
    if _stops_bomb(s, options, target):
        return BOTH_BACK
    if work[AGENT_CLAIMS + target] or work[BOMB_CLAIMS + target]:
        return BOTH_BACK
    return target


@compiled
def _make_contact(s: Ints, moves: Ints, options: Ints, work: Ints) -> None:
    """Let agents kick or hit bombs; all results are decided before any takes effect."""
    for number in range(s[BOMBS]):
        work[CONTACT + number] = _contact_result(s, moves, options, work, number)
        work[CONTACT + MOST + number] = _who_wants(s, work, work[ROLL + number])
    # A bomb sent back to a cell from which another is kicked keeps its claim: clear cells first.
    for number in range(s[BOMBS]):
        if work[CONTACT + number] >= 0:
            work[BOMB_CLAIMS + work[ROLL + number]] = 0
            work[ROLL + number] = work[CONTACT + number]
            work[KICKER + number] = work[CONTACT + MOST + number]
    for number in range(s[BOMBS]):
        what = work[CONTACT + number]
        if what == BOTH_BACK:
            _send_agent_back(s, work, work[CONTACT + MOST + number])
        if what in (BOTH_BACK, BOMB_BACK):
            _send_bomb_back(s, work, number)
    for number in range(s[BOMBS]):
        if work[CONTACT + number] >= 0:
            work[BOMB_CLAIMS + work[CONTACT + number]] += 1


@compiled
def _stop_late_movers(s: Ints, work: Ints) -> bool:
    """Send back agents that collide only now, and undo their kicks; whether there were any."""
    changed = False
    for seat in range(SEATS):
        target = work[WISH + seat]
        if not _is_leaving(s, work, seat):
            continue
        if work[AGENT_CLAIMS + target] > 1 or work[BOMB_CLAIMS + target]:
            _send_agent_back(s, work, seat)
            for number in range(s[BOMBS]):
                if work[KICKER + number] == seat:
                    work[KICKER + number] = -1
                    _send_bomb_back(s, work, number)
            changed = True
    for number in range(s[BOMBS]):
        target, kicker = work[ROLL + number], work[KICKER + number]
        if target == s[BOMB + 5 * number + CELL] and kicker < 0:
            continue
        if work[BOMB_CLAIMS + target] > 1 or work[AGENT_CLAIMS + target]:
            _send_bomb_back(s, work, number)
            if kicker >= 0:
                work[KICKER + number] = -1
                _send_agent_back(s, work, kicker)
            changed = True
    return changed
