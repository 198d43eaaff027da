"""Tiles of the board: the symbols of a cell in three sizes, with their roles.

Every fact has its own symbol, so that nothing depends on colour. Where colour is enough, as for
walls, fog and floor, the palette draws the symbol in (nearly) its background colour.
"""

from __future__ import annotations

import functools
from typing import Final, NamedTuple, TypeAlias

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.board import POWERS
from boardgames_cli.games.pommerman.state import Bomb

LETTERS: Final = "ABCD"
POWER_SIGNS: Final = dict(zip(POWERS, "brk", strict=True))
_POWER_NAMES: Final = dict(zip(POWERS, ("+bomb", "range", "kick"), strict=True))

_POWER_ART: Final = dict(zip(POWERS, (" ▗▄▖ ", "◂━━━▸", " ▐▄▖ "), strict=True))

_BRICKS: Final = "───┬──┬───"
"""Two rows of a rigid wall, where colour tells it from everything else."""

_OWN: Final = ("›", "‹")
_BANDS: Final = ("[]", "()")
"""The bands by team; with colours they are solid."""

Piece: TypeAlias = tuple[str, str]
"""A text and its role."""
Pieces: TypeAlias = tuple[Piece, ...]
NOTHING: Final = ("", "")


class GlyphSet(NamedTuple):
    """The characters of one set of glyphs."""

    floor: str
    rigid: str
    wood: str
    fog: str
    flame: str
    at_rest: str
    rolling: str
    """The characters by direction; the first is unused."""
    is_solid: bool
    """Whether symbols fill the cell; otherwise they are left-aligned, with a space between
    cells."""
    has_heat: bool = False
    """Whether colour tells distant danger; only what burns soon has a number."""


_ASCII: Final = GlyphSet(".", "#", "+", "?", "~", " ", " ^v<>", is_solid=False)
_UNICODE: Final = GlyphSet("·", "▀", "═", "░", "*", "●", " ↑↓←→", is_solid=True)
_HEATED: Final = _UNICODE._replace(has_heat=True)


def glyph_set(glyphs: Glyphs, *, has_colours: bool = True) -> GlyphSet:
    """The characters to draw with."""
    if glyphs is Glyphs.ASCII:
        return _ASCII
    return _HEATED if has_colours else _UNICODE


class Tile(NamedTuple):
    """The content of a cell in several sizes."""

    narrow: Pieces
    """The form with two columns."""
    broad: Pieces
    """The form with three columns."""
    head: Piece
    """The centre of wider forms."""
    corner: Piece = NOTHING
    """The steps until it burns, below the centre."""
    fill: str = " "
    sprite: tuple[Pieces, ...] = ()
    """A drawing of two lines of five columns, for cells with room for it."""


def rows_of(tile: Tile, wide: int, high: int) -> tuple[Pieces, ...]:
    """The lines of a cell."""
    if wide == 2:
        return (tile.narrow,)
    if high == 1:
        return (tile.broad,)
    if tile.sprite:
        return _sprite_rows(tile, wide, high)
    (text, role), middle = tile.head, (high - 1) // 2
    if tile.fill == _BRICKS:
        both = _BRICKS[:5] * wide, _BRICKS[5:] * wide
        return tuple(((both[line % 2][:wide], role),) for line in range(high))
    rows: list[Pieces] = [((tile.fill * wide, role),)] * high
    rows[middle] = ((f"{text:{tile.fill}^{wide}}", role),)
    number, tint = tile.corner
    if number:
        rows[middle + 1] = ((f"{number:^{wide}}", tint),)
    return tuple(rows)


def _sprite_rows(tile: Tile, wide: int, high: int) -> tuple[Pieces, ...]:
    ground = tile.sprite[0][-1][1].partition(" ")[0]
    used = sum(len(text) for text, _ in tile.sprite[0])
    left = (wide - used) // 2
    rows: list[Pieces] = [((" " * wide, ground),)] * high
    for line, pieces in enumerate(tile.sprite, start=(high - len(tile.sprite)) // 2):
        padded = ((" " * left, ground), *pieces, (" " * (wide - used - left), ground))
        rows[line] = tuple(piece for piece in padded if piece[0])
    return tuple(rows)


def urgency(steps: int) -> str:
    """The suffix of the roles of bombs and danger."""
    return "now" if steps <= 2 else "near" if steps <= 5 else "far"


def _tile(
    chars: GlyphSet,
    narrow: Pieces,
    broad: Pieces,
    head: Piece,
    corner: Piece = NOTHING,
    fill: str = " ",
    sprite: tuple[Pieces, ...] = (),
) -> Tile:
    if not chars.is_solid:
        broad = (*narrow, (" ", narrow[-1][1]))
    return Tile(narrow, broad, head, corner, fill, sprite)


_SOON: Final = 3
"""Up to this number of steps heat has a number, too."""


def _corner(chars: GlyphSet, steps: int) -> Piece:
    if not steps:
        return NOTHING
    is_heat = chars.has_heat and steps > _SOON
    return " " if is_heat else str(min(steps, 9)), f"danger.{urgency(steps)}"


@functools.lru_cache(maxsize=64)
def floor(chars: GlyphSet, steps: int, tone: str) -> Tile:
    """Free ground; if it burns soon, with the number of steps in the middle."""
    number, tint = _corner(chars, steps)
    text, role = number.strip() or chars.floor, tint or tone
    narrow = f" {text}" if chars.is_solid else f"{chars.floor}{number or ' '}"
    return _tile(chars, ((narrow, role),), ((f" {text} ", role),), (text, role))


@functools.lru_cache(maxsize=64)
def wall(chars: GlyphSet, sign: str, role: str, steps: int = 0) -> Tile:
    """Rigid walls, wood and fog."""
    fill = sign if chars.is_solid else " "
    corner = _corner(chars, steps)
    if not steps:
        narrow, broad = f"{sign}{fill}", f"{fill}{sign}{fill}"
        fill = _BRICKS if sign == chars.rigid and chars.has_heat else fill
        return _tile(chars, ((narrow, role),), ((broad, role),), (sign, role), fill=fill)
    return _tile(
        chars,
        ((sign, role), corner),
        ((sign + fill, role), corner),
        (sign, role),
        corner=corner,
        fill=fill,
    )


@functools.lru_cache(maxsize=64)
def power(chars: GlyphSet, kind: int, steps: int) -> Tile:
    """A power-up in the open."""
    letter, role, corner = POWER_SIGNS[kind], "power", _corner(chars, steps)
    head = (_POWER_NAMES[kind], role)
    if not steps:
        narrow = f"+{letter}" if chars.is_solid else f"{letter} "
        art = ((_POWER_ART[kind], role),), ((f"{_POWER_NAMES[kind]:^5}", role),)
        sprite = art if chars.is_solid else ()
        return _tile(chars, ((narrow, role),), ((f"+{letter} ", role),), head, sprite=sprite)
    return _tile(
        chars, ((letter, role), corner), ((f"+{letter}", role), corner), head, corner=corner
    )


@functools.lru_cache(maxsize=256)
def bomb(chars: GlyphSet, lying: Bomb, steps: int) -> Tile:
    """A bomb; ``!`` means that another one sets it off before its time."""
    arrow = chars.rolling[lying.direction] if lying.direction else chars.at_rest
    count = str(min(lying.life, 9))
    text = f"{arrow}{count}" if chars.is_solid else f"{count}{arrow}"
    is_early = 0 < steps < lying.life
    role = f"bomb.{urgency(steps if is_early else lying.life)}"
    tint = f"danger.{urgency(steps)}"
    burning = (f"{arrow if lying.direction else '*'} ", role)
    fuse = (f"!{min(steps, 9)}", tint) if is_early else burning
    top, left, right = ("▟█▙", "▜", "▛") if chars.is_solid else ("/-\\", "(", ")")
    ball = ((left, role), (count, f"{role} figure"), (right, role))
    sprite = ((top, role), fuse), (*ball, (f"r{min(lying.strength, 9)}", role))
    broad = ((text, role), ("!", tint)) if is_early else ((f"{text} ", role),)
    return Tile(((text, role),), broad, (text, role), sprite=sprite)


@functools.lru_cache(maxsize=64)
def flames(chars: GlyphSet, life: int) -> Tile:
    """Flames with their remaining steps, including this one."""
    role = f"flame.{life}"
    text, fire = f"{chars.flame}{life}", f"fire.{life}"
    upper, (left, right) = _FIRES[life - 1]
    head = (f"{text}{chars.flame}", role)
    if not chars.is_solid:
        return Tile(((text, role),), ((f"{text} ", role),), head)
    number = (str(life), role)
    sprite = (((upper, fire),), ((left, fire), number, (right, fire)))
    broad = (left[1], fire), number, (right[0], fire)
    return Tile(((text, role),), broad, head, sprite=sprite)


@functools.lru_cache(maxsize=512)
def agent(
    chars: GlyphSet, seat: Seat, under: Bomb | None = None, steps: int = 0, is_own: bool = False
) -> Tile:
    """An agent, possibly on a bomb; the viewer's own is marked."""
    letter, role = LETTERS[seat], f"plate seat.{seat} figure"
    left, right = _OWN if is_own and chars.is_solid else (" ", " ")
    head = (letter, role)
    if under is not None:
        beneath = bomb(chars, under, steps)
        text, bomb_role = beneath.head
        narrow = ((letter, role), (str(min(under.life, 9)), bomb_role))
        broad = ((letter, role), (text, bomb_role))
        fuse, reach = beneath.sprite[0][-1], beneath.sprite[1][-1]
        body = (*broad, fuse if "!" in fuse[0] else reach)
        sprite = _bomber(chars, seat, (left, right), body)
        return _tile(chars, narrow, broad, head, sprite=sprite)
    number, tint = _corner(chars, steps)
    heat = (number or " ", tint or "floor")
    body = ((" ", f"floor seat.{seat}"), (f" {letter} ", role), heat)
    sprite = _bomber(chars, seat, (left, right), body)
    if not steps:
        whole = ((f"{left}{letter}{right}", role),)
        return _tile(chars, ((f"{letter} ", role),), whole, head, sprite=sprite)
    # In two columns a number would look like the fuse of a bomb.
    narrow = ((letter, role), (" ", tint))
    broad = ((left + letter, role), (number, tint))
    return _tile(chars, narrow, broad, head, corner=(number, tint), sprite=sprite)


def _bomber(
    chars: GlyphSet, seat: Seat, marks: tuple[str, str], body: Pieces
) -> tuple[Pieces, ...]:
    role, face = f"floor seat.{seat}", "• •" if chars.is_solid else "o o"
    return ((marks[0], role), (face, f"plate seat.{seat} figure"), (marks[1], role)), body


_FIRES: Final = (
    ("  ▖  ", ("▗ ", " ▖")),
    (" ▗▙▖ ", ("▐▙", "▟▌")),
    ("▗▟█▙▖", ("██", "██")),
)
"""Flames by their remaining steps: the upper line, and both sides of the number below."""


@functools.lru_cache(maxsize=512)
def banded(tile: Tile, seat: Seat) -> Tile:
    """An agent's tile with its team's bands, unless it shows more than the letter."""
    sides = (band(seat), f"team.{seat % 2}")
    letter, role = tile.narrow[0]
    narrow, broad = tile.narrow, tile.broad
    if len(narrow) == 1:  # a bomb or burning is more important
        narrow = ((letter[0], role), (sides[0][1], sides[1]))
        broad = ((sides[0][0], sides[1]), (letter[0], role), (sides[0][1], sides[1]))
    # The bands take the place of the marks of the viewer's own; what burns is more important.
    sprite = tuple(
        tuple(
            (sign, sides[1]) if sign and not text.strip("›‹ ") else (text, look)
            for sign, (text, look) in zip((sides[0][0], "", sides[0][1]), pieces, strict=True)
        )
        for pieces in tile.sprite
    )
    return tile._replace(narrow=narrow, broad=broad, sprite=sprite)


def band(seat: Seat) -> str:
    """The band of a seat's team."""
    return _BANDS[seat % 2]
