"""Stacks of chips: arranging them in piles, and drawing these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas, Glyphs

VALUES: Final = (100, 25, 5, 1)
_ASCII: Final = {1: "==", 5: "5=", 25: "25", 100: "C="}
"""Higher values are labelled, since the height of a pile does not show its value."""
_WIDEST: Final = 4
_NARROWEST: Final = 2
_HIGHEST: Final = 10
"""The preferred height of a pile: tens are easy to count."""


def chip_piles(
    chips: int, highest: int, values: Sequence[int] = VALUES
) -> Iterator[tuple[int, int]]:
    """Arrange chips in piles of a maximum height: the chip value and the number of chips of each.

    The values are those of chips, from the highest to 1.
    """
    for value in values:
        count, chips = divmod(chips, value)
        while count > 0:
            yield value, min(count, highest)
            count -= highest


def chip_sign(value: int, glyphs: Glyphs, width: int = _WIDEST) -> str:
    """One chip of a value."""
    return _ASCII[value] if glyphs is Glyphs.ASCII else "▄" * width


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
        widths = (len(_ASCII[1]),) if is_ascii else range(_WIDEST, _NARROWEST - 1, -1)
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
