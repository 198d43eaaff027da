"""Compiled rollouts and whole games from a position, with the policy for all agents."""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    LENGTH,
    SEATS,
    TEAMS,
    copy_state,
)
from boardgames_cli.games.pommerman.fast.foresight import careful, foresee, is_calm
from boardgames_cli.games.pommerman.fast.movement import WORK_LENGTH
from boardgames_cli.games.pommerman.fast.outcome import EVEN, NOBODY, RUNNING, outcome
from boardgames_cli.games.pommerman.fast.policy import KEEN, SCRATCH_LENGTH, decide, survey
from boardgames_cli.games.pommerman.fast.step import play_step

# Offsets in the memory of a rollout, which starts with the state.
MOVES: Final = LENGTH
WORK: Final = MOVES + SEATS
SCRATCH: Final = WORK + WORK_LENGTH
ROOM_LENGTH: Final = SCRATCH + SCRATCH_LENGTH

# The counts of `play_out`.
SURVIVED, RIVALS, MATES = range(3)
TALLIES: Final = 3


def make_room() -> Ints:
    """Allocate the memory of a rollout, int32[`ROOM_LENGTH`]; it can be reused."""
    return np.zeros(ROOM_LENGTH, dtype=np.int32)


@compiled
def play_out(
    root: Ints,
    room: Ints,
    options: Ints,
    rng: Seeds,
    tally: Ints,
    seat: int,
    first: int,
    count: int,
    horizon: int,
) -> None:
    """Play several rollouts from a position, with the policy for all agents.

    Args:
        root: The position, int32[`arrays.LENGTH`]; not changed.
        room: From `make_room`.
        options: From `arrays.pack_options`.
        rng: From `make_seed`.
        tally: int32[`TALLIES`], added to: rollouts that the seat survived, deaths of rivals, and
            deaths of the teammate.
        seat: The seat whose first move is given.
        first: The first move.
        count: The number of rollouts.
        horizon: The maximum number of steps.
    """
    s, moves = room[:MOVES], room[MOVES:WORK]
    work, scratch = room[WORK:SCRATCH], room[SCRATCH:]
    for _ in range(count):
        copy_state(s, root)
        for step in range(horizon):
            survey(s, scratch)
            for other in range(SEATS):
                moves[other] = 0
                if s[AGENT + 5 * other + ALIVE]:
                    moves[other] = decide(s, options, scratch, rng, other, KEEN)
            if step == 0:
                moves[seat] = first
            play_step(s, moves, options, work)
            if not s[AGENT + 5 * seat + ALIVE] or outcome(s, options) != RUNNING:
                break
        _count(root, s, options, tally, seat)


@compiled
def _count(root: Ints, s: Ints, options: Ints, tally: Ints, seat: int) -> None:
    tally[SURVIVED] += s[AGENT + 5 * seat + ALIVE]
    for other in range(SEATS):
        start = AGENT + 5 * other
        if other == seat or not root[start + ALIVE] or s[start + ALIVE]:
            continue
        is_mate = options[TEAMS] and (other - seat) % 2 == 0
        tally[MATES if is_mate else RIVALS] += 1


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


@compiled
def play_to_end(
    root: Ints,
    room: Ints,
    options: Ints,
    rng: Seeds,
    counts: Ints,
    first: Ints,
    games: int,
    horizon: int,
    is_whole: bool,
    ahead: Ints,
    peaceful: int,
    yields: int,
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
        horizon: The step at which survivors are counted.
        is_whole: Whether games are played to the end; otherwise to the horizon.
        ahead: From `foresight.make_ahead`: all seats keep a way out if there is one; an empty array
            leaves that to the policy, which is much faster and dies more often.
        peaceful: A seat that lays no bombs; -1 for none.
        yields: How that seat gives way to others; see `foresight.careful`.
    """
    s, moves = room[:MOVES], room[MOVES:WORK]
    work, scratch = room[WORK:SCRATCH], room[SCRATCH:]
    for _ in range(games):
        copy_state(s, root)
        step = 0
        found = outcome(s, options)
        while found == RUNNING and (is_whole or step < horizon):
            survey(s, scratch)
            is_careful = len(ahead) > 0 and not is_calm(s, options)
            if is_careful:
                foresee(s, options, ahead)
            for seat in range(SEATS):
                moves[seat] = 0
                if s[AGENT + 5 * seat + ALIVE]:
                    rate = 0 if seat == peaceful else KEEN
                    moves[seat] = decide(s, options, scratch, rng, seat, rate)
                    if is_careful:
                        way = yields if seat == peaceful else GIVE_WAY
                        moves[seat] = careful(s, ahead, rng, seat, moves[seat], way)
                    if step == 0 and first[seat] >= 0:
                        moves[seat] = first[seat]
            play_step(s, moves, options, work)
            step += 1
            found = outcome(s, options)
            if step == horizon:
                _count_living(counts, s)
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
