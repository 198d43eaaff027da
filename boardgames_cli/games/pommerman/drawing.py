"""The board of Pommerman, drawn as plain text or as coloured cells, and the key beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.pommerman.board import POWERS, UNKNOWN, Grid, Mask, bits
from boardgames_cli.games.pommerman.state import Bomb, PommermanState

LETTERS: Final = "ABCD"
POWER_SIGNS: Final = dict(zip(POWERS, "brk", strict=True))
_ARROWS: Final = {1: "^", 2: "v", 3: "<", 4: ">"}
_MARGIN: Final = 3
_SHAPES: Final = ((6, 3), (4, 2), (2, 1))
_KEY_WIDTH: Final = 22
_SOLID: Final = frozenset(("██", "▒▒", "░░"))
"""Signs that fill the whole cell."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn."""

    grid: Grid
    state: PommermanState
    """As who looks knows it."""
    glyphs: Glyphs
    danger: Mapping[int, int]
    """The steps until a cell burns; empty without the overlay."""
    clicks: Mapping[int, str]
    """The action that a click on a cell means."""
    target: int = -1
    """The cell to which the highlighted move leads; -1 for none."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What stands in one cell: two columns and a role."""

    text: str
    role: str
    second: str = ""
    """What a taller cell shows below it."""


def draw(scene: Scene, width: int, height: int) -> Picture:
    """The board in the largest form that fits, with a key of the signs if there is room.

    Lines are put together from spans at once, not on a canvas: boards are drawn very often.
    """
    size = scene.grid.size
    wide, high = _shape(scene, width, height)
    has_key = _MARGIN + size * wide + 2 + _KEY_WIDTH <= width
    key = key_lines(scene.glyphs) if has_key else []
    numbers = "".join(
        f"{number:^{wide}}" if number < 10 else f"{number:>{wide}}" for number in range(size)
    )
    lines: list[list[Span]] = [[Span(" " * _MARGIN + numbers, "number")]]
    signs = signs_of(scene)
    middle = (high - 1) // 2
    for row in range(size):
        for line in range(high):
            label = f"{row:>2} " if line == middle else " " * _MARGIN
            spans = [Span(label, "number")]
            cells = range(row * size, (row + 1) * size)
            spans += [_span(scene, cell, signs[cell], line - middle, wide) for cell in cells]
            lines.append(spans)
    for spans, (text, role) in zip(lines[1:], key, strict=False):
        mark, _, words = text.partition("|")
        spans += [Span("  "), Span(mark, role), Span(f" {words:<{_KEY_WIDTH - 3}}")]
    return Picture.of(lines)


def _shape(scene: Scene, width: int, height: int) -> tuple[int, int]:
    """Columns and rows of a cell."""
    size = scene.grid.size
    if scene.glyphs is Glyphs.ASCII:
        return _SHAPES[-1]
    fitting = (
        shape
        for shape in _SHAPES
        if _MARGIN + size * shape[0] <= width and 1 + size * shape[1] <= height
    )
    return next(fitting, _SHAPES[-1])


def _span(scene: Scene, cell: int, sign: Sign, line: int, wide: int) -> Span:
    """One line of a cell; line 0 has its sign."""
    role = f"{sign.role} target" if cell == scene.target else sign.role
    if sign.text in _SOLID:
        text = sign.text[0] * wide
    elif line in (0, 1):
        text = f"{(sign.text, sign.second)[line]:^{wide}}"
    else:
        text = " " * wide
    return Span(text, role, scene.clicks.get(cell, ""))


def signs_of(scene: Scene) -> list[Sign]:
    """What each cell shows: fog, then an agent, flames, a bomb, a wall, a power-up, the floor."""
    state, is_ascii = scene.state, scene.glyphs is Glyphs.ASCII
    signs = _ground(scene)
    for kind, mask in zip(POWERS, state.powers, strict=True):
        text = f"{POWER_SIGNS[kind]} " if is_ascii else f"+{POWER_SIGNS[kind]}"
        _spread(signs, mask, Sign(text, "power"))
    _spread(signs, state.wood, Sign("+ " if is_ascii else "▒▒", "wood"))
    _spread(signs, state.rigid, Sign("# " if is_ascii else "██", "rigid"))
    for bomb in state.bombs:
        signs[bomb.cell] = _bomb_sign(bomb, is_ascii)
    for life, mask in enumerate(state.flames):
        _spread(signs, mask, Sign("~ " if is_ascii else f"*{life + 1}", f"flame.{life + 1}"))
    bombs = {bomb.cell: bomb for bomb in state.bombs}
    for seat, agent in enumerate(state.agents):
        if agent.alive and agent.cell != UNKNOWN:
            under = bombs.get(agent.cell)
            life_left = str(min(under.life, 9)) if under else " "
            reach = f"r{min(under.strength, 9)}" if under else ""
            role = f"plate seat.{seat} figure"
            signs[agent.cell] = Sign(LETTERS[seat] + life_left, role, reach)
    _spread(signs, state.fog, Sign("? " if is_ascii else "░░", "fog"))
    return signs


def _spread(signs: list[Sign], mask: Mask, sign: Sign) -> None:
    for cell in bits(mask):
        signs[cell] = sign


def _ground(scene: Scene) -> list[Sign]:
    is_ascii = scene.glyphs is Glyphs.ASCII
    dot = ". " if is_ascii else " ·"
    tones = (Sign(dot, "floor"), Sign(dot, "floor.other"))
    places = (scene.grid.place(cell) for cell in range(scene.grid.cells))
    signs = [tones[(row + column) % 2] for row, column in places]
    if not is_ascii:
        for cell, steps in scene.danger.items():
            kind = "now" if steps <= 2 else "near" if steps <= 5 else "far"
            signs[cell] = Sign(f" {min(steps, 9)}", f"danger.{kind}")
    return signs


def _bomb_sign(bomb: Bomb, is_ascii: bool) -> Sign:
    kind = "now" if bomb.life <= 2 else "near" if bomb.life <= 5 else "far"
    count, arrow = str(min(bomb.life, 9)), _ARROWS.get(bomb.direction, " ")
    text = count + arrow if is_ascii or bomb.direction else f"●{count}"
    return Sign(text, f"bomb.{kind}", f"r{min(bomb.strength, 9)}")


def key_lines(glyphs: Glyphs) -> list[tuple[str, str]]:
    """The signs with their meaning, as ``sign|meaning``, and their roles."""
    is_ascii = glyphs is Glyphs.ASCII
    lines = [
        ("A |agent, A9 on a bomb", "plate seat.0 figure"),
        ("9 |bomb, 9 steps left" if is_ascii else "●9|bomb, 9 steps left", "bomb.far"),
        ("9>|bomb that rolls", "bomb.far"),
        ("~ |flames" if is_ascii else "*3|flames, 3 steps", "flame.3"),
        ("# |rigid wall" if is_ascii else "██|rigid wall", "rigid"),
        ("+ |wood" if is_ascii else "▒▒|wood", "wood"),
        ("b |one more bomb" if is_ascii else "+b|one more bomb", "power"),
        ("r |one more range" if is_ascii else "+r|one more range", "power"),
        ("k |kick" if is_ascii else "+k|kick", "power"),
        ("? |fog" if is_ascii else "░░|fog", "fog"),
    ]
    if not is_ascii:
        lines.append((" 4|burns in 4 steps", "danger.near"))
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
