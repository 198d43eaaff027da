"""Draws the trail: as a sea in colour with the submarine on top, and as a line of plain text.

In colour the trail has four rows of eight places, alternately from left to right and from right to
left, so that neighbours stay adjacent. Each row is darker than the one above.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.presentation.styles import themed
from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span, columns
from boardgames_cli.games.deepsea.actions import FACES, Dice
from boardgames_cli.games.deepsea.chips import BLANK, GONE, PLACES
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from boardgames_cli.games.deepsea.view.signs import chip_letter, chip_role, chip_sign, gauge, letter

SHADES: Final = 12
"""The number of shades from the surface to the ground; the roles are ``depth.0`` to
``depth.11``."""


def _depths(*themes: tuple[str, str, str]) -> dict[str, tuple[str, ...]]:
    return {
        f"depth.{step}": tuple(
            f"{ink} on #{_mixed(top, bottom, step / (SHADES - 1))}" for top, bottom, ink in themes
        )
        for step in range(SHADES)
    }


def _mixed(first: str, last: str, share: float) -> str:
    low, high = (
        [int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (first, last)
    )
    parts = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return "".join(f"{part:02x}" for part in parts)


PALETTE: Final = themed(
    {
        **_depths(("#0e4367", "#07182e", "#ffffff"), ("#dcf1fb", "#a9d3ec", "#08233a")),
        "card": ("#ffffff on #07182e", "#08233a on #d9f0fb"),
        "card.title": ("bold #ffffff on #1d5f8c", "bold #08233a on #8fc3e3"),
        "card.number": ("bold #ffd75f on #07182e", "bold #7a3d00 on #d9f0fb"),
        "chip.1": ("#ffffff on #4a5d6b", "#08233a on #b7c4cc"),
        "chip.2": ("#ffffff on #1f7a5c", "#08233a on #a5d9c2"),
        "chip.3": ("#14202b on #7fd1b9", "#ffffff on #0f6b52"),
        "chip.4": ("bold #241a00 on #ffd75f", "bold #241a00 on #ffd75f"),
        "chip.stack": ("bold #241a00 on #ffb27a", "bold #241a00 on #ffb27a"),
        "blank": ("#ffffff", "#08233a"),
        "gone": ("#ffffff", "#08233a"),
        "rope": ("#ffffff", "#08233a"),
        "number": ("#ffffff", "#08233a"),
        "sand": ("#8f7a4a", "#b99a55"),
        "sub": ("#e0a93a", "#e0a93a"),
        "hull": ("bold #14202b on #e0a93a", "bold #14202b on #e0a93a"),
        "window.lit": ("bold #241a00 on #fff3c4", "bold #241a00 on #fff3c4"),
        "window.dark": ("#e9e2d0 on #4a3a1a", "#fff3c4 on #4a3a1a"),
        "gauge.full": ("#6cb6ff", "#0b5cad"),
        "gauge.half": ("#ffd75f", "#7a5200"),
        "gauge.low": ("#ff8f6b", "#a03f00"),
        "gauge.alarm": ("bold #ffffff on #8c1c13", "bold #ffffff on #a01818"),
        "gauge.used": ("#5f6a75", "#75694f"),
        "target": ("bold underline", "bold underline"),
        "turn": ("reverse", "reverse"),
        "die": ("bold #14202b on #fff3c4", "bold #14202b on #fffbe6"),
        "no-return": ("bold #ff8f6b", "bold #a03f00"),
        "odds.good": ("#6cb6ff", "#0b5cad"),
        "odds.even": ("#ffd75f", "#7a5200"),
        "odds.bad": ("bold #ff8f6b", "bold #a03f00"),
        "card.open": ("bold #241a00 on #fff3c4", "bold #241a00 on #ffe9a0"),
        "winner": ("bold #ffd75f", "bold #7a5200"),
        "drowned": ("#ff9e57", "#9a3c00"),
    }
)

ACROSS: Final = 8
_ROWS: Final = PLACES // ACROSS
LEAST_WIDTH: Final = 5 * ACROSS
LEAST_HEIGHT: Final = 2 + 2 * _ROWS
_TALL_SUBMARINE: Final = 3
_TILE_BAND: Final = 5
"""The least height of a row of places, in lines, at which chips are tiles of two lines."""
_WINDOW: Final = 5
"""The width of a window with its frame, in columns."""


ROLLS: Final = 6

_WIDE: Final = 5
_APART: Final = 2
_LATER: Final = 1
"""The number of pictures between the first and the second die coming to rest."""
_STRIDE: Final = 2
"""The columns a die moves from picture to picture."""
_SIGN: Final = 3

_DICE_WIDTH: Final = 2 * _WIDE + _APART
_SIGNS_WIDTH: Final = 2 * _SIGN + 1

_PIPS: Final = {
    1: ("     ", "  ●  ", "     "),
    2: (" ●   ", "     ", "   ● "),
    3: (" ●   ", "  ●  ", "   ● "),
}
_EDGES: Final = ("┌───┐", "└───┘")


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """A throw of two dice, as drawn."""

    dice: Dice
    roll: int | None = None
    """The index of the picture in the animation; None when the dice are at rest."""

    def face(self, die: int) -> int:
        """The face of one die; while it rolls, it changes from picture to picture."""
        last = (self.dice.first, self.dice.second)[die]
        return FACES[(last - 1 - self.to_go(die)) % len(FACES)]

    def to_go(self, die: int) -> int:
        """The number of pictures until one of the dice comes to rest."""
        rest = ROLLS - 1 + _LATER
        return 0 if self.roll is None else max(0, rest - _LATER * (1 - die) - self.roll)


def _put_dice(
    canvas: Canvas, top: int, throw: DiceThrow, *, has_colours: bool, is_small: bool = False
) -> None:
    wide, apart, stride = (_SIGN, 1, 1) if is_small else (_WIDE, _APART, _STRIDE)
    for die in (0, 1):
        left = canvas.width - (2 - die) * (wide + apart) + apart + stride * throw.to_go(die)
        face = throw.face(die)
        if is_small:
            rows: tuple[str, ...] = (f" {face} " if has_colours else f"[{face}]",)
        else:
            rows = _PIPS[face] if has_colours else (_EDGES[0], f"│ {face} │", _EDGES[1])
        for line, row in enumerate(rows, top):
            canvas.put(left, line, row, "die")


@dataclass(frozen=True, slots=True)
class TrailScene:
    """Everything a drawing depends on."""

    state: DeepSeaState
    full: int
    clicks: Mapping[int, str] = field(default_factory=dict)
    """The action of a click, by place (0 is the submarine)."""
    targets: frozenset[int] = frozenset()
    """The places affected by the highlighted action."""
    turn: int | None = None
    throw: DiceThrow | None = None
    no_return: int | None = None
    """The deepest place from which the acting diver will probably get home; None hides the mark."""
    has_colours: bool = True
    drowned: frozenset[int] = frozenset()
    """The seats that did not come home, at the end of a round."""
    sunk: int = 0
    """By how many lines these have sunk."""
    panel: Sequence[Sequence[Span]] = ()
    """Lines that lie over the lowest part of the sea."""


_HIGHEST_BAND: Final = 6
_SAND: Final = "▁▁▂▂▃▃▂▂▁▁▂▃▄▃▂▁"


@dataclass(frozen=True, slots=True)
class _TrailLayout:
    width: int
    height: int
    cell: int
    """The width of a place, in columns."""
    band: int
    """The height of a row of places, in lines."""
    top: int
    """The first line of the first row; above it are the gauge and the submarine."""

    @classmethod
    def of(cls, width: int, height: int) -> _TrailLayout:
        cell = min(width // ACROSS, 11)
        tall = height >= 1 + _TALL_SUBMARINE + 3 * _ROWS
        top = 1 + (_TALL_SUBMARINE if tall else 1)
        band = max(2, min((height - top) // _ROWS, _HIGHEST_BAND))
        return cls(cell * ACROSS, top + band * _ROWS, cell, band, top)

    def corner(self, place: int) -> tuple[int, int]:
        row, column = divmod(place - 1, ACROSS)
        if row % 2:
            column = ACROSS - 1 - column
        return column * self.cell, self.top + row * self.band

    def shade(self, line: int) -> str:
        return f"depth.{(line - 1) * (SHADES - 1) // max(1, self.height - 2)}"


def draw(scene: TrailScene, width: int, height: int) -> Picture:
    """Draw the sea in the given size, at least `LEAST_WIDTH` x `LEAST_HEIGHT`."""
    layout = _TrailLayout.of(width, height)
    canvas = Canvas(layout.width, layout.height)
    for line in range(1, layout.height):
        canvas.fill(0, line, layout.width, 1, layout.shade(line))
    _put_line(canvas, 0, 0, gauge(scene.state.oxygen, scene.full, layout.width))
    _draw_submarine(canvas, scene, layout)
    _draw_dice(canvas, scene, layout)
    for place in range(1, PLACES + 1):
        _draw_rope(canvas, layout, place)
    for place in range(1, PLACES + 1):
        _draw_place(canvas, scene, layout, place)
    _draw_no_return(canvas, scene, layout)
    for seat, place in enumerate(scene.state.places):
        if place:
            _draw_diver(canvas, scene, layout, seat)
    if layout.band == _HIGHEST_BAND:  # its last line is free
        sand = (_SAND * layout.width)[: layout.width]
        canvas.put(0, layout.height - 1, sand, f"{layout.shade(layout.height - 1)} sand")
    _draw_panel(canvas, scene, layout)
    return canvas.picture()


def panel_rows(width: int, height: int) -> int:
    """The lines that a panel may take without covering the submarine."""
    layout = _TrailLayout.of(width, height)
    return layout.height - layout.top


def _draw_panel(canvas: Canvas, scene: TrailScene, layout: _TrailLayout) -> None:
    for line, spans in enumerate(scene.panel, start=layout.height - len(scene.panel)):
        canvas.fill(0, line, layout.width, 1, layout.shade(line))
        _put_line(canvas, 1, line, spans, layout.shade(line))


def _put_line(
    canvas: Canvas, column: int, line: int, spans: Sequence[Span], ground: str = ""
) -> None:
    for span in spans:
        canvas.put(column, line, span.text, f"{ground} {span.role}".strip())
        column += columns(span.text)


def _draw_submarine(canvas: Canvas, scene: TrailScene, layout: _TrailLayout) -> None:
    state = scene.state
    click = scene.clicks.get(0)
    length = _length(scene)
    line = layout.top - 1
    if layout.top > 2:
        canvas.put(4, 1, "▟█▙", "depth.0 sub")
        canvas.put(3, 1, "┍", "depth.0 sub")
        line = 2
        canvas.put(1, 3, "▔" * (length - 2), f"{layout.shade(3)} sub")
    canvas.put(0, line, "▐".ljust(length - 1, "█") + "▌", f"{layout.shade(line)} sub", click)
    hull = "hull target" if 0 in scene.targets else "hull"
    canvas.put(1, line, " " * (length - 2), hull, click)
    for seat, place in enumerate(state.places):
        column = 2 + seat * _WINDOW
        if place:
            canvas.put(column + 1, line, " ○ ", "window.dark", click)
        else:
            sign = letter(seat, diving=state.diving[seat])
            role = "window.lit turn" if seat == scene.turn else "window.lit"
            canvas.put(column + 1, line, f" {sign} ", role, click)
    home = sum(not place and not out for place, out in zip(state.places, state.diving, strict=True))
    note = f"{home} home" if home else ""
    if length + 1 + len(note) <= layout.width - (_DICE_WIDTH if scene.throw else 0):
        canvas.put(length + 1, line, note, f"{layout.shade(line)} number")


def _length(scene: TrailScene) -> int:
    return _WINDOW * len(scene.state.places) + 4


def _draw_dice(canvas: Canvas, scene: TrailScene, layout: _TrailLayout) -> None:
    room = layout.width - _length(scene)
    if scene.throw is None:
        return
    if layout.top > _TALL_SUBMARINE and room > _DICE_WIDTH:
        _put_dice(canvas, 1, scene.throw, has_colours=scene.has_colours)
    elif room > _SIGNS_WIDTH:
        _put_dice(canvas, layout.top - 1, scene.throw, has_colours=scene.has_colours, is_small=True)


def _draw_no_return(canvas: Canvas, scene: TrailScene, layout: _TrailLayout) -> None:
    place = scene.no_return
    if not place or place >= PLACES:
        return
    x, y = layout.corner(place)
    line = y + _chip_line(layout)
    runs_right = ((place - 1) // ACROSS) % 2 == 0
    column = x + layout.cell - 1 if runs_right else x
    for row in range(y if layout.band > 2 else line, line + 1):
        canvas.put(column, row, "┃", f"{layout.shade(row)} no-return")


def _draw_rope(canvas: Canvas, layout: _TrailLayout, place: int) -> None:
    x, y = layout.corner(place)
    chip_line = y + _chip_line(layout)
    canvas.put(x, chip_line, "┄" * layout.cell, f"{layout.shade(chip_line)} rope")
    if place % ACROSS == 0 and place < PLACES:
        column = x + layout.cell // 2
        for line in range(chip_line + 1, chip_line + layout.band):
            canvas.put(column, line, "┊", f"{layout.shade(line)} rope")
        # The way of the trail: the arrow of a diver does not turn with the rows.
        line -= layout.band >= _TILE_BAND  # tiles reach into the line above the next row
        canvas.put(column, line, "▼", f"{layout.shade(line)} rope")


def _chip_line(layout: _TrailLayout) -> int:
    return 1 if layout.band < 4 else 2


def _draw_place(canvas: Canvas, scene: TrailScene, layout: _TrailLayout, place: int) -> None:
    chip = scene.state.trail[place - 1]
    x, y = layout.corner(place)
    line = y + _chip_line(layout)
    click = scene.clicks.get(place)
    ground = layout.shade(line)
    mark = " target" if place in scene.targets else ""
    sign = chip_sign(chip, Glyphs.UNICODE)
    text = sign if chip in (BLANK, GONE) else f" {sign} "
    left = x + (layout.cell - len(text)) // 2
    canvas.put(left, line, text, f"{ground} {chip_role(chip)}{mark}", click)
    if layout.band >= _TILE_BAND and chip not in (BLANK, GONE):
        # Tall cells show chips as tiles of two lines.
        shape = f" {sign[0] * 2} "[: len(text)].center(len(text))
        canvas.put(left, line - 1, shape, f"{chip_role(chip)}{mark}", click)
    number_line = line + 1
    if layout.band >= 3 and chip != GONE:
        number = str(place)
        column = x + (layout.cell - len(number)) // 2
        canvas.put(column, number_line, number, f"{layout.shade(number_line)} number{mark}")


def _draw_diver(canvas: Canvas, scene: TrailScene, layout: _TrailLayout, seat: int) -> None:
    state = scene.state
    place = state.places[seat]
    x, y = layout.corner(place)
    sign = letter(seat, diving=state.diving[seat])
    # The same on every row, whichever way it runs: the first environment's signs.
    text = f"{sign}>" if state.diving[seat] else f"<{sign}"
    if seat in scene.drowned:
        depth = min(layout.height - 1, y + scene.sunk)
        for line in range(y, depth):
            canvas.put(x + layout.cell // 2, line, "°", f"{layout.shade(line)} number")
        text, y = f"{sign}×", depth
    if seat == scene.turn:
        text = f" {text} "
    role = f"seat.{seat}" + (" turn" if seat == scene.turn else "")
    canvas.put(x + (layout.cell - len(text)) // 2, y, text, role)
    load = len(state.held[seat])
    if layout.cell >= 7 and load:
        right = x + (layout.cell + len(text)) // 2
        canvas.put(right, y, "•" * min(load, 2) if load < 3 else f"•{load}", f"{layout.shade(y)}")


_SUBMARINE: Final = 8
"""The width of ``[______]``."""
_NOTE: Final = _SUBMARINE + 2 * PLACES + 2
"""The column of the notes next to the trail."""
_NARROWEST: Final = 24


def draw_line(state: DeepSeaState, full: int, width: int) -> Picture:
    """The trail on one line of text, as the game's first environment printed it.

    ::

        [____AB]  C         d                                               ||  Player C's turn.
                 1 1 0 1 - 1 1 2 2 2 ...                                    ||  Current O2: 21

    If that is too wide, the turn and the oxygen go above the trail, and the trail wraps.
    """
    notes = (_turn(state), f"Current O2: {state.oxygen}")
    beside = max(len(f"||  {note}") for note in notes)
    if width >= _NOTE + beside:
        canvas = Canvas(_NOTE + beside, 2)
        for row, note in enumerate(notes):
            canvas.put(_NOTE, row, f"||  {note}")
        _draw_trail(canvas, state, 0, PLACES)
        return canvas.picture()
    headers = (f"{notes[0]} Oxygen {state.oxygen} of {full}.", f"{notes[0]} O2 {state.oxygen}")
    header = next((text for text in headers if len(text) <= width), headers[-1])
    across = next((places for places in (PLACES, 16, 8) if width >= _SUBMARINE + 2 * places - 1), 8)
    rows = PLACES // across
    canvas = Canvas(max(_NARROWEST, len(header), _SUBMARINE + 2 * across - 1), 1 + 2 * rows)
    canvas.put(0, 0, header)
    _draw_trail(canvas, state, 1, across)
    return canvas.picture()


def _turn(state: DeepSeaState) -> str:
    if state.phase is Phase.OVER:
        return "The game is over."
    if state.phase is Phase.START:
        return "Nobody has begun."
    if state.phase is Phase.REVEAL:
        return f"Round {state.round + 1} is over."
    return f"Player {letter(state.current, diving=True)}'s turn."


def _draw_trail(canvas: Canvas, state: DeepSeaState, top: int, across: int) -> None:
    canvas.put(0, top, "[______]", "hull")
    players = len(state.places)
    # The diver whose turn comes first is nearest to the hatch.
    order = [(state.current + step) % players for step in range(players)]
    inside = [seat for seat in order if not state.places[seat]]
    for index, seat in enumerate(inside):
        sign = letter(seat, diving=state.diving[seat])
        canvas.put(_SUBMARINE - 2 - index, top, sign, f"hull seat.{seat}")
    for place, chip in enumerate(state.trail, start=1):
        column, row = _spot(place, top, across)
        canvas.put(column, row + 1, chip_letter(chip), chip_role(chip))
    for seat, place in enumerate(state.places):
        if place:
            column, row = _spot(place, top, across)
            canvas.put(column, row, letter(seat, diving=state.diving[seat]), f"seat.{seat}")


def _spot(place: int, top: int, across: int) -> tuple[int, int]:
    row, column = divmod(place - 1, across)
    return _SUBMARINE + 2 * column, top + 2 * row
