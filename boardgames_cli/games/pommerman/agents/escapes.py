"""Escape routes when other agents may be in the way.

A flood fill through space and time (`forecast.survivors`) assumes that every walk succeeds. But two
agents that want the same cell both stay where they are, and nobody can enter an occupied cell. Here
the flood fill runs backwards from the last step, for all cells at once, and counts how many failed
walks an agent can afford.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from boardgames_cli.games.pommerman.agents.forecast import Timeline, edges, spread
from boardgames_cli.games.pommerman.board import Mask

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
    """Cells where agents may be in the way.

    Args:
        size: Cells in a row.
        timeline: The forecast.
        others: The cells of the other agents.
        since: The step at which they are there.
    """
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
    """The cells after some steps from which an agent can survive.

    Args:
        size: Cells in a row.
        timeline: The forecast.
        after: How many steps that are.
    """
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

    Args:
        size: Cells in a row.
        timeline: The forecast.
        in_the_way: The cells where others may be.
        fails: The maximum number of failed walks.
        after: The number of steps.

    Returns:
        The cells for 0 to ``fails`` failed walks, each at the worst time.
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
