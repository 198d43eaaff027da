"""The table of Kuhn poker: two cards, two stacks of chips and the pot, on felt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.presentation.styles import themed
from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span, columns, cut, justified
from boardgames_cli.games.kuhn.actions import DECK, KING, LETTERS, NOT_DEALT, Card

PALETTE: Final = themed(
    {
        "card": ("#e9e2d0 on #0d472a", "#10301f on #c6e4c2"),
        "card.title": ("bold #1b1a18 on #e8c15a", "bold #ffffff on #0d472a"),
        "card.number": ("bold #ffe08a on #0d472a", "bold #0f4d2e on #c6e4c2"),
        "felt": ("#e9e2d0 on #0d472a", "#10301f on #c6e4c2"),
        "felt.dim": ("#b9d3c2 on #0d472a", "#2f5a42 on #c6e4c2"),
        "felt.line": ("#57a07b on #0d472a", "#4f7d63 on #c6e4c2"),
        "felt.pot": ("bold #ffe08a on #0d472a", "bold #5a4300 on #c6e4c2"),
        "says": ("bold #ffffff on #0d472a", "bold #000000 on #c6e4c2"),
        "last-move": ("underline", "underline"),
        "face": ("bold #1b1a18 on #f6f0df", "bold #1b1a18 on #fffdf6"),
        "face.red": ("bold #a01818 on #f6f0df", "bold #a01818 on #fffdf6"),
        "face.edge": ("#8a7c58 on #f6f0df", "#8a7c58 on #fffdf6"),
        "back": ("#7f9ad2 on #24345c", "#a9bde8 on #2d4a8a"),
        "back.edge": ("#9fb4de on #24345c", "#c3d2f5 on #2d4a8a"),
        "back.sign": ("bold #f6f0df on #24345c", "bold #ffffff on #2d4a8a"),
        "shadow": ("#062a18 on #0d472a", "#9dc0a6 on #c6e4c2"),
        "slot": ("#57a07b on #0d472a", "#4f7d63 on #c6e4c2"),
        "button": ("bold #1b1a18 on #e8c15a", "bold #ffffff on #7a5200"),
        "chosen": ("bold #1b1a18 on #ffffff", "bold #ffffff on #2b2118"),
        "sliding": ("bold #ffe08a on #0d472a", "bold #6b4f00 on #c6e4c2"),
        "chip.1": ("#f3ead2 on #0d472a", "#5f5641 on #c6e4c2"),
        "chip.1.pair": ("#f3ead2 on #a99c7c", "#5f5641 on #a3987c"),
        "chip.5": ("#ff9480 on #0d472a", "#9c2412 on #c6e4c2"),
        "chip.5.pair": ("#ff9480 on #ad4230", "#9c2412 on #d97c66"),
        "chip.25": ("#9ccbff on #0d472a", "#0b4a8a on #c6e4c2"),
        "chip.25.pair": ("#9ccbff on #3f74b0", "#0b4a8a on #6f9fd0"),
        "chip.100": ("#ffe08a on #0d472a", "#6b4f00 on #c6e4c2"),
        "chip.100.pair": ("#ffe08a on #a8842c", "#6b4f00 on #c79f3a"),
    }
)

_FIGURES: Final = "♞♛♚"
_EMBLEMS: Final = (
    ("  ▗▞▘", " ▟██▙", "▀▀▀▀▀"),
    ("  ●  ", "▚▟█▙▞", "▀▀▀▀▀"),
    ("▙ ▄ ▟", "█▙█▟█", "▀▀▀▀▀"),
)
"""A feathered cap, a tiara and a crown, for middling cards."""
_LARGE_EMBLEMS: Final = (
    ("     ▗▄▞▀", "   ▗▟█▛  ", " ▗▟████▖ ", "▟███████▙", "▀▀▀▀▀▀▀▀▀"),
    ("    ●    ", " ▄  █  ▄ ", "▐▙ ▟█▙ ▟▌", "▝███████▘", " ▀▀▀▀▀▀▀ "),
    ("▄   ▄   ▄", "█▙ ▟█▙ ▟█", "█████████", "█ ▀ █ ▀ █", "▀▀▀▀▀▀▀▀▀"),
)
RANKS: Final = ("JACK", "QUEEN", "KING")
_CHIP_WIDTH: Final = 4
_FACES: Final = ((11, 4), (6, 2))
"""The least height of a card, and the rows of the face beside it without its frame."""
_EYES: Final = {"o": "●", "O": "○"}
_MOUTHS: Final = {"^": "╰─╯", "T": "╭─╮", "O": "( )", ">": "──╯"}
"""The eyes and the mouth of a drawn face, by its eyes in text."""

VALUES: Final = (100, 25, 5, 1)
_ASCII_CHIPS: Final = {1: "==", 5: "5=", 25: "25", 100: "C="}
"""Higher values are labelled, since the height of a pile does not show its value."""
_THINNEST: Final = 2
_HIGHEST: Final = 10
"""The preferred height of a pile: tens are easy to count."""


def chip_piles(
    chips: int, highest: int, values: Sequence[int] = VALUES
) -> Iterator[tuple[int, int]]:
    """Chips in piles of at most that height: the value, from the highest on, and their number."""
    for value in values:
        count, chips = divmod(chips, value)
        while count > 0:
            yield value, min(count, highest)
            count -= highest


def chip_sign(value: int, glyphs: Glyphs, width: int = _CHIP_WIDTH) -> str:
    """One chip of a value."""
    return _ASCII_CHIPS[value] if glyphs is Glyphs.ASCII else "▄" * width


@dataclass(frozen=True, slots=True)
class Stacks:
    """How all stacks of a table are drawn, consistently, so that they can be compared.

    If there is space, chips of value 1 are drawn; otherwise as few higher ones as possible.
    """

    glyphs: Glyphs
    highest: int
    each: int
    """Chips per row of a pile: two if each half of a row has its own colour."""
    values: Sequence[int]
    width: int
    """Columns of a chip."""

    @classmethod
    def of(cls, most: int, columns: int, rows: int, glyphs: Glyphs, has_colours: bool) -> Stacks:
        """The stacks for a table; ``most`` is the value of the larger one.

        Each has so many columns and rows, and one row below for the value of its chips.
        """
        is_ascii = glyphs is Glyphs.ASCII
        each = 2 if has_colours and not is_ascii else 1
        highest = min(_HIGHEST, each * rows)
        widths = (len(_ASCII_CHIPS[1]),) if is_ascii else range(_CHIP_WIDTH, _THINNEST - 1, -1)
        kinds = [VALUES[first:] for first in reversed(range(len(VALUES)))]
        for values in kinds:
            for width in widths:
                piles = len(list(chip_piles(most, highest, values)))
                if piles * (width + 1) - 1 <= columns:
                    return cls(glyphs, highest, each, values, width)
        return cls(glyphs, highest, each, VALUES, widths[-1])

    def draw(self, canvas: Canvas, chips: int, x: int, foot: int) -> None:
        """Draw a stack of a value from column x on, above the row ``foot`` that says its chips."""
        for value, count in chip_piles(chips, self.highest, self.values):
            chip = chip_sign(value, self.glyphs, self.width)
            whole, rest = divmod(count, self.each)
            for row in range(1, whole + 1):
                if self.each == 2:
                    canvas.put(x, foot - row, "▀" * self.width, f"chip.{value}.pair")
                else:
                    canvas.put(x, foot - row, chip, f"chip.{value}")
            if rest:
                canvas.put(x, foot - whole - 1, chip, f"chip.{value}")
            number = count if len(self.values) == 1 else value
            if len(str(number)) <= len(chip):
                canvas.put(x, foot, f"{number:^{len(chip)}}", "felt.dim")
            x += len(chip) + 1


@dataclass(frozen=True, slots=True)
class SeatArea:
    """One player's side of the table."""

    seat: Seat
    name: str
    card: Card
    chips: int
    says: str
    is_to_act: bool
    is_last: bool
    face: str = ""
    shown: float = 1.0
    """The share of the card's width that can be seen while it is turned over."""


@dataclass(frozen=True, slots=True)
class CardScene:
    """The content of a drawing."""

    far: SeatArea
    near: SeatArea
    """The side of the viewer."""
    pot: int
    added: int
    """The chips that the highlighted action would put in."""
    notice: str
    """The text in the middle of the table: the hand's number, or its result."""
    standing: str
    """Who leads the match, if it has several hands."""
    buttons: tuple[tuple[str, str, bool], ...]
    """Label, action and whether it is highlighted, for everything the viewer can do."""
    glyphs: Glyphs
    has_colours: bool = True
    """Whether buttons are shown by their background; if not, by brackets."""
    sliding: tuple[Seat, float, int] | None = None
    """Chips on the table: whose, the share of the way to the pot behind them, and how many."""

    @property
    def pot_text(self) -> str:
        """The pot in words, including the effect of the highlighted action."""
        if not self.pot:
            return ""
        if not self.added:
            return f"pot {self.pot}"
        arrow = "->" if self.glyphs is Glyphs.ASCII else "→"
        return f"pot {self.pot} {arrow} {self.pot + self.added}"


@dataclass(frozen=True, slots=True)
class _CardLayout:
    width: int
    height: int
    card: tuple[int, int]
    """Columns and rows of a card."""
    gap: int
    """Rows above and below the cards and the pot."""

    @classmethod
    def of(cls, width: int, height: int) -> _CardLayout | None:
        """The layout with the largest cards that fit; None if none do."""
        for card in _CARDS:
            spare = height - 2 * card[1] - _POT_ROWS - 1
            if spare >= 0:
                return cls(width, height, card, spare // 4)
        return None

    @property
    def left(self) -> int:
        return (self.width - self.card[0]) // 2

    @property
    def words(self) -> int:
        return max(4, self.left - 28)

    @property
    def right(self) -> int:
        return self.left + self.card[0] + 3

    @property
    def far(self) -> int:
        return self.gap

    @property
    def pot(self) -> int:
        return self.far + self.card[1] + self.gap + _POT_ROWS // 2

    @property
    def near(self) -> int:
        return self.pot + _POT_ROWS // 2 + 1 + self.gap

    @property
    def buttons(self) -> int:
        return self.height - 1 - self.gap // 2


_CARDS: Final = ((19, 14), (15, 11), (13, 9), (9, 6), (7, 4))
_NARROWEST: Final = _CARDS[-1][0]
"""A card that is being turned over shows nothing if fewer columns can be seen."""
_POT_ROWS: Final = 3


def draw(scene: CardScene, width: int, height: int) -> Picture:
    """The table in the largest form that fits; in colour it fills the room."""
    if width < 44 or height < 8:
        return _lines(scene)
    layout = _CardLayout.of(width, height)
    if scene.glyphs is Glyphs.ASCII:
        layout = _CardLayout.of(min(width, 76), min(height, _ASCII_ROWS))
        if height < _ASCII_ROWS or layout is None:
            return _compact(scene, width)
    return _compact(scene, width) if layout is None else _table(scene, layout)


_ASCII_ROWS: Final = 29


def _lines(scene: CardScene) -> Picture:
    lines = [
        [
            Span(f"{'>' if place.is_to_act else ' '} "),
            Span(f"{justified(cut(place.name, 12), 12)}", f"seat.{place.seat}"),
            Span(f" {_bracketed(place.card)} {place.chips:>4}"),
        ]
        for place in (scene.far, scene.near)
    ]
    lines.append([Span(f"  {scene.pot_text or scene.notice}")])
    if scene.buttons:
        lines.append([Span("  "), *_button_spans(scene)])
    return Picture.of(lines)


def _compact(scene: CardScene, width: int) -> Picture:
    wide = min(width, 60)
    canvas = Canvas(wide, 8, "felt")
    for row, place in ((0, scene.far), (5, scene.near)):
        mark = ">" if place.is_to_act else " "
        canvas.put(1, row, mark, "says")
        canvas.put(3, row, cut(place.name, wide - 32), f"seat.{place.seat}")
        canvas.put(wide - 27, row, f"card {_bracketed(place.card)}")
        canvas.put(wide - 14, row, f"chips {place.chips}")
        canvas.put(3, row + (1 if row == 0 else -1), place.says, _says_role(place))
    canvas.put(wide - 27, 2, scene.pot_text, "felt.pot")
    facts = filter(None, (scene.notice, scene.standing if scene.pot else ""))
    canvas.put(3, 3, cut(", ".join(facts), wide - 4), "felt.dim")
    _put_buttons(canvas, scene, 3, 7)
    return canvas.picture()


def _table(scene: CardScene, layout: _CardLayout) -> Picture:
    canvas = Canvas(layout.width, layout.height, "felt")
    stacks = Stacks.of(
        max(scene.far.chips, scene.near.chips),
        layout.width - layout.right - 1,
        layout.card[1] - 1,
        scene.glyphs,
        scene.has_colours,
    )
    for top, place in ((layout.far, scene.far), (layout.near, scene.near)):
        wide, high = layout.card
        shown = max(3, round(wide * place.shown))
        _card(canvas, scene, place.card, (layout.left + (wide - shown) // 2, top), (shown, high))
        name = f"{'>' if place.is_to_act else ' '} {place.name}"
        x = layout.words
        canvas.put(x - 2, top, cut(name, layout.left - x), f"seat.{place.seat}")
        canvas.put(x, top + 1, f"chips {place.chips}", "felt.dim")
        beside = _put_face(canvas, scene, place, (x, top + 2), high)
        canvas.put(x + beside, top + 3, place.says, _says_role(place))
        stacks.draw(canvas, place.chips, layout.right, top + layout.card[1] - 1)
    _middle(canvas, scene, layout)
    _slide(canvas, scene, layout)
    width = sum(len(label) + 2 for label, _, _ in scene.buttons) + 2 * (len(scene.buttons) - 1)
    if scene.buttons:
        canvas.fill(0, layout.buttons, layout.width, 1, "felt")  # without a card's shadow
    _put_buttons(canvas, scene, max(3, (layout.width - width) // 2), layout.buttons)
    return canvas.picture()


def _put_face(
    canvas: Canvas, scene: CardScene, place: SeatArea, corner: tuple[int, int], high: int
) -> int:
    (x, y), role, face = corner, f"seat.{place.seat}", place.face
    rows = next((rows for least, rows in _FACES if high >= least), 0)
    if not (face and rows):
        canvas.put(x, y, face, role)
        return 0
    eyes, lips, apart = face[1] + face[3], face[2] * 3, " " * (2 * rows - 3)
    if scene.glyphs is not Glyphs.ASCII:
        eyes = "".join(_EYES.get(eye, eye) for eye in eyes)
        lips = _MOUTHS.get(face[1], "───")
    lips = lips[0] + lips[1] * (rows - 1) + lips[2]
    wide = len(apart) + 4
    lines = [""] * (rows // 2 - 1) + [apart.join(eyes)] + [""] * (rows // 2 - 1) + [lips]
    _frame(canvas, corner, (wide + 2, rows + 2), scene.glyphs, role)
    for row, line in enumerate(lines, start=y + 1):
        canvas.put(x + 1, row, f"{line:^{wide}}", role)
    return wide + 3


def _frame(
    canvas: Canvas, corner: tuple[int, int], size: tuple[int, int], glyphs: Glyphs, role: str
) -> None:
    (x, y), (wide, high) = corner, size
    signs = "++++-|" if glyphs is Glyphs.ASCII else "╭╮╰╯─│"
    canvas.put(x, y, signs[0] + signs[4] * (wide - 2) + signs[1], role)
    for row in range(y + 1, y + high - 1):
        canvas.put(x, row, signs[5], role)
        canvas.put(x + wide - 1, row, signs[5], role)
    canvas.put(x, y + high - 1, signs[2] + signs[4] * (wide - 2) + signs[3], role)


def _middle(canvas: Canvas, scene: CardScene, layout: _CardLayout) -> None:
    if layout.gap:
        line = "-" if scene.glyphs is Glyphs.ASCII else "─"
        for row in (layout.pot - 2, layout.pot + 2):
            canvas.put(2, row, line * (layout.width - 4), "felt.line")
    if not scene.pot:
        x = (layout.width - columns(scene.notice)) // 2
        canvas.put(x, layout.pot, scene.notice, "felt.pot")
        return
    canvas.put(layout.words, layout.pot, cut(scene.notice, layout.left - 5), "felt.dim")
    canvas.put(layout.words, layout.pot + 1, scene.standing, "felt.dim")
    canvas.put(layout.right, layout.pot, scene.pot_text, "felt.pot")
    total = scene.pot + scene.added
    x = (layout.width - total * (_CHIP_WIDTH + 1) + 1) // 2
    # A large pot leaves no space for words.
    x = min(x, layout.right - total * (_CHIP_WIDTH + 1) - 1)
    lying, added = ("====", "::::") if scene.glyphs is Glyphs.ASCII else ("▟██▙", "░░░░")
    for number in range(total):
        chip = lying if number < scene.pot else added
        canvas.put(x + number * (_CHIP_WIDTH + 1), layout.pot, chip, "chip.1")


def _slide(canvas: Canvas, scene: CardScene, layout: _CardLayout) -> None:
    if scene.sliding is None:
        return
    seat, share, count = scene.sliding
    top = layout.near if seat == scene.near.seat else layout.far
    (left, row), (pot_left, pot_row) = (
        (layout.right, top + layout.card[1] // 2),
        (layout.left + (layout.card[0] - _CHIP_WIDTH) // 2, layout.pot),
    )
    x, y = left + round((pot_left - left) * share), row + round((pot_row - row) * share)
    chip = "====" if scene.glyphs is Glyphs.ASCII else "▟██▙"
    for number in range(count):
        canvas.put(x + number * (_CHIP_WIDTH + 1), y, chip, "sliding")


def _card(
    canvas: Canvas, scene: CardScene, card: Card, corner: tuple[int, int], size: tuple[int, int]
) -> None:
    (x, y), (wide, high) = corner, size
    is_ascii = scene.glyphs is Glyphs.ASCII
    role = "slot" if card == NOT_DEALT else "face" if card in DECK else "back"
    if scene.has_colours and not is_ascii and role != "slot":
        for row in range(1, high):
            canvas.put(x + wide, y + row, "█", "shadow")
        canvas.put(x + 1, y + high, "▀" * wide, "shadow")
    if role != "slot":
        canvas.fill(x, y, wide, high, role)
    edge = role if role == "slot" else f"{role}.edge"
    _frame(canvas, corner, size, scene.glyphs, edge)
    if wide < _NARROWEST:
        return
    if role == "back":
        _back(canvas, corner, size, scene.glyphs)
    elif role == "face":
        _face(canvas, card, corner, size, scene.glyphs)


def _back(canvas: Canvas, corner: tuple[int, int], size: tuple[int, int], glyphs: Glyphs) -> None:
    (x, y), (wide, high) = corner, size
    if glyphs is not Glyphs.ASCII:
        for row in range(1, high - 1):
            lattice = "╱╲" if row % 2 else "╲╱"
            canvas.put(x + 1, y + row, (lattice * wide)[: wide - 2], "back")
    canvas.put(x + wide // 2 - 1, y + (high - 1) // 2, " ? ", "back.sign")


def _face(
    canvas: Canvas, card: Card, corner: tuple[int, int], size: tuple[int, int], glyphs: Glyphs
) -> None:
    (x, y), (wide, high) = corner, size
    role = "face" if card == KING else "face.red"
    canvas.put(x + 1, y + 1, LETTERS[card], role)
    canvas.put(x + wide - 2, y + high - 2, LETTERS[card], role)
    name = RANKS[card] if high >= 9 else ""
    art: Sequence[str] = (
        (_LARGE_EMBLEMS if name else _EMBLEMS)[card] if high > 4 else _FIGURES[card]
    )
    if glyphs is Glyphs.ASCII:
        art = ()
    top = y + (high - len(art)) // 2 - (1 if name else 0) + (1 if high == 6 else 0)
    for line, text in enumerate(art):
        canvas.put(x + (wide - len(text)) // 2, top + line, text, role)
    canvas.put(x + (wide - len(name) + 1) // 2, top + len(art) + (1 if art else 0), name, role)


def _put_buttons(canvas: Canvas, scene: CardScene, x: int, y: int) -> None:
    for label, action, is_chosen in scene.buttons:
        is_framed = scene.glyphs is Glyphs.ASCII or not scene.has_colours
        text = f"[{label}]" if is_framed else f" {label} "
        canvas.put(x, y, text, "chosen" if is_chosen else "button", action)
        x += len(text) + 2


def _button_spans(scene: CardScene) -> Iterator[Span]:
    for label, action, is_chosen in scene.buttons:
        yield Span(f"[{label}]", "chosen" if is_chosen else "button", action)
        yield Span(" ")


def _bracketed(card: Card) -> str:
    if card == NOT_DEALT:
        return "[ ]"
    return f"[{LETTERS[card] if card in DECK else '?'}]"


def _says_role(place: SeatArea) -> str:
    return "says last-move" if place.is_last else "says"
