"""Draws the board of Pommerman, and its legend."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.presentation.styles import themed
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.pommerman.board import (
    EXTRA_BOMB,
    EXTRA_RANGE,
    KICK,
    POWERS,
    RIGHT,
    UNKNOWN,
    Grid,
    Mask,
    bits,
)
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from boardgames_cli.games.pommerman.view import tiles
from boardgames_cli.games.pommerman.view.tiles import GlyphSet, Tile

PALETTE: Final = themed(
    {
        "card": ("#e8cdb8 on #20242c", "#14171c on #e5e8ee"),
        "card.title": ("bold #2b0f00 on #ff8a3c", "bold #2b0f00 on #ffb27a"),
        "card.number": ("bold #ffc14d on #20242c", "bold #7a2f00 on #e5e8ee"),
        "floor": ("#3b424f on #20242c", "#c9ced8 on #eef0f4"),
        "floor.other": ("#3b424f on #242932", "#c9ced8 on #e7eaf0"),
        "rigid": ("#6b7384 on #525967", "#97a0b2 on #7d8698"),
        "wood": ("#5f3a18 on #8a5a2b", "#9a6a38 on #c79a66"),
        "fog": ("#171f30 on #171f30", "#c3cad6 on #c3cad6"),
        "bomb.far": ("#d0d4dc on #000000", "#d0d4dc on #000000"),
        "bomb.near": ("bold #ffd75f on #000000", "bold #ffd75f on #000000"),
        "bomb.now": ("bold #ffffff on #8c0000", "bold #ffffff on #8c0000"),
        "flame.3": ("bold #3a1c00 on #fff6d6", "bold #3a1c00 on #fff0a8"),
        "flame.2": ("bold #3a1c00 on #ffc14d", "bold #3a1c00 on #ffc14d"),
        "flame.1": ("bold #2b0f00 on #ff8a3c", "bold #2b0f00 on #ff8a3c"),
        "fire.3": ("#d06a00 on #fff6d6", "#b86200 on #fff0a8"),
        "fire.2": ("#b83200 on #ffc14d", "#b83200 on #ffc14d"),
        "fire.1": ("#ff8a3c on #3a1a12", "#cc4a14 on #f7d9c8"),
        "power": ("bold #06231b on #5fd7a7", "bold #06231b on #5fd7a7"),
        "team.0": ("#3f7fe0 on #3f7fe0", "#2f6fd8 on #2f6fd8"),
        "team.1": ("#e05a2b on #e05a2b", "#d9541e on #d9541e"),
        "danger.now": ("bold #ffffff on #7a1f1f", "bold #5f0000 on #f7b8b0"),
        "danger.near": ("#ffd9c2 on #5a2a1c", "#5a1d00 on #fbd3bd"),
        "danger.far": ("#e8cdb8 on #3d2a24", "#5a3a1d on #fbe6d6"),
        "plate": ("on #121212", "on #ffffff"),
        "figure": ("bold reverse", "bold reverse"),
        "target": ("bold underline #121212 on #e8c15a", "bold underline #fbf7ec on #7a5200"),
        "target.own": ("bold underline", "bold underline"),
        "number": ("#9aa3b2", "#4a5160"),
        "dead": ("#8f8775", "#75694f"),
    }
)

_MARGIN: Final = 3
"""Columns for row numbers."""
_FORMS: Final = ((11, 5), (9, 4), (7, 3), (5, 2), (3, 1), (2, 1))
"""Columns and rows of a cell, largest first; all look about square."""
_SIGN_WIDTH: Final = 3


@dataclass(frozen=True, slots=True)
class BoardScene:
    """The content of a drawing."""

    grid: Grid
    state: PommermanState
    glyphs: Glyphs
    danger: Mapping[int, int] | None
    """The steps until a cell burns; None without the overlay."""
    clicks: Mapping[int, str]
    own: Seat | None = None
    target: int = -1
    """The cell to which the highlighted move leads; -1 for none."""
    has_bands: bool = False
    """Whether side bands show the teams of agents."""
    has_colours: bool = True
    """Whether colour tells distant danger, without a number."""


def tiles_of(scene: BoardScene) -> list[Tile]:
    """The tile of each cell, by priority: fog, agent, flames, bomb, wall, power-up, floor."""
    state, danger = scene.state, scene.danger or {}
    chars = tiles.glyph_set(scene.glyphs, has_colours=scene.has_colours)
    cells = _ground(scene.grid, chars, danger)
    for kind, mask in zip(POWERS, state.powers, strict=True):
        for cell in bits(mask):
            cells[cell] = tiles.power(chars, kind, danger.get(cell, 0))
    for cell in bits(state.wood):
        cells[cell] = tiles.wall(chars, chars.wood, "wood", danger.get(cell, 0))
    _spread(cells, state.rigid, tiles.wall(chars, chars.rigid, "rigid"))
    bombs = {bomb.cell: bomb for bomb in state.bombs}
    for cell, bomb in bombs.items():
        cells[cell] = tiles.bomb(chars, bomb, danger.get(cell, 0))
    for life, mask in enumerate(state.flames, start=1):
        _spread(cells, mask, tiles.flames(chars, life))
    for seat, agent in enumerate(state.agents):
        cell = agent.cell
        if agent.alive and cell != UNKNOWN:
            under, steps = bombs.get(cell), danger.get(cell, 0)
            drawn = tiles.agent(chars, seat, under, steps, seat == scene.own)
            cells[cell] = tiles.banded(drawn, seat) if scene.has_bands else drawn
    _spread(cells, state.fog, tiles.wall(chars, chars.fog, "fog"))
    return cells


def _spread(cells: list[Tile], mask: Mask, tile: Tile) -> None:
    for cell in bits(mask):
        cells[cell] = tile


def _ground(grid: Grid, chars: GlyphSet, danger: Mapping[int, int]) -> list[Tile]:
    tones = ("floor", "floor.other")
    places = (grid.place(cell) for cell in range(grid.cells))
    return [
        tiles.floor(chars, danger.get(cell, 0), tones[(row + column) % 2])
        for cell, (row, column) in enumerate(places)
    ]


def draw(scene: BoardScene, width: int, height: int) -> Picture:
    """The board in the largest form that fits.

    Lines are built directly from spans rather than on a canvas, for speed.
    """
    size = scene.grid.size
    wide, high = _form(scene, width, height)
    side = "<" if wide == 2 or scene.glyphs is Glyphs.ASCII else "^"
    numbers = "".join(f"{number:{side}{wide}}" for number in range(size))
    lines: list[list[Span]] = [[Span(" " * _MARGIN + numbers, "number")]]
    cells = tiles_of(scene)
    for row in range(size):
        lines += _row(scene, cells, row, (wide, high))
    return Picture.of(lines)


def _form(scene: BoardScene, width: int, height: int) -> tuple[int, int]:
    size = scene.grid.size
    forms: tuple[tuple[int, int], ...] = _FORMS
    if scene.glyphs is Glyphs.ASCII:
        # Narrow cells suit screen readers, but numbers need a space between cells.
        forms = _FORMS[-1:] if scene.danger is None else _FORMS[-2:]
    fitting = (
        form for form in forms if _MARGIN + size * form[0] <= width and 1 + size * form[1] <= height
    )
    return next(fitting, _FORMS[-1])


def _row(scene: BoardScene, cells: list[Tile], row: int, form: tuple[int, int]) -> list[list[Span]]:
    wide, high = form
    lines = [[Span(" " * _MARGIN, "number")] for _ in range(high)]
    lines[(high - 1) // 2] = [Span(f"{row:>2} ", "number")]
    for cell in range(row * scene.grid.size, (row + 1) * scene.grid.size):
        click = scene.clicks.get(cell, "")
        drawn = _cell(cells[cell], wide, high, _target_role(scene, cell), click)
        for line, spans in zip(lines, drawn, strict=True):
            line += spans
    return lines


@functools.lru_cache(maxsize=1024)
def _cell(tile: Tile, wide: int, high: int, mark: str, click: str) -> tuple[tuple[Span, ...], ...]:
    return tuple(
        tuple(Span(text, role + mark, click) for text, role in pieces)
        for pieces in tiles.rows_of(tile, wide, high)
    )


def _target_role(scene: BoardScene, cell: int) -> str:
    if cell != scene.target:
        return ""
    own = None if scene.own is None else scene.state.agents[scene.own].cell
    return " target.own" if cell == own else " target"


def _sign_spans(tile: Tile) -> list[Span]:
    (pieces,) = tiles.rows_of(tile, _SIGN_WIDTH, 1)
    return [Span(text, role) for text, role in pieces]


def legend(glyphs: Glyphs) -> Picture:
    """All symbols with their meanings."""
    lines = [[*_sign_spans(tile), Span(f" {meaning}")] for tile, meaning in key_lines(glyphs)]
    if glyphs is not Glyphs.ASCII:
        for team, names in enumerate(("A and C", "B and D")):
            sign = _sign_spans(tiles.banded(tiles.agent(tiles.glyph_set(glyphs), team), team))
            lines.append([*sign, Span(f" in teams: the side of {names}")])
    return Picture.of(lines)


def key_lines(glyphs: Glyphs) -> list[tuple[Tile, str]]:
    """The symbols of the board, most frequently needed first."""
    chars = tiles.glyph_set(glyphs)
    resting, rolling = Bomb(0, 9, 3, UNKNOWN, 0), Bomb(0, 9, 3, UNKNOWN, RIGHT)
    warned, fog = tiles.floor(chars, 3, "floor"), tiles.wall(chars, chars.fog, "fog")
    return [
        (tiles.agent(chars, 0), "an agent: its letter on its colour"),
        (tiles.agent(chars, 0, resting), "an agent on a bomb that has 9 steps"),
        (tiles.bomb(chars, resting, 0), "a bomb: steps until it goes off"),
        (tiles.bomb(chars, rolling, 0), "a bomb that rolls this way"),
        (tiles.flames(chars, 3), "flames, and how many steps they last"),
        (tiles.wall(chars, chars.rigid, "rigid"), "a rigid wall, for good"),
        (tiles.wall(chars, chars.wood, "wood"), "wood: it burns, and may hide more"),
        (tiles.power(chars, EXTRA_BOMB, 0), "one more bomb at a time"),
        (tiles.power(chars, EXTRA_RANGE, 0), "bombs reach one cell farther"),
        (tiles.power(chars, KICK, 0), "walk into a bomb, and it rolls"),
        (warned, "burns in 3 steps (b shows or hides this)"),
        (fog, "fog: too far away to see"),
    ]
