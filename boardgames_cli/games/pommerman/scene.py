"""A position turned into the tiles of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman import signs
from boardgames_cli.games.pommerman.board import POWERS, UNKNOWN, Grid, Mask, bits
from boardgames_cli.games.pommerman.signs import Signs, Tile
from boardgames_cli.games.pommerman.state import PommermanState


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn."""

    grid: Grid
    state: PommermanState
    """As who looks knows it."""
    glyphs: Glyphs
    danger: Mapping[int, int] | None
    """The steps until a cell burns; None without the layer."""
    clicks: Mapping[int, str]
    """The action that a click on a cell means."""
    own: Seat | None = None
    """Whose eyes it is seen through."""
    target: int = -1
    """The cell to which the highlighted move leads; -1 for none."""


def tiles_of(scene: Scene) -> list[Tile]:
    """What each cell shows: fog, then an agent, flames, a bomb, a wall, a power-up, the floor."""
    state, chars, danger = scene.state, signs.signs_of(scene.glyphs), scene.danger or {}
    tiles = _ground(scene.grid, chars, danger)
    for kind, mask in zip(POWERS, state.powers, strict=True):
        for cell in bits(mask):
            tiles[cell] = signs.power(chars, kind, danger.get(cell, 0))
    for cell in bits(state.wood):
        tiles[cell] = signs.wall(chars, chars.wood, "wood", danger.get(cell, 0))
    _spread(tiles, state.rigid, signs.wall(chars, chars.rigid, "rigid"))
    bombs = {bomb.cell: bomb for bomb in state.bombs}
    for cell, bomb in bombs.items():
        tiles[cell] = signs.bomb(chars, bomb, danger.get(cell, 0))
    for life, mask in enumerate(state.flames, start=1):
        _spread(tiles, mask, signs.flames(chars, life))
    for seat, agent in enumerate(state.agents):
        cell = agent.cell
        if agent.alive and cell != UNKNOWN:
            under, steps = bombs.get(cell), danger.get(cell, 0)
            tiles[cell] = signs.agent(chars, seat, under, steps, seat == scene.own)
    _spread(tiles, state.fog, signs.wall(chars, chars.fog, "fog"))
    return tiles


def _spread(tiles: list[Tile], mask: Mask, tile: Tile) -> None:
    for cell in bits(mask):
        tiles[cell] = tile


def _ground(grid: Grid, chars: Signs, danger: Mapping[int, int]) -> list[Tile]:
    tones = ("floor", "floor.other")
    places = (grid.place(cell) for cell in range(grid.cells))
    return [
        signs.floor(chars, danger.get(cell, 0), tones[(row + column) % 2])
        for cell, (row, column) in enumerate(places)
    ]
