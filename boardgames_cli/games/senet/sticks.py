"""The four throwing sticks, as characters in a line and as animated drawings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas, Glyphs, columns, cut
from boardgames_cli.games.senet.actions import THROWS_AGAIN

COUNT: Final = 4
TUMBLES: Final = 6

_WIDE: Final = 2
_APART: Final = 2
_ALL: Final = COUNT * _WIDE + (COUNT - 1) * _APART
_FIRST_LANDS: Final = 3
"""The frame from which the first stick is still; each further stick stops one frame later."""

_BODIES: Final = (("██", "██", "  "), ("▄▄", "██", "▀▀"), ("  ", "██", "██"))
"""A stick of two rows in a space of three: high, middle, low."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The player who throws, and the sticks."""

    name: str
    seat: int
    steps: int | None
    """None before the throw."""
    tumble: int | None = None
    """The frame of a throw; None if the sticks are still."""

    def is_still(self, stick: int) -> bool:
        """Whether one of the sticks has come to rest."""
        return self.tumble is None or self.tumble >= _FIRST_LANDS + stick


def signs(steps: int, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """The four sticks as thrown: text and role of each, flat sides first."""
    marks = ("[ ]", "[#]") if glyphs is Glyphs.ASCII else ("▯", "▮")
    for stick in range(COUNT):
        is_flat = _is_flat(stick, steps)
        yield marks[not is_flat], "stick.flat" if is_flat else "stick.round"


def rows_for(height: int, least_tile: int = 4) -> int:
    """The rows for the sticks: 3 for a drawing, 1 for characters, or 0; houses come first."""
    if height >= 3 * least_tile + 3:
        return 3
    # A row that remains after the three rows of houses.
    return 1 if height > 9 and height % 3 else 0


def draw(canvas: Canvas, top: int, rows: int, hand: Hand) -> None:
    """Draw the player, the sticks, and the throw, centred in some rows of a canvas."""
    middle, left = top + rows // 2, (canvas.width - _ALL) // 2
    name = cut(hand.name, max(0, left - 3))
    canvas.put(left - 2 - columns(name), middle, name, f"seat.{hand.seat}")
    if hand.steps is None:
        canvas.put(left, middle, "to throw the sticks", "muted")
        return
    for stick in range(COUNT):
        x = left + stick * (_WIDE + _APART)
        if rows < len(_BODIES):
            canvas.put(x, middle, *_sign(stick, hand))
        else:
            _draw_stick(canvas, x, top, stick, hand)
    if hand.tumble is None:
        again = ", again" if hand.steps in THROWS_AGAIN else ""
        canvas.put(left + _ALL + 2, middle, f"= {hand.steps}", "stick.flat")
        canvas.put(left + _ALL + 5, middle, again, "muted")


def _is_flat(stick: int, steps: int) -> bool:
    # A throw without flat sides counts five.
    return stick < (0 if steps == COUNT + 1 else steps)


def _sign(stick: int, hand: Hand) -> tuple[str, str]:
    shown = list(signs(hand.steps or 0, Glyphs.UNICODE))[stick]
    if hand.is_still(stick):
        return shown
    turned = ((hand.tumble or 0) + stick) % 2
    return ("▬", "stick.round") if turned else ("▯", "stick.flat")


def _draw_stick(canvas: Canvas, x: int, top: int, stick: int, hand: Hand) -> None:
    is_flat, lift, wide = _is_flat(stick, hand.steps or 0), 1, _WIDE
    if not hand.is_still(stick):
        turn = (hand.tumble or 0) + 2 * stick
        is_flat, lift = turn % 4 == 0, turn % len(_BODIES)
        wide = _WIDE - turn % 2  # alternately seen from its edge
    role = "stick.flat" if is_flat else "stick.round"
    for row, body in enumerate(_BODIES[lift]):
        canvas.put(x, top + row, body[:wide], role)
    if is_flat and wide == _WIDE:
        # The flat side has a line, to be distinguishable without colour.
        canvas.put(x, top + 1, "▕▏", "stick.line")
