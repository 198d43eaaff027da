"""The two dice on the water: how they lie, and how they roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas
from boardgames_cli.games.deepsea.actions import FACES, Dice

ROLLS: Final = 6
"""Pictures between the hand and the water."""

_WIDE: Final = 5
_HIGH: Final = 3
_APART: Final = 2
_LATER: Final = 1
"""Pictures by which the second die comes to rest after the first."""
_STRIDE: Final = 2
"""Columns that a drawn die rolls from picture to picture."""
_SIGN: Final = 3

WIDTH: Final = 2 * _WIDE + _APART
SIGNS_WIDTH: Final = 2 * _SIGN + 1

_PIPS: Final = {
    1: ("     ", "  ●  ", "     "),
    2: (" ●   ", "     ", "   ● "),
    3: (" ●   ", "  ●  ", "   ● "),
}
_EDGES: Final = ("┌───┐", "└───┘")


@dataclass(frozen=True, slots=True)
class Throw:
    """Two dice on the water."""

    dice: Dice
    roll: int | None = None
    """Which of the pictures of a throw this is; None when the dice lie still."""

    def face(self, die: int) -> int:
        """What one of the dice shows; each picture shows another number than the one before."""
        last = (self.dice.first, self.dice.second)[die]
        return FACES[(last - 1 - self.to_go(die)) % len(FACES)]

    def to_go(self, die: int) -> int:
        """In how many pictures one of the dice comes to rest."""
        rest = ROLLS - 1 + _LATER
        return 0 if self.roll is None else max(0, rest - _LATER * (1 - die) - self.roll)


def draw(canvas: Canvas, top: int, throw: Throw, *, has_colours: bool) -> None:
    """Draw the dice at the right end of three lines; those that roll come in from beyond it."""
    for die in (0, 1):
        left = canvas.width - WIDTH + die * (_WIDE + _APART) + _STRIDE * throw.to_go(die)
        face = throw.face(die)
        rows = _PIPS[face] if has_colours else (_EDGES[0], f"│ {face} │", _EDGES[1])
        for row in range(_HIGH):
            canvas.put(left, top + row, rows[row], "die")


def draw_signs(canvas: Canvas, line: int, throw: Throw, *, has_colours: bool) -> None:
    """The same on a single line, as two numbers."""
    for die in (0, 1):
        left = canvas.width - SIGNS_WIDTH + die * (_SIGN + 1) + throw.to_go(die)
        face = throw.face(die)
        canvas.put(left, line, f" {face} " if has_colours else f"[{face}]", "die")
