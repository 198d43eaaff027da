"""Compiled rollouts from a position, with the policy for all agents."""

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
from boardgames_cli.games.pommerman.fast.movement import WORK_LENGTH
from boardgames_cli.games.pommerman.fast.outcome import RUNNING, outcome
from boardgames_cli.games.pommerman.fast.policy import SCRATCH_LENGTH, decide, survey
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
    keen: int,
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
        keen: The bombing rate of the policy; see `policy.decide`.
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
                    moves[other] = decide(s, options, scratch, rng, other, keen)
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
