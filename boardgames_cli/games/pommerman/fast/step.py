"""A compiled step, and its outcome: `rules.step`, in the same order, on flat arrays.

``s`` is a state and ``options`` are those of `arrays`; ``moves``, int32[4], has the move of every
seat, and ``work``, int32[`WORK_LENGTH`], is not kept between steps.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.board import BOMB as LAY
from boardgames_cli.games.pommerman.board import (
    BOMB_LIFE,
    EXTRA_BOMB,
    EXTRA_RANGE,
    FLAME_LIFE,
    KICK,
    RIGID,
    WOOD,
)
from boardgames_cli.games.pommerman.fast import Ints, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    AMMO,
    AMMO_CAP,
    BLAST,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    CELLS,
    DELTA,
    DIRECTION,
    FALLEN,
    FIRE,
    FIRES,
    FLAME,
    HIDDEN,
    ITEMS_BLOCK,
    KICKS,
    LAST,
    LIFE,
    MOST,
    OWNER,
    PITCH,
    PLAYERS,
    RINGS,
    SCHEDULE,
    SEATS,
    SIZE,
    STEP,
    STRENGTH,
    STRENGTH_CAP,
    TEAMS,
)

# Offsets in the scratch memory, whose content is not kept between steps.
AGENT_CLAIMS: Final = 0
"""The number of agents that claim each cell; claims are never withdrawn."""
BOMB_CLAIMS: Final = CELLS
WISH: Final = 2 * CELLS
ROLL: Final = WISH + SEATS
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
    """Compute the agents' new cells, left at `WISH`, and move the bombs."""
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
            _send_agent_back(s, work, int(work[CONTACT + MOST + number]))
        if what in (BOTH_BACK, BOMB_BACK):
            _send_bomb_back(s, work, number)
    for number in range(s[BOMBS]):
        if work[CONTACT + number] >= 0:
            work[BOMB_CLAIMS + work[CONTACT + number]] += 1


@compiled
def _stop_late_movers(s: Ints, work: Ints) -> bool:
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
                _send_agent_back(s, work, int(kicker))
            changed = True
    return changed


_YOUNGEST: Final = 1 << FLAME_LIFE
_GONE: Final = -1


@compiled
def play_step(s: Ints, moves: Ints, options: Ints, work: Ints) -> None:
    """Play a step in place, the collapse included; the moves of the dead are ignored."""
    s[FALLEN] = 0
    _age_flames(s)
    for seat in range(SEATS):
        if moves[seat] == LAY:
            _lay(s, seat)
    settle(s, moves, options, work)
    for seat in range(SEATS):
        _walk(s, options, seat, work[WISH + seat])
    _burn(s, options, work)
    for seat in range(SEATS):
        if s[FLAME + s[AGENT + 5 * seat + CELL]]:
            s[AGENT + 5 * seat + ALIVE] = 0
    s[STEP] += 1
    for depth in range(options[RINGS]):
        if s[STEP] == options[SCHEDULE + depth]:
            _collapse(s, options, depth)


@compiled
def _age_flames(s: Ints) -> None:
    kept = 0
    for number in range(s[FIRES]):
        cell = s[FIRE + number]
        lives = s[FLAME + cell]
        if lives & 1:
            if lives == 1 and s[HIDDEN + cell]:
                s[BOARD + cell] = s[HIDDEN + cell]
            s[HIDDEN + cell] = 0
        s[FLAME + cell] = lives >> 1
        if lives > 1:
            s[FIRE + kept] = cell
            kept += 1
    s[FIRES] = kept


@compiled
def bomb_lies(s: Ints, cell: int) -> bool:
    """Whether there is a bomb on a cell."""
    for number in range(s[BOMBS]):  # noqa: SIM110  # any() of a generator is nothing numba knows
        if s[BOMB + 5 * number + CELL] == cell:
            return True
    return False


@compiled
def _lay(s: Ints, seat: int) -> None:
    start = AGENT + 5 * seat
    if not s[start + ALIVE] or s[start + AMMO] <= 0 or bomb_lies(s, int(s[start + CELL])):
        return
    s[start + AMMO] -= 1
    at = BOMB + 5 * s[BOMBS]
    s[at + CELL] = s[start + CELL]
    s[at + LIFE] = BOMB_LIFE
    s[at + BLAST] = s[start + STRENGTH]
    s[at + OWNER] = seat
    s[at + DIRECTION] = 0
    s[BOMBS] += 1


@compiled
def _walk(s: Ints, options: Ints, seat: int, target: int) -> None:
    start = AGENT + 5 * seat
    if s[start + CELL] == target:
        return
    s[start + CELL] = target
    kind = s[BOARD + target]
    if kind == EXTRA_BOMB:
        s[start + AMMO] += s[start + AMMO] < options[AMMO_CAP]
    elif kind == EXTRA_RANGE:
        s[start + STRENGTH] += s[start + STRENGTH] < options[STRENGTH_CAP]
    elif kind == KICK:
        s[start + KICKS] = 1
    s[BOARD + target] = 0


@compiled
def _burn(s: Ints, options: Ints, work: Ints) -> None:
    going = 0
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        s[at + LIFE] -= 1
        if s[at + LIFE] <= 0 or s[FLAME + s[at + CELL]]:
            work[ROLL + going] = number
            going += 1
    if not going:
        return
    for index in range(going):
        s[BOMB + 5 * work[ROLL + index] + LIFE] = _GONE
    done = 0
    while done < going:
        at = BOMB + 5 * work[ROLL + done]
        done += 1
        _return_ammo(s, options, s[at + OWNER])
        _blast(s, int(s[at + CELL]), s[at + BLAST])
        for number in range(s[BOMBS]):
            other = BOMB + 5 * number
            if s[other + LIFE] != _GONE and s[FLAME + s[other + CELL]] & _YOUNGEST:
                s[other + LIFE] = _GONE
                work[ROLL + going] = number
                going += 1
    _drop_gone(s)
    # Only now, because wood shields what is behind it from all bombs of the step.
    for number in range(s[FIRES]):
        if s[FLAME + s[FIRE + number]] & _YOUNGEST:
            s[BOARD + s[FIRE + number]] = 0


@compiled
def _return_ammo(s: Ints, options: Ints, seat: int) -> None:
    ammo = AGENT + 5 * seat + AMMO
    s[ammo] += s[ammo] < options[AMMO_CAP]


@compiled
def _hit(s: Ints, cell: int) -> None:
    if not s[FLAME + cell]:
        s[FIRE + s[FIRES]] = cell
        s[FIRES] += 1
    s[FLAME + cell] |= _YOUNGEST


@compiled
def _blast(s: Ints, cell: int, strength: int) -> None:
    _hit(s, cell)
    for move in range(1, 5):
        other = cell
        for _ in range(strength - 1):
            other += DELTA[move]
            kind = s[BOARD + other]
            if kind == RIGID:
                break
            _hit(s, other)
            if kind == WOOD:
                break


@compiled
def _drop_gone(s: Ints) -> None:
    kept = 0
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        if s[at + LIFE] == _GONE:
            continue
        if kept < number:
            for field in range(5):
                s[BOMB + 5 * kept + field] = s[at + field]
        kept += 1
    s[BOMBS] = kept


@compiled
def _collapse(s: Ints, options: Ints, depth: int) -> None:
    low, high = depth + 1, options[SIZE] - depth
    for row in range(low, high + 1):
        for column in range(low, high + 1):
            if row in (low, high) or column in (low, high):
                cell = row * PITCH + column
                s[BOARD + cell] = RIGID
                s[HIDDEN + cell] = 0
                s[FLAME + cell] = 0
    kept = 0
    for number in range(s[FIRES]):
        if s[FLAME + s[FIRE + number]]:
            s[FIRE + kept] = s[FIRE + number]
            kept += 1
    s[FIRES] = kept
    for number in range(s[BOMBS]):
        at = BOMB + 5 * number
        if s[BOARD + s[at + CELL]] == RIGID:
            s[at + LIFE] = _GONE
            _return_ammo(s, options, s[at + OWNER])
    _drop_gone(s)
    for seat in range(SEATS):
        start = AGENT + 5 * seat
        if s[start + ALIVE] and s[BOARD + s[start + CELL]] == RIGID:
            s[start + ALIVE] = 0
            s[FALLEN] |= 1 << seat


RUNNING: Final = -1
"""The outcome of a running game; others are the winners' seats as bits, or one of these two."""
NOBODY: Final = 0
"""A tie that counts -1 for all."""
EVEN: Final = 16
"""A duel in which both died at once, with return 0 for both."""


@compiled
def outcome(s: Ints, options: Ints) -> int:
    """`RUNNING`, `NOBODY`, `EVEN` or the winners' seats as bits; `rules.step.final_returns`."""
    alive = 0
    for seat in range(SEATS):
        alive |= s[AGENT + 5 * seat + ALIVE] << seat
    found = _outcome(alive | s[FALLEN], s[STEP] >= options[LAST], options)
    if found == RUNNING and not alive:
        return _outcome(alive, False, options)
    return found


@compiled.inline
def _outcome(alive: int, is_last: bool, options: Ints) -> int:
    if options[TEAMS]:
        sides = (alive & 5 != 0, alive & 10 != 0)
        if sides[0] and sides[1] and not is_last:
            return RUNNING
        if sides[0] == sides[1]:
            return NOBODY
        return 5 if sides[0] else 10
    if alive and not alive & alive - 1:
        return alive
    if is_last:
        return NOBODY
    if alive:
        return RUNNING
    return NOBODY if options[PLAYERS] == SEATS else EVEN
