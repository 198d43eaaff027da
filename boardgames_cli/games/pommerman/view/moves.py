"""The effects of a seat's moves in words, its clicks, and when each cell burns."""

from __future__ import annotations

import functools
from typing import Final

from boardgames_cli.games.pommerman.actions import MOVES, Seen
from boardgames_cli.games.pommerman.board import (
    BOMB,
    BOMB_LIFE,
    DOWN,
    LEFT,
    RIGHT,
    STOP,
    UNKNOWN,
    UP,
    Grid,
    Mask,
    bits,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import StepRules, play_step, wish
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

HORIZON: Final = BOMB_LIFE
SOON: Final = 3
"""Warn of cells that burn within this many steps."""

_SHORT: Final = {
    "blocked by a wall": "a wall",
    "blocked by your bomb": "your bomb",
    "blocked by a bomb": "a bomb",
    "kicks your bomb": "kicks it",
    "kicks a bomb": "kicks it",
    "somebody is there": "somebody",
    "lays a bomb": "",
    "stop": "",
    "no bomb left": "none left",
    "no bomb twice in a cell": "one here",
}
"""Short forms used by `label`."""


def own_agent(seen: Seen) -> Bomber | None:
    """The observer's agent, if it is alive."""
    if seen.seat is None or not seen.state.agents:
        return None
    own = seen.state.agents[seen.seat]
    return own if own.alive else None


def clicks(grid: Grid, seen: Seen) -> dict[int, str]:
    """Clicks on adjacent cells are moves; on the own cell a bomb, or a stop without bombs."""
    own = own_agent(seen)
    if own is None or not seen.legal:
        return {}
    found = {}
    for move in (UP, DOWN, LEFT, RIGHT):
        target = wish(grid, seen.state.walls, own.cell, move)
        if target != own.cell:
            found[target] = str(MOVES[move])
    can_lay = own.ammo > 0 and all(bomb.cell != own.cell for bomb in seen.state.bombs)
    found[own.cell] = str(MOVES[BOMB if can_lay else STOP])
    return found


def effect_of(rules: Pommerman, seen: Seen, own: Bomber, move: int) -> tuple[str, int | None]:
    """The effect of a move, and the steps until its target cell burns.

    For blocked moves, which stay on the own cell, only the stop reports the burning.
    """
    state = seen.state
    if move == BOMB:
        return _laying(state, own), None
    target = wish(rules.step_rules.grid, state.walls, own.cell, move)
    said = "stop" if move == STOP else _going(seen, own, target)
    if said.startswith("blocked"):
        return said, None
    return said, burn_times(rules.step_rules, state).get(target)


def _laying(state: PommermanState, own: Bomber) -> str:
    if any(bomb.cell == own.cell for bomb in state.bombs):
        return "no bomb twice in a cell"
    return "lays a bomb" if own.ammo else "no bomb left"


def _going(seen: Seen, own: Bomber, target: int) -> str:
    state = seen.state
    if target == own.cell:
        return "blocked by a wall"
    for bomb in state.bombs:
        if bomb.cell == target:
            whose = "your bomb" if bomb.owner == seen.seat else "a bomb"
            return f"kicks {whose}" if own.kicks else f"blocked by {whose}"
    if any(agent.alive and agent.cell == target for agent in state.agents):
        return "somebody is there"
    return "a power-up" if state.open_powers >> target & 1 else "free"


def label(rules: Pommerman, seen: Seen, own: Bomber, move: int) -> str:
    """The short effect of a move for the list.

    Empty for a bomb that can be laid.
    """
    said, steps = effect_of(rules, seen, own, move)
    if steps is None:
        return _SHORT.get(said, said)
    return "burns now" if steps == 1 else f"burns in {steps}"


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


def burn_times(step_rules: StepRules, state: PommermanState) -> dict[int, int]:
    """The number of steps until each burning cell burns; 1 is the next step.

    A cell that burns now is listed with 1 if it still burns after the next step.
    """
    times: dict[int, int] = {}
    for step, mask in enumerate(fires(step_rules, state), start=1):
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
