"""A compiled step: `rules.step.play_step` and the collapse."""

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
    DELTA,
    DIRECTION,
    FALLEN,
    FIRE,
    FIRES,
    FLAME,
    HIDDEN,
    KICKS,
    LIFE,
    OWNER,
    PITCH,
    RINGS,
    SCHEDULE,
    SEATS,
    SIZE,
    STEP,
    STRENGTH,
    STRENGTH_CAP,
)
from boardgames_cli.games.pommerman.fast.movement import ROLL, WISH, settle

_YOUNGEST: Final = 1 << FLAME_LIFE
_GONE: Final = -1


@compiled
def play_step(s: Ints, moves: Ints, options: Ints, work: Ints) -> None:
    """Play a step in place, the collapse included.

    Args:
        s: The state, int32[`arrays.LENGTH`].
        moves: int32[4]: 0 to 5 for every seat; those of the dead are ignored.
        options: The options, from `arrays.pack_options`.
        work: int32[`movement.WORK_LENGTH`].
    """
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
    if not s[start + ALIVE] or s[start + AMMO] <= 0 or bomb_lies(s, s[start + CELL]):
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
    """Move an agent to its cell; if it moved, it takes the power-up there."""
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
    """Burn fuses, explode bombs in waves, and burn everything that is hit."""
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
        _blast(s, s[at + CELL], s[at + BLAST])
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
    """Hit the bomb's own cell and, each way, strength - 1 more; see `rules.explosions.blast`."""
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
    """Make a ring rigid; see `rules.collapse.collapse`."""
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
