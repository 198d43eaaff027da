"""The hands of TapnSwap: as strokes along a line, or as figures with raised fingers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas, Glyphs, Picture
from boardgames_cli.games.tapnswap.actions import LETTERS, MOST, Hands

_TABLE: Final = "table"
_LINE_WIDTH: Final = 40
_TURNED: Final = str.maketrans("▄▀▟▙▜▛", "▀▄▜▛▟▙")
_AS_ASCII: Final = str.maketrans("█▄▀▟▙▜▛▒░─", "##" + "#" * 5 + "+:-")


@dataclass(frozen=True, slots=True)
class Side:
    """One player's half of the picture."""

    seat: int
    title: str
    hands: Hands
    after: Hands
    """The hands after the highlighted move; the same if it doesn't change them."""
    touched: frozenset[int]
    """The hands that the last move changed."""
    clicks: Mapping[int, str]
    """For a hand the notation of the move that a click on it means."""

    def fingers(self, hand: int) -> Iterator[str]:
        """For each raised finger whether the highlighted move has it kept, added or removed."""
        before, after = self.hands[hand], self.after[hand]
        for finger in range(max(before, after)):
            if finger >= before:
                yield "added"
            else:
                yield "kept" if finger < after else "removed"

    def role(self, finger: str) -> str:
        """The role of a finger."""
        return f"seat.{self.seat}" if finger == "kept" else finger

    def label(self, hand: int) -> str:
        """A hand in a few characters: its letter and its fingers, or what becomes of them."""
        before, after = (str(n or "dead") for n in (self.hands[hand], self.after[hand]))
        text = before if before == after else f"{before}>{after}"
        return f"{LETTERS[hand]} {text}"

    def label_role(self, hand: int) -> str:
        """The role of that label."""
        if self.hands[hand] != self.after[hand]:
            return "changed"
        if hand in self.touched:
            return "label last-move"
        return "label" if self.hands[hand] else "dead"


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a drawing depends on."""

    top: Side
    bottom: Side
    glyphs: Glyphs


@dataclass(frozen=True, slots=True)
class _Measures:
    """The size of a hand with figures, in columns and rows."""

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
    _Measures(4, 9, 3, 16, (1, 0, 1, 3)),
    _Measures(3, 6, 3, 14, (1, 0, 1, 2)),
    _Measures(2, 4, 2, 12, (0, 0, 0, 1)),
    _Measures(2, 3, 2, 12, (0, 0, 0, 1)),
    _Measures(2, 2, 2, 12, (0, 0, 0, 1)),
)
_THUMBS: Final = (("█▙", "█▛"), ("▟█", "▜█"))
"""Beside the palm, toward the other hand; it is never raised."""


def draw(scene: Scene, width: int, height: int) -> Picture:
    """The hands in the largest form that fits."""
    for measures in _FIGURES:
        # In plain text the strokes say it all; figures are for a screen with room to spare.
        spare = 14 if scene.glyphs is Glyphs.ASCII else 0
        if measures.board_width + 2 * spare <= width and measures.board_height + spare <= height:
            return _figures(scene, measures)
    return _strokes(scene)


def _strokes(scene: Scene) -> Picture:
    """Five lines: names above and below, fingers as strokes, and a line between the sides."""
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


def _put_title(canvas: Canvas, side: Side, row: int) -> None:
    text = side.title[: canvas.width]
    canvas.put((canvas.width - len(text)) // 2, row, text, f"seat.{side.seat}")


def _figures(scene: Scene, size: _Measures) -> Picture:
    canvas = Canvas(size.board_width, size.board_height, _TABLE)
    for side, is_top in ((scene.top, True), (scene.bottom, False)):
        _put_title(canvas, side, 0 if is_top else canvas.height - 1)
        y = 1 if is_top else size.height + 2
        for hand in (0, 1):
            x = _MARGIN if hand == 0 else _MARGIN + size.palm_width + size.gap
            canvas.fill(x, y, size.palm_width, size.height, _TABLE, side.clicks.get(hand, ""))
            for row, column, text, role in _hand(side, hand, size):
                line = size.height - 1 - row if is_top else row
                turned = text.translate(_TURNED) if is_top else text
                shown = turned.translate(_AS_ASCII) if scene.glyphs is Glyphs.ASCII else turned
                canvas.put(x + column, y + line, shown, f"{_TABLE} {role}")
    bar = "-" if scene.glyphs is Glyphs.ASCII else "─"
    middle = size.height + 1
    canvas.put(1, middle, f"L {bar * (canvas.width - 6)} R", f"{_TABLE} line")
    return canvas.picture()


def _hand(side: Side, hand: int, size: _Measures) -> Iterator[tuple[int, int, str, str]]:
    """A hand with the fingers up, piece by piece: row, column, text, role."""
    wide, high, palm = size.finger_width, size.finger_height, size.palm_width
    skin = f"seat.{side.seat}" if side.hands[hand] or side.after[hand] else "dead"
    fingers = [*side.fingers(hand), *["down"] * MOST][:MOST]
    tip = "▄" * wide if wide == 2 else f"▟{'█' * (wide - 2)}▙"
    for place, finger in enumerate(fingers):
        # The index finger is the first to be raised; it is the one nearest to the other hand.
        column = (place if hand else MOST - 1 - place) * (wide + 1)
        if finger == "down":
            yield high - 1, column, "▄" * wide, skin
            continue
        fill = {"kept": "█", "added": "▒", "removed": "░"}[finger]
        first = size.shorter[place]
        for row in range(first, high):
            text = tip if row == first and finger == "kept" else fill * wide
            yield row, column, text, side.role(finger)
    for row, text in enumerate(_THUMBS[hand], start=high + size.palm_height - 3):
        yield row, -2 if hand else palm, text, skin
    for row in range(size.palm_height):
        is_last = row == size.palm_height - 1
        yield high + row, 0, f"▜{'█' * (palm - 2)}▛" if is_last else "█" * palm, skin
    label = f" {side.label(hand)} "
    yield (
        high + (size.palm_height - 1) // 2,
        (palm - len(label)) // 2,
        label,
        side.label_role(hand),
    )
