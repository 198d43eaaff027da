"""Ways out of the fire when others may stand in the way.

A plain flood through space and time (`forecast.survivors`) takes every walk for granted. But two
agents that want one cell both stay where they are, and nobody enters a cell on which another one
stands. Here the flood runs backwards from the last step, for all cells at once, and counts how many
failed walks an agent can afford.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from boardgames_cli.games.pommerman.agents.forecast import Timeline, edges, spread
from boardgames_cli.games.pommerman.board import Mask

_REACH: Final = 3
"""Steps in which others can get in the way; later they are most likely elsewhere."""
_STAND: Final = 3
"""Steps for which others are taken to stand where they are."""


class Bodies(NamedTuple):
    """Where other agents may be in the way; entry k is about the step after k others."""

    standing: tuple[Mask, ...]
    """Cells that are taken: nobody enters."""
    contested: tuple[Mask, ...]
    """Cells to which a walk may fail."""


def bodies(size: int, timeline: Timeline, others: Mask, since: int = 0) -> Bodies:
    """Where some agents may be in the way.

    Args:
        size: Cells in a row.
        timeline: What the steps bring.
        others: The cells of the other agents.
        since: After how many steps they are there.
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
    """The same for an agent that gives all others a wide berth for some steps."""
    length = len(in_the_way.contested)
    closed = in_the_way.contested[:1] * min(steps, length) + (0,) * (length - steps)
    return Bodies(closed, (0,) * length)


def ways_out(size: int, timeline: Timeline, after: int = 0) -> Mask:
    """The cells where an agent can be after some steps and not burn later.

    Args:
        size: Cells in a row.
        timeline: What the steps bring.
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
    """The cells where an agent can be after some steps and not burn later, though walks may fail.

    Args:
        size: Cells in a row.
        timeline: What the steps bring.
        in_the_way: Where others may be.
        fails: How many failed walks are looked at.
        after: How many steps that are.

    Returns:
        For 0 up to ``fails`` walks that fail, whenever that hurts most, the cells.
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
                # If the walk fails the agent is left where it was, with one fail less to spare.
                sideways = (entered & not_first) >> 1 | (entered & not_last) << 1
                cells |= (sideways | entered >> size | entered << size & full) & fallback
            before.append(cells)
            fallback = stay
        levels = before
    return tuple(levels)
