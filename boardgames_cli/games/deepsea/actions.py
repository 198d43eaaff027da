"""Decisions and chance outcomes of Deep Sea Adventure, with their notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.chips import DOTS, chip_name

MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class DeepSeaChoice:
    """A diver's decision."""

    text: str
    id: int
    """The action id: 1 for yes, 0 for no."""
    chip: int = 0
    """The chip to put down, if the diver may choose one."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Start:
    """Chance draws the starting diver."""

    seat: Seat

    def __str__(self) -> str:
        return f"start {self.seat + 1}"


@dataclass(frozen=True, slots=True)
class Dice:
    """Two dice with the faces 1, 2, 3."""

    first: int
    second: int

    def steps(self, load: int) -> int:
        """The steps of a diver who carries so many chips."""
        return max(0, self.first + self.second - load)

    def __str__(self) -> str:
        return f"dice {self.first} {self.second}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """The value of a chip that was brought home."""

    value: int

    def __str__(self) -> str:
        return f"chip {self.value}"


DeepSeaOutcome: TypeAlias = Start | Dice | Reveal

DIVE: Final = DeepSeaChoice("dive", 1)
RETURN: Final = DeepSeaChoice("return", 0)
TAKE: Final = DeepSeaChoice("take", 1)
LEAVE: Final = DeepSeaChoice("leave", 0)
DROP: Final = DeepSeaChoice("drop", 1)
KEEP: Final = DeepSeaChoice("keep", 0)

DROP_CHIP: Final = tuple(
    DeepSeaChoice(f"drop {chip_name(chip)}", chip, chip) if chip else KEEP
    for chip in range(len(DOTS))
)
"""``DROP_CHIP[chip]`` puts down that chip; its id is the chip's number."""

DIRECTIONS: Final = (RETURN, DIVE)
TAKING: Final = (TAKE, LEAVE)
DROPPING: Final = (DROP, KEEP)
LOWEST_ACTIONS: Final = (DIVE, RETURN, TAKE, LEAVE, DROP, KEEP)

STARTS: Final = tuple(Start(seat) for seat in range(MOST_PLAYERS))
FACES: Final = (1, 2, 3)
THROWS: Final = tuple(Dice(first, second) for first in FACES for second in FACES)
THROW_CHANCES: Final = tuple((throw, 1 / len(THROWS)) for throw in THROWS)
REVEALS: Final = tuple(Reveal(value) for value in range(16))
