"""A fast forecast of fire and bombs: what burns and what blocks, step by step.

Used for thousands of positions per decision. A test compares it with the reference
`rules.step.play_step`. Agents are assumed to stand still.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final, NamedTuple

from boardgames_cli.games.pommerman.board import BOMB_LIFE, STOP, Grid, Mask, ThreeMasks, grid_of
from boardgames_cli.games.pommerman.rules.step import explode, settle
from boardgames_cli.games.pommerman.state import Bomb, Bomber

HORIZON: Final = BOMB_LIFE + 2
"""The forecast length: long enough for a bomb laid in the next step to explode and burn."""


class Timeline(NamedTuple):
    """The forecast of the next steps; entry k is for step k, counted from 0."""

    blocked: tuple[Mask, ...]
    """Cells that can't be entered in that step: walls and bombs."""
    burning: tuple[Mask, ...]
    """Cells that are deadly at the end of that step: flames, or a collapsing ring."""
    wood: Mask
    """The remaining wood at the end."""


class Scenery(NamedTuple):
    """The part of a position that evolves without further actions."""

    size: int
    rigid: Mask
    wood: Mask
    powers: Mask
    """Open power-ups, if they stop bombs; otherwise empty."""
    flames: ThreeMasks
    bombs: tuple[Bomb, ...]
    agents: tuple[Bomber, ...]
    """The agents, which stop rolling bombs."""
    falls: tuple[tuple[int, Mask], ...] = ()
    """The rings that will collapse, with the number of steps until then."""


def foresee(scene: Scenery, more: Sequence[Bomb] = (), steps: int = HORIZON) -> Timeline:
    """Forecast what burns and blocks in the next steps.

    Args:
        scene: The current position.
        more: Additional bombs. Their life counts from now, so that a bomb to be laid in d steps has
            life 10 + d, and blocks from then on.
        steps: The number of steps.
    """
    grid = grid_of(scene.size)
    rigid, wood = scene.rigid, scene.wood
    low, middle, high = scene.flames
    bombs: list[Bomb] = [*scene.bombs, *more]
    rolls = any(bomb.direction for bomb in bombs)
    blocked, burning = [], []
    lying, latest = _lying(bombs, 0)
    due = min([bomb.life for bomb in bombs], default=0)
    for step in range(1, steps + 1):
        blocked.append(rigid | wood | lying)
        low, middle, high = middle, high, 0
        if rolls:
            bombs = _roll(grid, scene, rigid | wood, bombs)
            rolls = any(bomb.direction for bomb in bombs)
            lying, latest = _lying(bombs, step)
        fire = low | middle
        if step == due or fire & (lying | latest):
            going = [bomb for bomb in bombs if bomb.life == step or fire >> bomb.cell & 1]
            rest = [bomb for bomb in bombs if bomb not in going]
            high, bombs, _ = explode(grid, rigid, wood, rest, going)
            wood &= ~high
            fire |= high
            lying, latest = _lying(bombs, step)
            due = min([bomb.life for bomb in bombs], default=0)
        elif latest:
            lying, latest = _lying(bombs, step)
        for ring in [ring for when, ring in scene.falls if when == step]:
            # Agents there die as in fire; everything on it is removed.
            rigid, wood, fire = rigid | ring, wood & ~ring, fire | ring
            low, middle, high = low & ~ring, middle & ~ring, high & ~ring
            bombs = [bomb for bomb in bombs if not ring >> bomb.cell & 1]
            lying, latest = _lying(bombs, step)
            due = min([bomb.life for bomb in bombs], default=0)
        burning.append(fire)
    return Timeline(tuple(blocked), tuple(burning), wood)


def _lying(bombs: Sequence[Bomb], step: int) -> tuple[Mask, Mask]:
    mask = latest = 0
    for bomb in bombs:
        if bomb.life <= BOMB_LIFE + step:
            mask |= 1 << bomb.cell
        else:
            latest |= 1 << bomb.cell
    return mask, latest


def _roll(grid: Grid, scene: Scenery, walls: Mask, bombs: list[Bomb]) -> list[Bomb]:
    moves = [STOP] * len(scene.agents)
    return settle(grid, walls, walls | scene.powers, scene.agents, bombs, moves)[1]


@functools.cache
def edges(size: int) -> tuple[Mask, Mask, Mask]:
    """All cells; all but the first column; all but the last."""
    full = (1 << size * size) - 1
    first = sum(1 << row * size for row in range(size))
    return full, full & ~first, full & ~(first << size - 1)


def spread(size: int, cells: Mask) -> Mask:
    """The cells and their neighbours."""
    full, not_first, not_last = edges(size)
    sideways = (cells & not_first) >> 1 | (cells & not_last) << 1
    return cells | sideways | cells >> size | cells << size & full


def survivors(size: int, timeline: Timeline, cells: Mask, after: int = 0) -> Mask:
    """The cells where an agent can be at the end unburnt, from those after some steps."""
    return arrivals(size, timeline, cells, after)[-1]


def arrivals(size: int, timeline: Timeline, cells: Mask, after: int) -> list[Mask]:
    """The cells that an agent can reach unburnt, after each step from ``after`` on."""
    found = [cells]
    for blocked, burning in zip(timeline.blocked[after:], timeline.burning[after:], strict=True):
        cells = (cells | spread(size, cells) & ~blocked) & ~burning
        found.append(cells)
    return found


_REACH: Final = 3
"""Steps in which others can be in the way; later they have probably moved."""
_STAND: Final = 3
"""Steps for which others are assumed to stay where they are."""


class Bodies(NamedTuple):
    """Cells blocked by other agents; entry k is for step k, counted from 0."""

    standing: tuple[Mask, ...]
    """Occupied cells, which can't be entered."""
    contested: tuple[Mask, ...]
    """Cells to which a walk may fail."""


def bodies(size: int, timeline: Timeline, others: Mask, since: int = 0) -> Bodies:
    """Cells where the others may be in the way, who stand on their cells at some step."""
    steps = len(timeline.blocked)
    standing = (0,) * since + (others,) * _STAND + (0,) * (steps - since - _STAND)
    reached, contested = others, [0] * since
    for step in range(since, steps):
        if step < since + _REACH:
            reached |= spread(size, reached) & ~timeline.blocked[step]
        contested.append(reached)
    return Bodies(standing, tuple(contested))


def aside(in_the_way: Bodies, steps: int) -> Bodies:
    """The same for an agent that avoids all others for some steps."""
    length = len(in_the_way.contested)
    closed = in_the_way.contested[:1] * min(steps, length) + (0,) * (length - steps)
    return Bodies(closed, (0,) * length)


def ways_out(size: int, timeline: Timeline, after: int = 0) -> Mask:
    """The cells after some steps from which an agent can survive."""
    full, not_first, not_last = edges(size)
    cells = full
    for step in range(len(timeline.blocked) - 1, after - 1, -1):
        cells &= ~timeline.burning[step]
        entered = cells & ~timeline.blocked[step]
        sideways = (entered & not_first) >> 1 | (entered & not_last) << 1
        cells |= sideways | entered >> size | entered << size & full
    return cells


def sure_ways_out(
    size: int, timeline: Timeline, in_the_way: Bodies, fails: int, after: int = 0
) -> tuple[Mask, ...]:
    """The cells after some steps from which an agent can survive even if walks fail.

    For 0 to `fails` failed walks, each at the worst time.
    """
    full, not_first, not_last = edges(size)
    levels: Sequence[Mask] = [full] * (fails + 1)
    for step in range(len(timeline.blocked) - 1, after - 1, -1):
        safe = ~timeline.burning[step]
        free = ~(timeline.blocked[step] | in_the_way.standing[step])
        contested = in_the_way.contested[step]
        before = []
        fallback = full
        for cells in levels:
            stay = cells & safe
            entered = stay & free & ~contested
            sideways = (entered & not_first) >> 1 | (entered & not_last) << 1
            cells = stay | sideways | entered >> size | entered << size & full
            entered = stay & free & contested
            if entered:
                # If the walk fails, the agent stays, with one failure less to spare.
                sideways = (entered & not_first) >> 1 | (entered & not_last) << 1
                cells |= (sideways | entered >> size | entered << size & full) & fallback
            before.append(cells)
            fallback = stay
        levels = before
    return tuple(levels)
