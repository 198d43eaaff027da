"""Compiled outcomes: `rules.outcome.final_returns`."""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.fast import Ints, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    FALLEN,
    LAST,
    PLAYERS,
    SEATS,
    STEP,
    TEAMS,
)

RUNNING: Final = -1
"""The outcome of a running game; others are the winners' seats as bits, or one of these two."""
NOBODY: Final = 0
"""A tie that counts -1 for all."""
EVEN: Final = 16
"""A duel in which both died at once, with return 0 for both."""


@compiled
def outcome(s: Ints, options: Ints) -> int:
    """The outcome of a game; see `rules.outcome.final_returns`.

    Returns:
        `RUNNING`, `NOBODY`, `EVEN`, or the winners' seats as bits.
    """
    alive = 0
    for seat in range(SEATS):
        alive |= s[AGENT + 5 * seat + ALIVE] << seat
    found = _outcome(alive | s[FALLEN], s[STEP] >= options[LAST], options)
    if found == RUNNING and not alive:
        return _outcome(alive, False, options)
    return found


@compiled
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


def returns_of(found: int, seats: int) -> tuple[float, ...]:
    """The final returns for an outcome other than `RUNNING`."""
    if found == EVEN:
        return (0.0,) * seats
    return tuple(1.0 if found >> seat & 1 else -1.0 for seat in range(seats))
