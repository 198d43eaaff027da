"""Draws the S-shaped board of Senet as framed text or as coloured tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.presentation.styles import themed
from boardgames_cli.core.text import Canvas, Glyphs, Picture
from boardgames_cli.games.senet import sticks
from boardgames_cli.games.senet.actions import SenetMove
from boardgames_cli.games.senet.board import (
    BEARS_OFF,
    CONES,
    HAPPINESS,
    HOUSES,
    RE_ATUM,
    RE_HORAKHTY,
    REBIRTH,
    SPOOLS,
    THREE_TRUTHS,
    WATER,
    runs,
)

PALETTE: Final = themed(
    {
        "house.light": ("#e8d5a3 on #3a3226", "#2b2118 on #f4e9cd"),
        "house.dark": ("#e8d5a3 on #2b2118", "#2b2118 on #e2cf9f"),
        "house.special.light": ("#ffffff on #164747", "#0b3b3b on #cdebe5"),
        "house.special.dark": ("#ffffff on #103a3a", "#0b3b3b on #b2dcd4"),
        "house.water": ("#ffffff on #1c3c6b", "#0d2a55 on #bcd4f2"),
        "mat": ("#e8d5a3 on #1e1812", "#2b2118 on #f8f0dc"),
        "number": ("#e0d0aa", "#5a4424"),
        "sign": ("bold #f4e3b5", "bold #2b2118"),
        "target": ("bold #ffd766 on #4d3c0e", "bold #6b3f00 on #ffe08a"),
        "chosen": ("bold #f4e3b5 on #4d3c0e", "bold #2b2118 on #ffe08a"),
        "blow": ("bold #3a1c00 on #ffd766", "bold #ffffff on #8a3a00"),
        "spark": ("bold #ffd766 on #4d3c0e", "bold #6b3f00 on #ffe08a"),
        "last-move": ("underline", "underline"),
        "stick.flat": ("bold #e8d5a3", "bold #8a6210"),
        "stick.round": ("#9c8350", "#4a3a22"),
        "stick.line": ("bold #7a4a12 on #e8d5a3", "bold #fbf7ec on #8a6210"),
        "emblem": ("#3f8f8a", "#5d9c96"),
        "link": ("bold #e8d5a3", "bold #6b5430"),
        "frame": ("#9c8350", "#6b5430"),
        "safe": ("bold #6fc7c7", "bold #135252"),
        "card": ("#e8d5a3 on #3a3226", "#2b2118 on #e8d5a3"),
        "card.title": ("bold #ffffff on #164747", "bold #0b3b3b on #b2dcd4"),
        "card.number": ("bold #e8c15a on #3a3226", "bold #5a3a00 on #e8d5a3"),
    }
)

LETTERS: Final = ("C", "S")
_ROW: Final = 10

SIGNS: Final = {
    Glyphs.ASCII: {REBIRTH: "*", HAPPINESS: "H", WATER: "~", 28: "3", 29: "2", 30: "1"},
    Glyphs.UNICODE: {
        REBIRTH: "✦", HAPPINESS: "♥", WATER: "≈", THREE_TRUTHS: "III", RE_ATUM: "II",
        RE_HORAKHTY: "I",
    },
    # As the board of gym-senet shows them: ankh, nefer, three ripples, three storks (the souls),
    # two seated goddesses, and the falcon with the sun.
    Glyphs.HIEROGLYPH: {
        REBIRTH: "\U000132f9", HAPPINESS: "\U00013124", WATER: "\U00013217",
        THREE_TRUTHS: "\U00013162", RE_ATUM: "\U00013050 \U00013050", RE_HORAKHTY: "\U0001314a",
    },
}  # fmt: skip
"""The sign of each special house."""
_NAMES: Final = {REBIRTH: "Rebirth", HAPPINESS: "Joy", WATER: "Water"} | {
    house: f"off{throw}" for house, throw in BEARS_OFF.items()
}
"""The name of each special house; the last three say the throw that bears off."""
_FIGURES: Final = ((" ▲ ", "▟█▙"), ("▜█▛", "▟█▙"))
_TALL_FIGURES: Final = (("  ▲  ", " ▟█▙ ", "▟███▙"), ("▜███▛", " ███ ", "▟███▙"))
_LARGE_FIGURES: Final = (
    ("   ▲   ", "  ▟█▙  ", "  ███  ", " ▟███▙ ", "▟█████▙"),
    ("▜█████▛", " ▜███▛ ", "  ███  ", " ▟███▙ ", "▟█████▙"),
)
_SMALL_FIGURES: Final = ("▲", "●")
_EMBLEMS: Final = {
    REBIRTH: ("╭─╮", "╰┬╯", "─┼─"), HAPPINESS: ("─┼─", " │ ", "╰┴╯"), WATER: ("≈≈≈",) * 3,
    THREE_TRUTHS: ("┃┃┃",) * 3, RE_ATUM: ("┃ ┃",) * 3, RE_HORAKHTY: (" ┃ ",) * 3,
}  # fmt: skip
"""What decorates a special house while it is empty, but for the second row in low ones: an ankh,
the sign nefer, ripples, and the throw that bears off."""
MARKS: Final = {
    "clash": (("╲ ╱", "╱ ╲"), "x", "blow"),
    "blow": (("╲│╱", "╱│╲"), "✦", "blow"),
    "drop": (("°  ", "≈°≈"), "°", "house.water"),
    "splash": (("° °", "╲≈╱"), "≈", "house.water"),
    "rings": (("   ", "≈≈≈"), "≈", "house.water"),
    "spark": (("   ", " ✦ "), "✦", "spark"),
    "sparks": ((" ✦ ", "✦ ✦"), "✦", "spark"),
    "fading": (("✦ ✦", " · "), "·", "spark"),
}
"""What an animation shows on a house: two rows, or one sign in small houses, and the role."""
_WIDEST: Final = 15
"""Columns of the widest house."""


@dataclass(frozen=True, slots=True)
class SenetScene:
    """The content of a drawing."""

    sides: tuple[int, int]
    moves: Mapping[int, SenetMove]
    """The legal move of each dancer that has one, by its house."""
    chosen: SenetMove | None
    last: SenetMove | None
    links: Mapping[int, str]
    """How a house and the next one on the path are linked: ``pair`` or ``blockade``."""
    glyphs: Glyphs
    hand: sticks.Hand | None = None
    """The sticks; None once the race is over."""
    off: tuple[int, int] = (0, 0)
    """How many cones and spools have been borne off."""
    has_colours: bool = True
    """Whether houses are distinguished by colour."""
    marks: Mapping[int, str | int] = field(default_factory=dict)
    """During an animation what a house shows instead: one of `MARKS`, or a dancer of a seat."""

    def owner(self, house: int) -> int | None:
        """The seat whose dancer is on a house; None if empty."""
        mask, (cones, spools) = 1 << house - 1, self.sides
        return CONES if cones & mask else SPOOLS if spools & mask else None

    def click(self, house: int) -> str:
        """The move for a click on a house: of the dancer there, or the only one that ends there."""
        if house in self.moves:
            return str(self.moves[house])
        ends = [move for move in self.moves.values() if move.end == house]
        return str(ends[0]) if len(ends) == 1 else ""

    def emphasis(self, house: int) -> str:
        """The role that emphasizes a house, as part of the highlighted or the last move."""
        if self.chosen is not None and house in (self.chosen.start, self.chosen.end):
            return "chosen" if house == self.chosen.start else "target"
        if self.last is not None and house in (self.last.start, self.last.end):
            return "last-move"
        return ""


def place(house: int) -> tuple[int, int]:
    """The column and row (0-based) of a house on the board."""
    row, column = divmod(house - 1, _ROW)
    return (_ROW - 1 - column if row == 1 else column), row


def links(sides: tuple[int, int], blockade: int) -> dict[int, str]:
    """The links between adjacent houses: protected pairs and blockades."""
    found: dict[int, str] = {}
    for side in sides:
        for first, last in runs(side):
            kind = "blockade" if last - first + 1 >= blockade else "pair"
            found |= dict.fromkeys(range(first, last), kind)
    return found


def draw(scene: SenetScene, width: int, height: int) -> Picture:
    """The board in the largest form that fits."""
    if width < 51 or height < 7:
        return _lines(scene)
    if scene.glyphs is Glyphs.ASCII:
        return _framed(scene, 7 if width >= 71 and height >= 10 else 5)
    if height < 9:
        return _framed(scene, 5)
    return _tiles(scene, min(width // _ROW, _WIDEST), height)


def can_throw(width: int, height: int, glyphs: Glyphs) -> bool:
    """Whether a drawing of this size includes the sticks."""
    has_tiles = width >= 51 and height >= 9 and glyphs is not Glyphs.ASCII
    return has_tiles and sticks.rows_for(height) > 0


def _lines(scene: SenetScene) -> Picture:
    lines = []
    for first in (1, 11, 21):
        signs = []
        for house in sorted(range(first, first + _ROW), key=place):
            owner = scene.owner(house)
            empty = SIGNS[Glyphs.ASCII].get(house, ".")
            signs.append(empty if owner is None else LETTERS[owner])
        arrow = "<" if first == 11 else ">"
        lines.append(f"{first:>2}-{first + _ROW - 1} {arrow} {' '.join(signs)}")
    return Picture.of(lines)


def _framed(scene: SenetScene, cell: int) -> Picture:
    is_tall = cell > 5
    step = 3 if is_tall else 2
    canvas = Canvas(_ROW * cell + 1, 3 * step + 1)
    for row in range(4):
        canvas.put(0, row * step, ("+" + "-" * (cell - 1)) * _ROW + "+", "frame")
    for house in range(1, HOUSES + 1):
        column, row = place(house)
        x, y = column * cell, row * step + 1
        emphasis, click = scene.emphasis(house), scene.click(house)
        for line in range(step - 1):
            canvas.put(x, y + line, "|", "frame")
            canvas.put(x + 1, y + line, " " * (cell - 1), emphasis, click)
        sign = SIGNS[Glyphs.ASCII].get(house, "")
        apart = " " if sign.isdigit() else ""
        canvas.put(x + 1, y, f"{house}{apart}{sign}", f"safe {emphasis}".strip() if sign else None)
        owner = scene.owner(house)
        if owner is not None:
            text = ("CONE", "SPOOL")[owner] if is_tall else LETTERS[owner]
            canvas.put(
                x + cell - len(text) if not is_tall else x + 1, y + is_tall, text, f"seat.{owner}"
            )
        elif is_tall and house in _NAMES:
            name = _NAMES[house]
            canvas.put(x + (len(name) < cell), y + 1, name, f"safe {emphasis}".rstrip())
        if is_tall and house % _ROW == 1:
            canvas.put(x + len(f"|{house} "), y, "<-" if house == _ROW + 1 else "->", "frame")
        if scene.chosen is not None and house == scene.chosen.end:
            canvas.put(x + cell - 1, y, "<", "target")
    for row in range(3):
        for line in range(step - 1):
            canvas.put(_ROW * cell, row * step + 1 + line, "|", "frame")
    _frame_links(canvas, scene, cell, step)
    return canvas.picture()


def _frame_links(canvas: Canvas, scene: SenetScene, cell: int, step: int) -> None:
    for house, kind in scene.links.items():
        (column, row), (next_column, next_row) = place(house), place(house + 1)
        sign = "=" if kind == "blockade" else "-"
        if row == next_row:
            canvas.put(max(column, next_column) * cell, row * step + step - 1, sign, "link")
        else:
            canvas.put(
                column * cell + cell // 2, row * step + step, "#" if sign == "=" else "|", "link"
            )


def _tiles(scene: SenetScene, wide: int, height: int) -> Picture:
    rows = sticks.rows_for(height)
    # Houses look square when they are about twice as wide as high.
    high = min((height - rows) // 3, max(4, (wide + 3) // 2 + 1))
    gap = min(1, height - rows - 3 * high)
    canvas = Canvas(_ROW * wide, 3 * high + (gap + rows if rows else 0), "mat")
    if rows and scene.hand is not None:
        sticks.draw(canvas, 3 * high + gap, rows, scene.hand)
    if rows and gap:
        _trays(canvas, scene, 3 * high)
    for house in range(1, HOUSES + 1):
        _tile(canvas, scene, house, wide, high)
    for house, kind in scene.links.items():
        _tile_link(canvas, house, kind, wide, high)
    for house in _NAMES if high >= 4 else ():
        _put_name(canvas, scene, house, (wide, high))
    return canvas.picture()


def _trays(canvas: Canvas, scene: SenetScene, row: int) -> None:
    for seat, sign in enumerate(_SMALL_FIGURES):
        home = " ".join(("off", *sign * scene.off[seat])) if scene.off[seat] else ""
        canvas.put((canvas.width - len(home) - 1) * seat + 1 - seat, row, home, f"seat.{seat}")


def _tile(canvas: Canvas, scene: SenetScene, house: int, wide: int, high: int) -> None:
    column, row = place(house)
    x, y = column * wide, row * high
    ground, emphasis = _ground(house), scene.emphasis(house)
    tile = ground if emphasis in ("", "last-move") else f"{ground} {emphasis}"
    canvas.fill(x, y, wide, high, tile, scene.click(house))
    if not scene.has_colours:
        canvas.put(x, y, "─" * (wide - 1) + "┬", "frame")
        for line in range(1, high):
            canvas.put(x + wide - 1, y + line, "│", "frame")
    canvas.put(x, y, str(house), f"number {emphasis}".rstrip())
    sign = SIGNS[scene.glyphs].get(house, "")
    role = f"sign {emphasis}".rstrip()
    is_large = wide >= 7 and high >= 5
    if house in BEARS_OFF and not is_large:  # strokes are small enough, and say the throw
        sign = SIGNS[Glyphs.UNICODE][house]
    if sign and high >= 4:
        # Hieroglyphs may be wider than their cell, so the column to the right stays empty.
        canvas.put(x + wide - len(sign) - is_large, y, sign, role)
    elif sign:
        canvas.put(x + (wide - len(sign)) // 2, y + high - 1, sign, role)
    if house % _ROW == 1:
        canvas.put(x + len(str(house)) + 1, y, "←" if house == _ROW + 1 else "→", "number")
    if house in (10, 20):
        canvas.put(x + wide - 1 if house == 10 else x, y + high - 1, "↓", "number")
    if emphasis == "target":
        for right, foot, sign in ((1, 0, "┓"), (0, 1, "┗"), (1, 1, "┛")):
            canvas.put(x + right * (wide - 1), y + foot * (high - 1), sign, "target")
    mark = scene.marks.get(house)
    owner = mark if isinstance(mark, int) else scene.owner(house)
    if isinstance(mark, str):
        _mark(canvas, mark, (x, y), (wide, high))
    elif owner is not None:
        _figure(canvas, owner, (x, y), (wide, high))
    elif scene.chosen is not None and scene.chosen.end == house:
        canvas.put(x + wide // 2, y + high // 2, "○")
    elif house in _EMBLEMS and high >= 4:
        _put_rows(canvas, _EMBLEMS[house][:: 1 if high > 4 else 2], (x, y), (wide, high), "emblem")


def _put_rows(
    canvas: Canvas,
    rows: Sequence[str],
    corner: tuple[int, int],
    room: tuple[int, int],
    role: str | None = None,
) -> None:
    (x, y), (wide, high) = corner, room
    for line, text in enumerate(rows, start=(high + 1 - len(rows)) // 2):
        canvas.put(x + (wide - len(text)) // 2, y + line, text, role)


def _put_name(canvas: Canvas, scene: SenetScene, house: int, room: tuple[int, int]) -> None:
    if isinstance(scene.marks.get(house), str):
        return
    (column, row), (wide, high) = place(house), room
    left = column * wide + (wide - len(_NAMES[house]) + 1) // 2
    role = f"{_ground(house)} sign {scene.emphasis(house)}".rstrip()
    canvas.put(left, (row + 1) * high - 1, _NAMES[house], role, scene.click(house))


def _figure(canvas: Canvas, owner: int, corner: tuple[int, int], room: tuple[int, int]) -> None:
    (x, y), (wide, high) = corner, room
    role = f"seat.{owner}"
    if high < 4:
        canvas.put(x + wide // 2 - 1, y + high - 1, f" {_SMALL_FIGURES[owner]} ", role)
        return
    _put_rows(canvas, _figure_for(owner, wide, high), corner, room, role)


def _mark(canvas: Canvas, mark: str, corner: tuple[int, int], room: tuple[int, int]) -> None:
    (x, y), (wide, high) = corner, room
    rows, sign, role = MARKS[mark]
    canvas.fill(x, y, wide, high, role)
    if high < 4:
        canvas.put(x + wide // 2, y + high - 1, sign)
        return
    _put_rows(canvas, rows, corner, room)


def _figure_for(owner: int, wide: int, high: int) -> tuple[str, ...]:
    if wide >= 11 and high >= 8:
        return _LARGE_FIGURES[owner]
    return _TALL_FIGURES[owner] if wide >= 7 and high >= 6 else _FIGURES[owner]


def _tile_link(canvas: Canvas, house: int, kind: str, wide: int, high: int) -> None:
    (column, row), (next_column, next_row) = place(house), place(house + 1)
    if row != next_row or high < 3:
        return
    figure = _figure_for(0, wide, high)
    margin = (wide - len(figure[0])) // 2
    left = min(column, next_column) * wide
    # At the base of the figures, since cones are narrow above.
    foot = (high + 1 - len(figure)) // 2 + len(figure) - 1
    line = row * high + (foot if high >= 4 else high - 1)
    length = wide - len(figure[0])
    bar = "═" if kind == "blockade" else "─"
    canvas.put(left + margin + len(figure[0]), line, bar * length, "link")


def _ground(house: int) -> str:
    if house == WATER:
        return "house.water"
    tone = "light" if sum(place(house)) % 2 else "dark"
    return f"house.special.{tone}" if house in _NAMES else f"house.{tone}"


def dancer_sign(seat: int, glyphs: Glyphs) -> str:
    """The one-column sign of a side's dancers."""
    return (LETTERS if glyphs is Glyphs.ASCII else _SMALL_FIGURES)[seat]
