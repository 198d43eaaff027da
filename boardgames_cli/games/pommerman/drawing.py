"""The board of Pommerman put together from cells, and the key beside it."""

from __future__ import annotations

import functools
from itertools import zip_longest
from typing import Final, NamedTuple

from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.pommerman import signs
from boardgames_cli.games.pommerman.board import (
    EXTRA_BOMB,
    EXTRA_RANGE,
    KICK,
    RIGHT,
    UNKNOWN,
    Grid,
    bits,
)
from boardgames_cli.games.pommerman.scene import Scene, tiles_of
from boardgames_cli.games.pommerman.signs import LETTERS, Tile
from boardgames_cli.games.pommerman.state import Bomb

__all__ = ["LETTERS", "Scene", "draw", "legend", "name_of", "names_of"]

_MARGIN: Final = 3
_FORMS: Final = ((11, 5), (9, 4), (7, 3), (5, 2), (3, 1), (2, 1))
"""Columns and rows of a cell, largest first: all about as wide as high on a terminal."""
_GAP: Final = 2
_SIGN_WIDTH: Final = 3
_KEY_WIDTH: Final = 13


class KeyLine(NamedTuple):
    """One sign of the board explained."""

    tile: Tile
    word: str
    """For beside the board."""
    meaning: str
    """For the legend."""


def draw(scene: Scene, width: int, height: int) -> Picture:
    """The board in the largest form that fits, with a key of the signs if there is room.

    Lines are put together from spans at once, not on a canvas: boards are drawn very often.
    """
    size = scene.grid.size
    wide, high = _form(scene, width, height)
    side = "<" if wide == 2 or scene.glyphs is Glyphs.ASCII else "^"
    numbers = "".join(f"{number:{side}{wide}}" for number in range(size))
    lines: list[list[Span]] = [[Span(" " * _MARGIN + numbers, "number")]]
    tiles = tiles_of(scene)
    for row in range(size):
        lines += _row(scene, tiles, row, (wide, high))
    board = _MARGIN + size * wide
    has_layer = scene.danger is not None
    if board + _GAP + _KEY_WIDTH <= width:
        key = _key_spans(scene.glyphs, bool(scene.state.fog), has_layer)
        lines = _beside(lines, key, board, height)
    return Picture.of(lines)


def _form(scene: Scene, width: int, height: int) -> tuple[int, int]:
    size = scene.grid.size
    forms: tuple[tuple[int, int], ...] = _FORMS
    if scene.glyphs is Glyphs.ASCII:
        # Short lines are read aloud best, but numbers beside signs need a blank between cells.
        forms = _FORMS[-1:] if scene.danger is None else _FORMS[-2:]
    fitting = (
        form for form in forms if _MARGIN + size * form[0] <= width and 1 + size * form[1] <= height
    )
    return next(fitting, _FORMS[-1])


def _row(scene: Scene, tiles: list[Tile], row: int, form: tuple[int, int]) -> list[list[Span]]:
    wide, high = form
    lines = [[Span(" " * _MARGIN, "number")] for _ in range(high)]
    lines[(high - 1) // 2] = [Span(f"{row:>2} ", "number")]
    for cell in range(row * scene.grid.size, (row + 1) * scene.grid.size):
        click = scene.clicks.get(cell, "")
        drawn = _cell(tiles[cell], wide, high, _target_role(scene, cell), click)
        for line, spans in zip(lines, drawn, strict=True):
            line += spans
    return lines


@functools.lru_cache(maxsize=1024)
def _cell(tile: Tile, wide: int, high: int, mark: str, click: str) -> tuple[tuple[Span, ...], ...]:
    return tuple(
        tuple(Span(text, role + mark, click) for text, role in pieces)
        for pieces in signs.rows_of(tile, wide, high)
    )


def _target_role(scene: Scene, cell: int) -> str:
    if cell != scene.target:
        return ""
    own = None if scene.own is None else scene.state.agents[scene.own].cell
    return " target.own" if cell == own else " target"


def _beside(
    lines: list[list[Span]], key: list[list[Span]], board: int, height: int
) -> list[list[Span]]:
    joined = []
    for spans, explained in zip_longest(lines, key[: max(height, len(lines))]):
        gap = _GAP if spans else board + _GAP
        joined.append([*(spans or ()), *([Span(" " * gap), *explained] if explained else ())])
    return joined


def _key_spans(glyphs: Glyphs, is_foggy: bool, has_layer: bool) -> list[list[Span]]:
    return [
        [*_sign_spans(line.tile), Span(f" {line.word:<{_KEY_WIDTH - _SIGN_WIDTH - 1}}")]
        for line in key_lines(glyphs, is_foggy, has_layer)
    ]


def _sign_spans(tile: Tile) -> list[Span]:
    (pieces,) = signs.rows_of(tile, _SIGN_WIDTH, 1)
    return [Span(text, role) for text, role in pieces]


def legend(glyphs: Glyphs) -> Picture:
    """All signs with what they mean, and the short words beside the names."""
    lines = [
        [*_sign_spans(line.tile), Span(f" {line.meaning}")]
        for line in key_lines(glyphs, is_foggy=True)
    ]
    pocket = [Span("b2 r3 kick", "title"), Span(" 2 bombs left, range 3, can kick")]
    return Picture.of([*lines, pocket])


def key_lines(glyphs: Glyphs, is_foggy: bool, has_layer: bool = True) -> list[KeyLine]:
    """The signs of the board in the order in which they are asked for."""
    chars = signs.signs_of(glyphs)
    resting, rolling = Bomb(0, 9, 3, UNKNOWN, 0), Bomb(0, 9, 3, UNKNOWN, RIGHT)
    lines = [
        KeyLine(signs.agent(chars, 0), "agent", "an agent: its letter on its colour"),
        KeyLine(signs.agent(chars, 0, resting), "on a bomb", "an agent on a bomb that has 9 steps"),
        KeyLine(signs.bomb(chars, resting, 0), "bomb", "a bomb: steps until it goes off"),
        KeyLine(signs.bomb(chars, rolling, 0), "it rolls", "a bomb that rolls this way"),
        KeyLine(signs.flames(chars, 3), "flames", "flames, and how many steps they last"),
        KeyLine(signs.wall(chars, chars.rigid, "rigid"), "rigid", "a rigid wall, for good"),
        KeyLine(signs.wall(chars, chars.wood, "wood"), "wood", "wood: it burns, and may hide more"),
        KeyLine(signs.power(chars, EXTRA_BOMB, 0), "+1 bomb", "one more bomb at a time"),
        KeyLine(signs.power(chars, EXTRA_RANGE, 0), "+1 range", "bombs reach one cell farther"),
        KeyLine(signs.power(chars, KICK, 0), "kick", "walk into a bomb, and it rolls"),
    ]
    if has_layer:
        warned = signs.floor(chars, 4, "floor")
        lines.append(KeyLine(warned, "fire in 4", "burns in 4 steps (b shows or hides this)"))
    if is_foggy:
        fog = signs.wall(chars, chars.fog, "fog")
        lines.append(KeyLine(fog, "fog", "fog: too far away to see"))
    return lines


def name_of(grid: Grid, cell: int) -> str:
    """A cell as people read it, such as ``r1c2``."""
    row, column = grid.place(cell)
    return f"r{row}c{column}"


def names_of(grid: Grid, mask: int, most: int) -> str:
    """Some cells of a mask, by name."""
    cells = list(bits(mask))
    names = " ".join(name_of(grid, cell) for cell in cells[:most])
    return f"{names} ..." if len(cells) > most else names
