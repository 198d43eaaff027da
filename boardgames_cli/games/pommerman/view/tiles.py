"""What a cell of the board shows: its sign in three forms, and the roles that colour it.

Every fact has a sign of its own, so that nothing depends on colour. Where colour is enough, as for
stone, mist and floor, the palette draws the sign in (nearly) the colour of its ground.
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

_OWN: Final = ("›", "‹")
_BANDS: Final = ("[]", "()")
"""By team; in colour they are solid, and without it they tell the teams apart."""

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
    """By direction; the first is never used."""
    is_solid: bool
    """Whether signs fill the cell; else they stand at its left, with a blank between cells."""


_ASCII: Final = GlyphSet(".", "#", "+", "?", "~", " ", " ^v<>", is_solid=False)
_UNICODE: Final = GlyphSet("·", "█", "▒", "░", "*", "●", " ↑↓←→", is_solid=True)


def glyph_set(glyphs: Glyphs) -> GlyphSet:
    """The characters to draw with."""
    return _ASCII if glyphs is Glyphs.ASCII else _UNICODE


class Tile(NamedTuple):
    """What one cell shows, by the room there is."""

    narrow: Pieces
    """In two columns."""
    broad: Pieces
    """In three columns."""
    head: Piece
    """In the middle of more columns."""
    foot: Piece = NOTHING
    """Below that."""
    corner: Piece = NOTHING
    """The steps until it burns, at the end of the foot or instead of it."""
    fill: str = " "
    sides: Piece = NOTHING
    """What stands at both sides, where it hides nothing."""


def rows_of(tile: Tile, wide: int, high: int) -> tuple[Pieces, ...]:
    """The lines of a cell."""
    if wide == 2:
        return (tile.narrow,)
    if high == 1:
        return (tile.broad,)
    (text, role), middle = tile.head, (high - 1) // 2
    room = wide - sum(map(len, tile.sides[0]))
    rows: list[Pieces] = [_between(tile.sides, ((tile.fill * room, role),))] * high
    rows[middle] = _between(tile.sides, ((f"{text:{tile.fill}^{room}}", role),))
    if tile.foot != NOTHING or tile.corner != NOTHING:
        rows[middle + 1] = _foot(tile, wide)
    return tuple(rows)


def _between(ends: Piece, pieces: Pieces) -> Pieces:
    """Pieces between two signs, if there are any."""
    if ends == NOTHING:
        return pieces
    signs, role = ends
    return ((signs[0], role), *pieces, (signs[1], role))


def _foot(tile: Tile, wide: int) -> Pieces:
    text, role = tile.foot
    number, tint = tile.corner
    if not number:
        return ((f"{text:^{wide}}", role),) if text else ((tile.fill * wide, tile.head[1]),)
    if not text:
        return ((f"{number:^{wide}}", tint),)
    room = wide - len(number)
    return (f"{text:^{room}.{room}}", role), (number, tint)


def urgency(steps: int) -> str:
    """The last part of the roles of bombs and danger."""
    return "now" if steps <= 2 else "near" if steps <= 5 else "far"


def _tile(
    chars: GlyphSet,
    narrow: Pieces,
    broad: Pieces,
    head: Piece,
    foot: Piece = NOTHING,
    corner: Piece = NOTHING,
    fill: str = " ",
) -> Tile:
    """A tile in whose broad form signs that don't fill it keep their distance."""
    if not chars.is_solid:
        broad = (*narrow, (" ", narrow[-1][1]))
    return Tile(narrow, broad, head, foot, corner, fill)


def _corner(steps: int) -> Piece:
    """The number of steps until a cell burns; nothing if it does not."""
    return (str(min(steps, 9)), f"danger.{urgency(steps)}") if steps else NOTHING


@functools.lru_cache(maxsize=64)
def floor(chars: GlyphSet, steps: int, tone: str) -> Tile:
    """Free ground; where it burns soon the number stands in the middle of it."""
    number, tint = _corner(steps)
    text, role = number or chars.floor, tint or tone
    narrow = f" {text}" if chars.is_solid else f"{chars.floor}{number or ' '}"
    return _tile(chars, ((narrow, role),), ((f" {text} ", role),), (text, role))


@functools.lru_cache(maxsize=64)
def wall(chars: GlyphSet, sign: str, role: str, steps: int = 0) -> Tile:
    """Rigid walls, wood and fog."""
    fill = sign if chars.is_solid else " "
    corner = _corner(steps)
    if not steps:
        narrow, broad = f"{sign}{fill}", f"{fill}{sign}{fill}"
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
    letter, role, corner = POWER_SIGNS[kind], "power", _corner(steps)
    head = (_POWER_NAMES[kind], role)
    if not steps:
        narrow = f"+{letter}" if chars.is_solid else f"{letter} "
        return _tile(chars, ((narrow, role),), ((f"+{letter} ", role),), head)
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
    foot = (f"r{min(lying.strength, 9)}", role)
    if not is_early:
        return Tile(((text, role),), ((f"{text} ", role),), (text, role), foot)
    number, tint = _corner(steps)
    broad = ((text, role), ("!", tint))
    return Tile(((text, role),), broad, (text, role), foot, (f"!{number}", tint))


@functools.lru_cache(maxsize=64)
def flames(chars: GlyphSet, life: int) -> Tile:
    """Flames and the number of steps for which they still show, this one included."""
    role = f"flame.{life}"
    text = f"{chars.flame}{life}"
    return Tile(((text, role),), ((f"{text} ", role),), (f"{text}{chars.flame}", role))


@functools.lru_cache(maxsize=512)
def agent(
    chars: GlyphSet, seat: Seat, under: Bomb | None = None, steps: int = 0, is_own: bool = False
) -> Tile:
    """An agent, perhaps on a bomb; the own one stands between marks."""
    letter, role = LETTERS[seat], f"plate seat.{seat} figure"
    left, right = _OWN if is_own and chars.is_solid else (" ", " ")
    head = (f"{left} {letter} {right}", role)
    if under is not None:
        beneath = bomb(chars, under, steps)
        text, bomb_role = beneath.head
        narrow = ((letter, role), (str(min(under.life, 9)), bomb_role))
        foot = (f"{text} {beneath.foot[0]}", bomb_role)
        return _tile(chars, narrow, ((letter, role), (text, bomb_role)), head, foot, beneath.corner)
    if not steps:
        return _tile(chars, ((f"{letter} ", role),), ((f"{left}{letter}{right}", role),), head)
    number, tint = _corner(steps)
    # In two columns a number would be taken for the count of a bomb below.
    narrow = ((letter, role), (" ", tint))
    return _tile(
        chars, narrow, ((left + letter, role), (number, tint)), head, corner=(number, tint)
    )


@functools.lru_cache(maxsize=512)
def banded(tile: Tile, seat: Seat) -> Tile:
    """An agent's tile with the colour of its team at the sides, if it has none but its letter."""
    sides = (band(seat), f"team.{seat % 2}")
    letter, role = tile.narrow[0]
    narrow, broad = tile.narrow, tile.broad
    if len(narrow) == 1:  # that it stands on a bomb, or when it burns, would matter more
        narrow = ((letter[0], role), (sides[0][1], sides[1]))
        broad = _between(sides, ((letter[0], role),))
    head = ("".join(tile.head[0].split()), tile.head[1])
    return tile._replace(narrow=narrow, broad=broad, head=head, sides=sides)


def band(seat: Seat) -> str:
    """The signs at both sides of an agent that tell its team."""
    return _BANDS[seat % 2]
