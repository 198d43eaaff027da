"""The signs for divers, chips and the tank, in both sets of characters."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.games.deepsea.chips import BLANK, DOTS, GONE, WEIGHT

LETTERS: Final = "ABCDEF"
SHAPES: Final = ("", "▴", "◆", "■", "●")
"""A shape for each level; common fonts have all of them."""

_PLENTY: Final = 0.5
_LOW: Final = 0.25


def letter(seat: Seat, *, diving: bool) -> str:
    """A diver's letter: upper case on the way down, lower case after turning back."""
    return LETTERS[seat] if diving else LETTERS[seat].lower()


def chip_sign(chip: int, glyphs: Glyphs) -> str:
    """The sign for the content of a place: ``3`` or ``■3``, ``0`` or ``○``, ``-`` or ``·``."""
    if glyphs is Glyphs.ASCII:
        return chip_letter(chip)
    if chip in (BLANK, GONE):
        return "○" if chip == BLANK else "·"
    # A stack shows its total dots.
    return f"{SHAPES[chip]}{chip}" if len(DOTS[chip]) == 1 else f"≡{WEIGHT[chip]}"


def chip_letter(chip: int) -> str:
    """A place as one character; ``5`` to ``9`` and ``+`` are stacks by their dots."""
    if chip == GONE:
        return "-"
    return str(WEIGHT[chip]) if WEIGHT[chip] < 10 else "+"


def chip_role(chip: int) -> str:
    """The role of the content of a place."""
    if chip == GONE:
        return "gone"
    if chip == BLANK:
        return "blank"
    return f"chip.{chip}" if len(DOTS[chip]) == 1 else "chip.stack"


def gauge(oxygen: int, full: int, width: int) -> list[Span]:
    """The oxygen tank as a bar with words, such as ``oxygen ████░░░░ 16 of 25, half used``."""
    share = min(oxygen / full, 1.0)
    words = f" {oxygen} of {full}, {_word(share)}"
    cells = max(4, width - len("oxygen ") - len(words))
    filled = min(cells, round(share * cells + 0.49)) if oxygen else 0
    level = "full" if share > _PLENTY else "half" if share > _LOW else "low"
    is_low = level == "low"
    return [
        Span("oxygen "),
        Span("█" * filled, f"gauge.{level}"),
        Span("░" * (cells - filled), "gauge.alarm" if is_low else "gauge.used"),
        Span(words, "gauge.alarm" if is_low else f"gauge.{level}"),
    ]


def _word(share: float) -> str:
    if share == 0:
        return "empty"
    if share == 1:
        return "full"
    return "plenty" if share > _PLENTY else "half used" if share > _LOW else "low"
