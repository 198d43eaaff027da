"""Moves and throws of Senet, with their notations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.games.senet.board import HAPPINESS, OFF


@dataclass(frozen=True, slots=True)
class SenetMove:
    """A dancer goes from one house to another, or off the board; ``PASS`` moves nobody."""

    start: int
    end: int

    def __str__(self) -> str:
        if not self.start:
            return "pass"
        return f"{self.start}>{'off' if self.end == OFF else self.end}"

    def is_backward(self, steps: int) -> bool:
        """Whether it is a backward move; returning from the Water counts as a forward move."""
        return self.end == self.start - steps and self.start < HAPPINESS


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of the four sticks: the steps it gives (1 to 5; all black sides up is 5)."""

    steps: int

    def __str__(self) -> str:
        return f"throw {self.steps}"


PASS: Final = SenetMove(0, 0)

MOVE: Final = tuple(tuple(SenetMove(start, end) for end in range(OFF + 1)) for start in range(OFF))
"""``MOVE[start][end]``: shared instances, because rules and search need millions of moves."""

THROWS: Final = (Throw(1), Throw(2), Throw(3), Throw(4), Throw(5))
FALLS: Final = (4, 6, 4, 1, 1)
"""How many of the 16 falls of four two-sided sticks give throws 1 to 5: 1, 2, 3, 4 and no flat
sides up."""
THROW_CHANCES: Final = tuple(falls / 16 for falls in FALLS)

THROWS_AGAIN: Final = frozenset({1, 4, 5})
"""After these throws the same player throws again."""
