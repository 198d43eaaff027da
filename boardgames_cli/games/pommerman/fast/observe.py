"""Compiled observations: `encode.PommermanEncoder` after `redact`.

A row holds all fields of the encoder, concatenated, as int8. The number of the step does not fit
and is returned separately; its place in the row is undefined.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.board import EXTRA_BOMB, UNKNOWN
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    AMMO,
    BLAST,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    DIRECTION,
    FALLEN,
    FIRE,
    FIRES,
    FLAME,
    KICKS,
    LIFE,
    OWNER,
    PITCH,
    PLAYERS,
    SIZE,
    STEP,
    STRENGTH,
    TEAMS,
)
from boardgames_cli.games.pommerman.fast.jit import Bytes, Ints, compiled

_POWERS: Final = 2
"""The layer of the first kind of power-up, after walls and wood."""
_FLAMES: Final = 5
_FOG: Final = 8
_STANDING: Final = 9
"""The layer of the first agent, followed by the others."""
_STATS: Final = 6
"""Numbers of each agent."""
_BOMB_LAYERS: Final = 4


@compiled
def observe_all(
    states: Ints, options: Ints, seats: Ints, view: int, rows: Bytes, steps: Ints
) -> None:
    """The observation of one seat of each board.

    Args:
        states: int32[boards, `arrays.LENGTH`].
        options: From `arrays.pack_options`.
        seats: int32[boards]: the viewers' seats.
        view: The radius of view in the fog of the team modes.
        rows: int8[boards, numbers], overwritten.
        steps: int32[boards], overwritten: the number of the step.
    """
    for number in range(len(states)):
        row = rows[number]
        row[:] = 0
        _see(states[number], options, seats[number], view, row)
        steps[number] = states[number, STEP]


@compiled
def _see(s: Ints, options: Ints, seat: int, view: int, row: Bytes) -> None:
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    own = s[AGENT + 5 * seat + CELL]
    top, left, bottom, right = 0, 0, size - 1, size - 1
    if options[TEAMS]:
        top, bottom = max(0, own // PITCH - 1 - view), min(size - 1, own // PITCH - 1 + view)
        left, right = max(0, own % PITCH - 1 - view), min(size - 1, own % PITCH - 1 + view)
        row[_FOG * cells : (_FOG + 1) * cells] = 1
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            cell = y * size + x
            kind = s[BOARD + (y + 1) * PITCH + x + 1]
            if kind >= EXTRA_BOMB:
                row[(_POWERS + kind - EXTRA_BOMB) * cells + cell] = 1
            elif kind:
                row[(kind - 1) * cells + cell] = 1
            row[_FOG * cells + cell] = 0
    for number in range(s[FIRES]):
        place = s[FIRE + number]
        y, x = place // PITCH - 1, place % PITCH - 1
        if top <= y <= bottom and left <= x <= right:
            for life in range(3):
                lives = s[FLAME + place] >> life & 1
                row[(_FLAMES + life) * cells + y * size + x] = lives
    at = (_STANDING + players) * cells
    for number in range(s[BOMBS]):
        bomb = BOMB + 5 * number
        y, x = s[bomb + CELL] // PITCH - 1, s[bomb + CELL] % PITCH - 1
        if top <= y <= bottom and left <= x <= right:
            cell = at + y * size + x
            row[cell] = min(s[bomb + LIFE], cells)
            row[cell + cells] = min(s[bomb + BLAST], cells)
            row[cell + 2 * cells] = s[bomb + DIRECTION]
            owner = (s[bomb + OWNER] - seat) % players + 1
            row[cell + 3 * cells] = UNKNOWN if options[TEAMS] and owner > 1 else owner
    at += _BOMB_LAYERS * cells
    _see_agents(s, options, seat, (top, left, bottom, right), row, at)


@compiled
def _see_agents(
    s: Ints, options: Ints, seat: int, window: tuple[int, int, int, int], row: Bytes, at: int
) -> None:
    """Write the agents from an offset on; the window is the visible part."""
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    top, left, bottom, right = window
    for other in range(players):
        actor = (seat + other) % players
        start = AGENT + 5 * actor
        y, x = s[start + CELL] // PITCH - 1, s[start + CELL] % PITCH - 1
        is_seen = top <= y <= bottom and left <= x <= right
        if s[start + ALIVE] and is_seen:
            row[(_STANDING + other) * cells + y * size + x] = 1
        row[at] = y if is_seen else UNKNOWN
        row[at + 1] = x if is_seen else UNKNOWN
        row[at + 2] = s[start + ALIVE]
        row[at + 3] = UNKNOWN if other else min(s[start + AMMO], cells)
        row[at + 4] = UNKNOWN if other else min(s[start + STRENGTH], cells)
        row[at + 5] = UNKNOWN if other else s[start + KICKS]
        at += _STATS
    at += 1  # the step
    for other in range(players):
        row[at + other] = s[FALLEN] >> (seat + other) % players & 1
