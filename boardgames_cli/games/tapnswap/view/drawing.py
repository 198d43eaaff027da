"""Draws the hands of TapnSwap as strokes along a line, or as figures with raised fingers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.presentation.styles import themed
from boardgames_cli.core.text import Canvas, Glyphs, Picture, columns, cut
from boardgames_cli.games.tapnswap.actions import LETTERS, MOST, Hands

PALETTE: Final = themed(
    {
        "card": ("#f2ecf5 on #2d2437", "#1f1526 on #f1e8f2"),
        "card.title": ("bold #ffffff on #7a2f6f", "bold #ffffff on #7a2f6f"),
        "card.number": ("bold #e8c15a on #2d2437", "bold #7a2f6f on #f1e8f2"),
        "table": ("#f2ecf5 on #241d2c", "#1f1526 on #f1e8f2"),
        "line": ("#9c91ad", "#655872"),
        "changed": ("bold #121212 on #e8c15a", "bold #1a1a1a on #ffd75f"),
        "added": ("#e8c15a", "#7a5a00"),
        "struck": ("bold #ffd766", "bold #8a4b00"),
        "glow": ("#fff3c4", "#c23b00"),
        "palm": ("bold reverse", "bold reverse"),
        "caption": ("#cfc3dd", "#4d3f5c"),
        "removed": ("#a79db5", "#675b73"),
        "dead": ("#968ca3", "#675b73"),
        "last-move": ("underline", "underline"),
    }
)

_TABLE: Final = "table"
_LINE_WIDTH: Final = 40
_TURNED: Final = str.maketrans("▄▀▟▙▜▛", "▀▄▜▛▟▙")
_AS_ASCII: Final = str.maketrans("█▄▀▟▙▜▛▒░─", "##" + "#" * 5 + "+:-")


@dataclass(frozen=True, slots=True)
class HandsSide:
    """One player's half of the picture."""

    seat: int
    title: str
    hands: Hands
    after: Hands
    """The hands after the highlighted move."""
    touched: frozenset[int]
    """The hands that the last move changed."""
    clicks: Mapping[int, str] = field(default_factory=dict)
    """The notations of the moves for clicks on hands."""
    struck: frozenset[int] = frozenset()
    """The hands that flash during an animation."""
    path: tuple[int, int] = (0, 0)
    """A hand, and the hand of the other side that it taps."""
    reach: float = 0.0
    """The share of that path that it has gone."""
    broken: frozenset[int] = frozenset()
    """The hands that die in an animation."""
    jolt: int = 0
    """By how many columns these hands are moved, to shake them."""
    mortal: frozenset[int] = frozenset()
    """The hands that a tap can kill now."""
    counts: Mapping[int, int] = field(default_factory=dict)
    """The numbers on flashing hands, if they exceed the fingers of a hand."""

    def gone(self, hand: int) -> float:
        """The share of its path that a hand has gone."""
        return self.reach if hand == self.path[0] else 0.0

    def fingers(self, hand: int) -> Iterator[str]:
        """For each finger whether the highlighted move keeps, adds or removes it."""
        before, after = self.hands[hand], self.after[hand]
        for finger in range(max(before, after)):
            if finger >= before:
                yield "added"
            else:
                yield "kept" if finger < after else "removed"

    def role(self, finger: str) -> str:
        return f"seat.{self.seat}" if finger == "kept" else finger

    def label(self, hand: int) -> str:
        """The label of a hand: its letter and its fingers, including the highlighted change."""
        if hand in self.counts:
            return f"{LETTERS[hand]} {self.counts[hand]}"
        before, after = (str(n or "dead") for n in (self.hands[hand], self.after[hand]))
        text = before if before == after else f"{before}>{after}"
        return f"{LETTERS[hand]} {text}{'!' if hand in self.mortal else ''}"

    def skin(self, hand: int) -> str:
        if hand in self.struck:
            return "struck"
        return f"seat.{self.seat}" if self.hands[hand] or self.after[hand] else "dead"

    def label_role(self, hand: int) -> str:
        if self.hands[hand] != self.after[hand]:
            return "changed"
        label = f"{self.skin(hand)} palm"
        return f"{label} last-move" if hand in self.touched else label


@dataclass(frozen=True, slots=True)
class HandsScene:
    """The content of a drawing."""

    top: HandsSide
    bottom: HandsSide
    glyphs: Glyphs
    caption: str = ""


@dataclass(frozen=True, slots=True)
class _Measures:
    finger_width: int
    finger_height: int
    palm_height: int
    gap: int
    """Columns between the two hands of a side."""
    shorter: tuple[int, ...]
    """By how many rows each finger is shorter than the longest, from the index finger on."""

    @property
    def palm_width(self) -> int:
        return MOST * self.finger_width + MOST - 1

    @property
    def height(self) -> int:
        return self.finger_height + self.palm_height

    @property
    def board_width(self) -> int:
        return 2 * (self.palm_width + _MARGIN) + self.gap

    @property
    def board_height(self) -> int:
        return 2 * self.height + 3


_MARGIN: Final = 4
_FIGURES: Final = (
    _Measures(7, 9, 9, 26, (1, 0, 1, 3)),
    _Measures(5, 6, 6, 18, (1, 0, 1, 2)),
    _Measures(4, 5, 4, 14, (1, 0, 1, 2)),
    _Measures(3, 3, 3, 12, (0, 0, 0, 1)),
    _Measures(3, 3, 2, 12, (0, 0, 0, 1)),
    _Measures(3, 2, 2, 12, (0, 0, 0, 1)),
    _Measures(2, 2, 2, 12, (0, 0, 0, 1)),
)
_THUMBS: Final = {
    2: ("▟█", "▜█"),
    3: ("▟█▙ ", "▜██▙", " ▜██"),
    4: ("▟██▙  ", "▜███▙▄", " ▜████"),
    6: ("▟███▙   ", "█████   ", "▜████▙▄▄", " ▜██████", "   ▜████"),
    9: ("▟█████▙    ", "███████    ", "███████    ", "▜██████▙   ", " ███████▙▄▄", " ▜█████████",
        "   ▜███████", "      ▜████"),
}  # fmt: skip
"""The thumb of a right hand by the rows of its palm, towards the other hand; never raised."""
_MIRRORED: Final = str.maketrans("▟▙▜▛", "▙▟▛▜")


def draw(scene: HandsScene, width: int, height: int) -> Picture:
    """The hands in the largest form that fits."""
    measures = figures_for(scene.glyphs, width, height)
    return _strokes(scene) if measures is None else _figures(scene, measures, width, height)


def figures_for(glyphs: Glyphs, width: int, height: int) -> _Measures | None:
    """The size of the figures of hands; None if they are drawn as strokes."""
    for measures in _FIGURES:
        # In plain text strokes are sufficient; figures are for larger screens.
        spare = 14 if glyphs is Glyphs.ASCII else 0
        if measures.board_width + 2 * spare <= width and measures.board_height + spare <= height:
            return measures
    return None


def _strokes(scene: HandsScene) -> Picture:
    canvas = Canvas(_LINE_WIDTH, 5)
    bar = "-" if scene.glyphs is Glyphs.ASCII else "─"
    canvas.put(0, 2, f"L {bar * (_LINE_WIDTH - 4)} R", "line")
    for side, name_row, row in ((scene.top, 0, 1), (scene.bottom, 4, 3)):
        _put_title(canvas, side, name_row)
        for hand in (0, 1):
            fingers = list(side.fingers(hand))
            text_width = max(len(fingers), 4)
            x = 4 if hand == 0 else _LINE_WIDTH - 4 - text_width
            canvas.fill(x, row, text_width, 1, "", side.clicks.get(hand, ""))
            if not fingers:
                canvas.put(x, row, "dead", "dead")
            for place, finger in enumerate(fingers):
                sign = {"kept": "|", "added": "+", "removed": "x"}[finger]
                canvas.put(x + place, row, sign, side.role(finger))
    return canvas.picture()


def _put_title(canvas: Canvas, side: HandsSide, row: int) -> None:
    text = cut(side.title, canvas.width)
    canvas.put((canvas.width - columns(text)) // 2, row, text, f"seat.{side.seat}")


def _figures(scene: HandsScene, size: _Measures, width: int, height: int) -> Picture:
    is_ascii = scene.glyphs is Glyphs.ASCII
    if is_ascii:
        width, height = size.board_width, size.board_height
    canvas = Canvas(width, height, _TABLE)
    left, spare = (width - size.board_width) // 2, height - size.board_height
    middle = height // 2
    _put_title(canvas, scene.top, spare // 4)
    _put_title(canvas, scene.bottom, height - 1 - spare // 4)
    hands = [(side, hand) for side in (scene.top, scene.bottom) for hand in (0, 1)]
    for side, hand in sorted(hands, key=lambda one: one[0].gone(one[1])):
        is_top, gone = side is scene.top, side.gone(hand)
        far = round(gone * (size.height // 2))
        y = middle - size.height + far if is_top else middle + 1 - far
        x = left + _MARGIN + (side.jolt if hand in side.broken else 0)
        x += round((size.palm_width + size.gap) * (hand + gone * (side.path[1] - hand)))
        if not gone:
            canvas.fill(x, y, size.palm_width, size.height, _TABLE, side.clicks.get(hand, ""))
        for row, column, text, role in _hand(side, hand, size):
            line = size.height - 1 - row if is_top else row
            turned = text.translate(_TURNED) if is_top else text
            shown = turned.translate(_AS_ASCII) if is_ascii else turned
            canvas.put(x + column, y + line, shown, role)
    _put_line(canvas, scene, middle)
    return canvas.picture()


def _put_line(canvas: Canvas, scene: HandsScene, row: int) -> None:
    bar = "-" if scene.glyphs is Glyphs.ASCII else "─"
    canvas.put(1, row, f"L {bar * (canvas.width - 6)} R", "line")
    if scene.caption:
        text = f" {cut(scene.caption, canvas.width - 12)} "
        canvas.put((canvas.width - columns(text)) // 2, row, text, "caption")


def _hand(side: HandsSide, hand: int, size: _Measures) -> Iterator[tuple[int, int, str, str]]:
    wide, high, palm = size.finger_width, size.finger_height, size.palm_width
    skin = side.skin(hand)
    fingers = [*side.fingers(hand), *["down"] * MOST][:MOST]
    tip = "▄" * wide if wide == 2 else f"▟{'█' * (wide - 2)}▙"
    crumbling = str.maketrans("█▟▙▜▛▄▀", "▒░░░░░░") if hand in side.broken else {}
    for place, finger in enumerate(fingers):
        # The index finger is the first to be raised; it is the one nearest to the other hand.
        column = (place if hand else MOST - 1 - place) * (wide + 1)
        if finger == "down":
            yield high - 1, column, ("▄" * wide).translate(crumbling), skin
            continue
        fill = {"kept": "█", "added": "▒", "removed": "░"}[finger]
        role = skin if finger == "kept" else finger
        first = size.shorter[place]
        for row in range(first, high):
            is_tip = row == first and finger == "kept"
            shade = "glow" if is_tip and hand in side.mortal else role
            yield row, column, (tip if is_tip else fill * wide).translate(crumbling), shade
    thumb = _THUMBS[size.palm_height]
    reach, straight = len(thumb[0]), size.palm_height - max(1, size.palm_height // 3)
    for row in range(size.palm_height):
        cut_off = max(0, row - straight)
        start = f"{thumb[row]}█" if row < len(thumb) else f"{' ' * (reach + cut_off)}▜"
        end = "█" if row < straight else f"▛{' ' * cut_off}"
        text = f"{start}{end:█>{reach + palm - len(start)}}"
        text = text if hand else text[::-1].translate(_MIRRORED)
        shown = text.strip()
        column = text.index(shown) - (reach if hand else 0)
        edge = "glow" if row == size.palm_height - 1 and hand in side.mortal else skin
        yield high + row, column, shown.translate(crumbling), edge
    label = f" {side.label(hand)} "
    row = high + (size.palm_height - 1) // 2
    yield row, (palm - len(label)) // 2, label, side.label_role(hand)
