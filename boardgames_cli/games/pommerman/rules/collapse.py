"""The collapsing board: ring after ring becomes rigid."""

from __future__ import annotations

import functools

from boardgames_cli.games.pommerman.board import Mask, grid_of, within
from boardgames_cli.games.pommerman.state import Bomber, PommermanState

_STRIDES = 4


@functools.cache
def schedule(first: int, steps: int) -> tuple[int, ...]:
    """The steps after which a ring collapses, the outermost first.

    From ``first`` up to ``steps``, exclusive, at intervals of a quarter of the difference; four
    rings if the difference is a multiple of 4, otherwise more.
    """
    stride = max(1, (steps - first) // _STRIDES)
    return tuple(range(first, steps, stride))


@functools.cache
def fallen_rings(size: int, rings: int) -> Mask:
    """The cells of the outermost rings."""
    grid = grid_of(size)
    mask = 0
    for depth in range(rings):
        mask |= grid.ring(depth)
    return mask


def collapse(size: int, state: PommermanState, depth: int, ammo_cap: int) -> PommermanState:
    """The state after the ring at a depth has become rigid.

    Agents there die, but count as alive for the outcome of this step; bombs vanish without
    exploding and return to their owners; flames and power-ups vanish.
    """
    ring = grid_of(size).ring(depth)
    keep = ~ring
    agents = list(state.agents)
    for bomb in state.bombs:
        if ring >> bomb.cell & 1:
            cell, alive, ammo, strength, kicks = agents[bomb.owner]
            ammo += ammo < ammo_cap
            agents[bomb.owner] = Bomber(cell, alive, ammo, strength, kicks)
    fallen = tuple(
        seat for seat, agent in enumerate(agents) if agent.alive and ring >> agent.cell & 1
    )
    for seat in fallen:
        agents[seat] = agents[seat]._replace(alive=False)
    return state._replace(
        rigid=state.rigid | ring,
        wood=state.wood & keep,
        powers=within(state.powers, keep),
        hidden=within(state.hidden, keep),
        flames=within(state.flames, keep),
        bombs=tuple(bomb for bomb in state.bombs if not ring >> bomb.cell & 1),
        agents=tuple(agents),
        fallen=fallen,
    )
