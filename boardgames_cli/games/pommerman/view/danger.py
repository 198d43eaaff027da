"""The steps until each cell burns, without further actions."""

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

    Bombs roll, explode and set each other off; visible agents block them. Redacted states work,
    too: the fog is assumed to be free and empty. Results are cached, because drawing a board needs
    them repeatedly.
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
    """The number of steps until each burning cell burns; 1 is the next step.

    A cell that burns now is listed with 1 if it still burns after the next step.
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
    # Owners do not matter here.
    bombs = tuple(bomb if bomb.owner >= 0 else bomb._replace(owner=0) for bomb in state.bombs)
    return state._replace(bombs=bombs, agents=agents)
