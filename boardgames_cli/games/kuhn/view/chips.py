"""Stacks of chips: in which piles they lie, and how the piles are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Canvas, Glyphs

VALUES: Final = (100, 25, 5, 1)
_ASCII: Final = {1: "==", 5: "5=", 25: "25", 100: "C="}
"""Those that are worth more than one say so: a pile is not a bar chart."""
_WIDEST: Final = 4
_NARROWEST: Final = 2
_HIGHEST: Final = 10
"""Chips in a pile where there is room: tens are counted at a glance."""


def chip_piles(
    chips: int, highest: int, values: Sequence[int] = VALUES
) -> Iterator[tuple[int, int]]:
    """Chips as piles: the value of each pile's chips, and how many lie in it.

    Args:
        chips: What they are worth together.
        highest: How many lie on each other at most.
        values: The chips there are, the highest value first and 1 last.
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
    """How all the stacks of a table are drawn: alike, so that they can be compared.

    As long as there is room every chip is drawn; else as few of the higher ones as possible.
    """

    glyphs: Glyphs
    highest: int
    """Chips in a pile."""
    each: int
    """Chips in a row of a pile: two where each half of a row has its colour."""
    values: Sequence[int]
    width: int
    """Columns of a chip."""

    @classmethod
    def of(cls, most: int, columns: int, rows: int, glyphs: Glyphs, has_colours: bool) -> Stacks:
        """The stacks for a table.

        Args:
            most: What the larger one is worth.
            columns: The room for each.
            rows: The room for chips; what they are worth stands in a further row below.
            glyphs: The characters to draw with.
            has_colours: Whether the halves of a row can be told apart.
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
        """Draw a stack.

        Args:
            canvas: Where to.
            chips: What it is worth.
            x: Its first column.
            foot: The row below it, for how many chips there are, or what they are worth.
        """
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
