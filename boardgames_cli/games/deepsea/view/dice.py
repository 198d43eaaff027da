"""Draws the two dice, at rest or rolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas
from boardgames_cli.games.deepsea.actions import FACES, Dice

ROLLS: Final = 6

_WIDE: Final = 5
_APART: Final = 2
_LATER: Final = 1
"""The number of pictures between the first and the second die coming to rest."""
_STRIDE: Final = 2
"""The columns a die moves from picture to picture."""
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


def draw(
    canvas: Canvas, top: int, throw: DiceThrow, *, has_colours: bool, is_small: bool = False
) -> None:
    """Draw the dice at the right end of three lines, or of one; rolling they enter from there."""
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
