"""Blasts and chain reactions."""

from __future__ import annotations

from collections.abc import Iterable

from boardgames_cli.games.pommerman.board import Grid, Mask
from boardgames_cli.games.pommerman.state import Bomb


def blast(grid: Grid, rigid: Mask, wood: Mask, cell: int, strength: int) -> Mask:
    """The cells that a bomb hits: its own and, in each direction, the next strength - 1.

    A ray ends before the edge or a rigid wall and with the first wood. Agents, bombs, flames and
    power-ups do not stop it.
    """
    mask = 1 << cell
    reach = strength - 1
    for ray in grid.rays[cell]:
        for other in ray[:reach]:
            bit = 1 << other
            if rigid & bit:
                break
            mask |= bit
            if wood & bit:
                break
    return mask


def explode(
    grid: Grid, rigid: Mask, wood: Mask, bombs: Iterable[Bomb], going: list[Bomb]
) -> tuple[Mask, list[Bomb], list[int]]:
    """Explode bombs in waves.

    Wood remains until all waves are computed: it shields what is behind it from all bombs of the
    step.

    Args:
        grid: The board's geometry.
        rigid: The rigid walls.
        wood: The wooden walls.
        bombs: The bombs that do not explode by themselves.
        going: The bombs that do.

    Returns:
        The cells hit, the remaining bombs, and the owner of every exploded bomb.
    """
    rest = list(bombs)
    hit = 0
    owners: list[int] = []
    while going:
        for bomb in going:
            hit |= blast(grid, rigid, wood, bomb.cell, bomb.strength)
            owners.append(bomb.owner)
        going = [bomb for bomb in rest if hit >> bomb.cell & 1]
        rest = [bomb for bomb in rest if not hit >> bomb.cell & 1]
    return hit, rest, owners
