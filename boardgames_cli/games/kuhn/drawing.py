"""The table of Kuhn poker: two cards, two stacks of chips and the pot, on felt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span
from boardgames_cli.games.kuhn.actions import DECK, KING, LETTERS, NOT_DEALT, Card

_WIDEST: Final = 76
_CHIP_VALUES: Final = (100, 25, 5, 1)
_FIGURES: Final = "♞♛♚"
"""By card."""
_EMBLEMS: Final = (
    ("  ▗▞▘", " ▟██▙", "▀▀▀▀▀"),
    ("  ●  ", "▚▟█▙▞", "▀▀▀▀▀"),
    ("▙ ▄ ▟", "█▙█▟█", "▀▀▀▀▀"),
)
"""A feathered cap, a tiara and a crown, for large cards."""
RANKS: Final = ("JACK", "QUEEN", "KING")
_CHIPS: Final = {
    Glyphs.ASCII: {1: "==", 5: "5=", 25: "25", 100: "C="},
    Glyphs.UNICODE: {1: "▄▄▄", 5: "▐5▌", 25: "25▌", 100: "100"},
}
"""Those that are worth more than one say so: a pile is no bar chart."""
_SMALL_CHANGE: Final = 60
"""Chips up to which nothing larger than fives is used: high piles look richer."""


@dataclass(frozen=True, slots=True)
class Place:
    """One player's side of the table."""

    seat: Seat
    name: str
    card: Card
    chips: int
    says: str
    is_to_act: bool
    is_last: bool
    """Whether the last step was this player's."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a drawing depends on."""

    far: Place
    near: Place
    """The side of the viewer."""
    pot: int
    added: int
    """The chips that the highlighted action would put in."""
    notice: str
    """What the middle of the table says: the hand's number, or how it ended."""
    buttons: tuple[tuple[str, str, bool], ...]
    """Label, action and whether it is highlighted, for everything the viewer can do."""
    glyphs: Glyphs
    has_colours: bool = True
    """Whether buttons can be told by their ground; if not, by brackets."""

    @property
    def pot_text(self) -> str:
        """The pot in words, with what the highlighted action would make of it."""
        if not self.pot:
            return ""
        if not self.added:
            return f"pot {self.pot}"
        arrow = "->" if self.glyphs is Glyphs.ASCII else "→"
        return f"pot {self.pot} {arrow} {self.pot + self.added}"


@dataclass(frozen=True, slots=True)
class _Layout:
    """Sizes that go together."""

    card: tuple[int, int]
    rows: int
    far: int
    """The row of the far player's card, then those of the pot, the near card and the buttons."""
    pot: int
    near: int
    buttons: int
    pile: int
    """How many chips lie on each other at most."""


_LARGE: Final = _Layout((11, 9), 29, 1, 12, 17, 27, 5)
_MEDIUM: Final = _Layout((7, 5), 16, 0, 7, 9, 15, 4)
_SMALL: Final = _Layout((5, 3), 12, 0, 4, 7, 11, 3)


def draw(scene: Scene, width: int, height: int) -> Picture:
    """The table in the largest form that fits."""
    is_ascii = scene.glyphs is Glyphs.ASCII
    if width < 44 or height < 8:
        return _lines(scene)
    if height >= _LARGE.rows and width >= 60:
        return _table(scene, _LARGE, width)
    if is_ascii or height < _SMALL.rows:
        return _compact(scene, width)
    return _table(scene, _MEDIUM if height >= _MEDIUM.rows else _SMALL, width)


def _lines(scene: Scene) -> Picture:
    """One line for each player and one for the pot, for the narrowest terminals."""
    lines = [
        [
            Span(f"{'>' if place.is_to_act else ' '} "),
            Span(f"{place.name[:12]:12}", f"seat.{place.seat}"),
            Span(f" {_bracketed(place.card)} {place.chips:>4}"),
        ]
        for place in (scene.far, scene.near)
    ]
    lines.append([Span(f"  {scene.pot_text or scene.notice}")])
    if scene.buttons:
        lines.append([Span("  "), *_button_spans(scene)])
    return Picture.of(lines)


def _compact(scene: Scene, width: int) -> Picture:
    """Eight lines of text, for plain output and small windows."""
    wide = min(width, 60)
    canvas = Canvas(wide, 8, "felt")
    for row, place in ((0, scene.far), (5, scene.near)):
        mark = ">" if place.is_to_act else " "
        canvas.put(1, row, mark, "says")
        canvas.put(3, row, place.name[: wide - 32], _name_role(place))
        canvas.put(wide - 27, row, f"card {_bracketed(place.card)}")
        canvas.put(wide - 14, row, f"chips {place.chips}")
        canvas.put(3, row + (1 if row == 0 else -1), place.says, _says_role(place))
    canvas.put(wide - 27, 2, scene.pot_text, "felt.pot")
    canvas.put(3, 3, scene.notice[: wide - 4], "felt.dim")
    _put_buttons(canvas, scene, 3, 7)
    return canvas.picture()


def _table(scene: Scene, layout: _Layout, width: int) -> Picture:
    """The table with cards and chips."""
    wide = min(width, _WIDEST)
    canvas = Canvas(wide, layout.rows, "felt")
    left = (wide - layout.card[0]) // 2
    right = left + layout.card[0] + 3
    for top, place in ((layout.far, scene.far), (layout.near, scene.near)):
        high = layout.card[1]
        _card(canvas, place.card, (left, top), layout.card, scene.glyphs)
        name = f"{'>' if place.is_to_act else ' '} {place.name}"
        canvas.put(1, top, name[: left - 2], _name_role(place))
        canvas.put(3, top + 1, f"chips {place.chips}", "felt.dim")
        canvas.put(3, top + high - 1, place.says, _says_role(place))
        _piles(canvas, place.chips, (right, top + high - 1), min(layout.pile, high), scene.glyphs)
    _middle(canvas, scene, layout, left, right)
    _put_buttons(canvas, scene, max(3, left - 6), layout.buttons)
    return canvas.picture()


def _middle(canvas: Canvas, scene: Scene, layout: _Layout, left: int, right: int) -> None:
    line = "-" if scene.glyphs is Glyphs.ASCII else "─"
    if layout is _LARGE:
        for row in (layout.pot - 2, layout.near - 1):
            canvas.put(2, row, line * (canvas.width - 4), "felt.line")
    canvas.put(right, layout.pot, scene.pot_text, "felt.pot")
    _piles(canvas, scene.pot, (left, layout.pot), 2, scene.glyphs)
    long = len(scene.notice) > left - 4
    canvas.put(3, layout.pot + long, scene.notice[: canvas.width - 6], "felt")


def _card(
    canvas: Canvas, card: Card, corner: tuple[int, int], size: tuple[int, int], glyphs: Glyphs
) -> None:
    (x, y), (wide, high) = corner, size
    role = "slot" if card == NOT_DEALT else "face" if card in DECK else "back"
    corners = "++++-|" if glyphs is Glyphs.ASCII else "┌┐└┘─│"
    inside = " "
    if role == "back" and glyphs is not Glyphs.ASCII:
        inside = "░"
    canvas.put(x, y, corners[0] + corners[4] * (wide - 2) + corners[1], role)
    for row in range(1, high - 1):
        canvas.put(x, y + row, corners[5] + inside * (wide - 2) + corners[5], role)
    canvas.put(x, y + high - 1, corners[2] + corners[4] * (wide - 2) + corners[3], role)
    middle = (x + wide // 2, y + high // 2)
    if role == "back":
        canvas.put(*middle, "?", role)
    elif role == "face":
        _face(canvas, card, corner, size, glyphs)


def _face(
    canvas: Canvas, card: Card, corner: tuple[int, int], size: tuple[int, int], glyphs: Glyphs
) -> None:
    (x, y), (wide, high) = corner, size
    role = "face" if card == KING else "face.red"
    if high > 3:
        canvas.put(x + 1, y + 1, LETTERS[card], role)
        canvas.put(x + wide - 2, y + high - 2, LETTERS[card], role)
    middle = y + high // 2
    if high > 5:
        name = RANKS[card]
        canvas.put(x + (wide - len(name) + 1) // 2, middle + 2, name, role)
        if glyphs is not Glyphs.ASCII:
            for line, text in enumerate(_EMBLEMS[card]):
                canvas.put(x + (wide - len(text)) // 2, middle - 1 + line, text, role)
            return
    figure = LETTERS[card] if glyphs is Glyphs.ASCII or high <= 3 else _FIGURES[card]
    canvas.put(x + wide // 2, middle, figure, role)


def chip_piles(chips: int, highest: int) -> Iterator[tuple[int, int]]:
    """Chips as piles: the value of each pile's chips, and how many lie in it."""
    for value in _CHIP_VALUES if chips > _SMALL_CHANGE else _CHIP_VALUES[2:]:
        count, chips = divmod(chips, value)
        while count > 0:
            yield value, min(count, highest)
            count -= highest


def chip_sign(value: int, glyphs: Glyphs) -> str:
    """One chip of a value."""
    return _CHIPS[Glyphs.ASCII if glyphs is Glyphs.ASCII else Glyphs.UNICODE][value]


def _piles(canvas: Canvas, chips: int, foot: tuple[int, int], highest: int, glyphs: Glyphs) -> None:
    x, y = foot
    for value, count in chip_piles(chips, highest):
        chip = chip_sign(value, glyphs)
        for height in range(count):
            canvas.put(x, y - height, chip, f"chip.{value}")
        x += len(chip) + 1


def _put_buttons(canvas: Canvas, scene: Scene, x: int, y: int) -> None:
    for label, action, is_chosen in scene.buttons:
        is_framed = scene.glyphs is Glyphs.ASCII or not scene.has_colours
        text = f"[{label}]" if is_framed else f" {label} "
        canvas.put(x, y, text, "chosen" if is_chosen else "button", action)
        x += len(text) + 2


def _button_spans(scene: Scene) -> Iterator[Span]:
    for label, action, is_chosen in scene.buttons:
        yield Span(f"[{label}]", "chosen" if is_chosen else "button", action)
        yield Span(" ")


def _bracketed(card: Card) -> str:
    if card == NOT_DEALT:
        return "[ ]"
    return f"[{LETTERS[card] if card in DECK else '?'}]"


def _name_role(place: Place) -> str:
    return f"seat.{place.seat}"


def _says_role(place: Place) -> str:
    return "says last-move" if place.is_last else "says"
