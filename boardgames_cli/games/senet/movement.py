"""The legal moves of both published rule sets, from one player's viewpoint.

Sources: Timothy Kendall, "Passing Through the Netherworld" (1978), and the rules published by
Skyruk; RULES.md gives both in full with the readings adopted. Everything here works on two masks
of houses, ``own`` and ``opponent`` (see `board`), and a throw.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Final

from boardgames_cli.games.senet.actions import MOVE, PASS, SenetMove
from boardgames_cli.games.senet.board import (
    BEARS_OFF,
    HAPPINESS,
    OFF,
    RE_HORAKHTY,
    REBIRTH,
    SAFE,
    WATER,
    bit,
    clear_before,
    houses,
    runs,
)

_BEFORE_HAPPINESS: Final = bit(HAPPINESS) - 1
_HAPPINESS: Final = bit(HAPPINESS)
_BEYOND: Final = ~(bit(WATER) - 1)
"""House 27 and all houses after it."""


class RuleSet(ABC):
    """The rules common to both rule sets: moves, swaps, blockades, backward moves."""

    name: ClassVar[str]
    blockade: ClassVar[int]
    """The number of dancers in a row that can't be jumped."""

    @abstractmethod
    def protected(self, opponent: int) -> int:
        """The houses of the dancers that are protected by their neighbours."""

    @abstractmethod
    def forward(self, own: int, opponent: int, steps: int) -> list[SenetMove]:
        """The moves forward, by the dancers' houses."""

    def moves(self, own: int, opponent: int, steps: int) -> tuple[SenetMove, ...]:
        return tuple(
            self.forward(own, opponent, steps) or self.backward(own, opponent, steps) or (PASS,)
        )

    def backward(self, own: int, opponent: int, steps: int) -> list[SenetMove]:
        """The moves backward, legal only while nobody can move forward."""
        forbidden = own | (opponent & (SAFE | self.protected(opponent)))
        return [
            MOVE[house][house - steps]
            for house in houses(own & _BEFORE_HAPPINESS)
            if house > steps
            and not forbidden & bit(house - steps)
            and not self.is_blocked(opponent, house - steps, house)
        ]

    def is_blocked(self, opponent: int, low: int, high: int) -> bool:
        """Whether there is a complete blockade strictly between two houses."""
        return any(
            low < first and last < high and last - first + 1 >= self.blockade
            for first, last in runs(opponent)
        )

    def blocked_starts(self, opponent: int, steps: int) -> int:
        """The houses from which a throw would jump a blockade.

        Only runs of at most ``steps - 1`` dancers can be jumped completely; for each length, bit
        operations find all such runs at once, and from them the houses from which they would be
        jumped.
        """
        blocked = 0
        firsts = opponent & ~(opponent << 1)
        lasts = opponent & ~(opponent >> 1)
        inside = opponent
        for length in range(1, steps):
            if length > 1:
                inside &= opponent >> (length - 1)
            if length < self.blockade:
                continue
            found = firsts & inside & (lasts >> (length - 1))
            if found:
                for distance in range(1, steps - length + 1):
                    blocked |= found >> distance
        return blocked

    def walk(self, own: int, opponent: int, steps: int, reach: int) -> list[SenetMove]:
        """Ordinary moves forward of dancers before House 26 onto the houses of ``reach``."""
        ends = ((own & _BEFORE_HAPPINESS) << steps) & reach & ~own
        if not ends:
            return []
        ends &= ~(opponent & (SAFE | self.protected(opponent)))
        if ends and steps > self.blockade:
            ends &= ~(self.blocked_starts(opponent, steps) << steps)
        made = []
        while ends:
            lowest = ends & -ends
            end = lowest.bit_length()
            made.append(MOVE[end - steps][end])
            ends ^= lowest
        return made


class Kendall(RuleSet):
    """Kendall's rules: House 26 by an exact throw, exact throws to bear off."""

    name = "kendall"
    blockade = 3

    def protected(self, opponent: int) -> int:
        return opponent & ((opponent << 1) | (opponent >> 1))

    def forward(self, own: int, opponent: int, steps: int) -> list[SenetMove]:
        made = self.walk(own, opponent, steps, _BEFORE_HAPPINESS | (_HAPPINESS & ~opponent))
        if own & ~_BEFORE_HAPPINESS:
            if own & _HAPPINESS:
                self._from_happiness(made, own, opponent, steps)
            for house, needed in BEARS_OFF.items():
                if steps == needed and own & bit(house):
                    made.append(MOVE[house][OFF])
        return made

    def _from_happiness(self, made: list[SenetMove], own: int, opponent: int, steps: int) -> None:
        if steps == 1:
            made.append(MOVE[HAPPINESS][clear_before(own | opponent, REBIRTH)])
        elif not (own | opponent) & _HAPPINESS << steps:
            made.append(MOVE[HAPPINESS][HAPPINESS + steps])  # with a 5 off the board


class Skyruk(RuleSet):
    """Skyruk's rules: no dancer passes House 26; one that reaches it throws again and leaves it."""

    name = "skyruk"
    blockade = 2

    def protected(self, opponent: int) -> int:
        """The two ends of every group; the dancers between them are not protected."""
        return opponent & ((opponent << 1) ^ (opponent >> 1))

    def forward(self, own: int, opponent: int, steps: int) -> list[SenetMove]:
        if own & _HAPPINESS:
            return [self._from_happiness(own, opponent, steps)]
        made = self.walk(own, opponent, steps, _BEFORE_HAPPINESS)
        if not opponent & _HAPPINESS:
            made += [
                MOVE[house][HAPPINESS]
                for house in range(HAPPINESS - steps, HAPPINESS)
                if own & bit(house) and not self.is_blocked(opponent, house, HAPPINESS)
            ]
        if own & _BEYOND:
            self._from_beyond(made, own, opponent, steps)
        return made

    def _from_happiness(self, own: int, opponent: int, steps: int) -> SenetMove:
        occupied = own | opponent
        end = HAPPINESS + steps  # with a 5 off the board
        if occupied & bit(end):
            end = WATER
        if occupied & bit(end):
            end = clear_before(occupied, REBIRTH)
        return MOVE[HAPPINESS][end]

    def _from_beyond(self, made: list[SenetMove], own: int, opponent: int, steps: int) -> None:
        if own & bit(WATER):
            if steps <= 3:
                made.append(MOVE[WATER][clear_before(own | opponent, REBIRTH)])
            elif steps == 4:
                made.append(MOVE[WATER][OFF])
        for house, needed in BEARS_OFF.items():
            if own & bit(house) and (steps == needed or house == RE_HORAKHTY):
                made.append(MOVE[house][OFF])


RULE_SETS: Final[dict[str, RuleSet]] = {"kendall": Kendall(), "skyruk": Skyruk()}
