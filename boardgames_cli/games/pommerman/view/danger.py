"""In how many steps each cell burns, if nobody does anything more."""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.games.pommerman.board import BOMB_LIFE, STOP, UNKNOWN, Mask, bits
from boardgames_cli.games.pommerman.rules.step import StepRules, play_step
from boardgames_cli.games.pommerman.state import PommermanState

HORIZON: Final = BOMB_LIFE


@functools.lru_cache(maxsize=8)
def fires(step_rules: StepRules, state: PommermanState, steps: int = HORIZON) -> tuple[Mask, ...]:
    """The cells in flames after each of the next steps, if everybody stops from now on.

    Bombs roll on, go off and set each other off; visible agents stand in their way. Works on
    redacted states too: what is in the fog is taken for free and empty. The last answers are kept,
    since one drawn board asks many times.

    Args:
        step_rules: The options in force.
        state: The state now, full or redacted.
        steps: How far to look.
    """
    state = _without_unknowns(state)
    moves = [STOP] * len(state.agents)
    found = []
    for _ in range(steps):
        state = play_step(step_rules, state, moves)
        found.append(state.burning)
    return tuple(found)


def burn_times(
    step_rules: StepRules, state: PommermanState, steps: int = HORIZON
) -> dict[int, int]:
    """For each cell that will burn the number of steps until it does; 1 is the very next step.

    A cell that burns now is listed with 1 if it still will after the next step.
    """
    times: dict[int, int] = {}
    for step, mask in enumerate(fires(step_rules, state, steps), start=1):
        for cell in bits(mask):
            times.setdefault(cell, step)
    return times


def _without_unknowns(state: PommermanState) -> PommermanState:
    agents = tuple(
        agent._replace(alive=agent.alive and agent.cell != UNKNOWN) for agent in state.agents
    )
    # It does not matter here whose ammo comes back.
    bombs = tuple(bomb if bomb.owner >= 0 else bomb._replace(owner=0) for bomb in state.bombs)
    return PommermanState(
        state.rigid,
        state.wood,
        state.powers,
        state.hidden,
        state.flames,
        bombs,
        agents,
        state.step,
        reruns=state.reruns,
    )
