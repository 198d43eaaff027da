"""A position of Deep Sea Adventure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias, TypeVar

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.games.deepsea.actions import DeepSeaChoice
from boardgames_cli.games.deepsea.chips import GONE

T = TypeVar("T")


def with_item(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """A tuple with another item at one place."""
    return (*items[:number], item, *items[number + 1 :])


class Phase(Enum):
    """What happens next."""

    START = "start"
    """Chance draws the diver who begins."""
    DIRECTION = "direction"
    """The diver dives on or turns back; the oxygen of the turn is paid."""
    DICE = "dice"
    """Chance throws the dice; the oxygen of the turn is paid."""
    CHIP = "chip"
    """The diver has moved and takes, leaves, drops or keeps a chip."""
    REVEAL = "reveal"
    """The round is over; chance turns over the next chip that was brought home."""
    OVER = "over"


IN_TURN: Final = (Phase.DIRECTION, Phase.DICE, Phase.CHIP)
COUNTED: Final = (Phase.REVEAL, Phase.OVER)
"""The phases at the end of a round, in which what was brought home is shown."""


class Ledger(NamedTuple):
    """The record of chips brought home; it changes only at the end of a round."""

    points: tuple[int, ...]
    """By seat; includes the chips of the current round that have been turned over."""
    revealed: bytes
    """The number of chips of each value 0 to 15 turned over in the game."""
    turned: tuple[bytes, ...]
    """The values turned over at the end of this round (after the game: of the last), by seat."""
    by_round: tuple[tuple[int, ...], ...]
    """The points of every seat in each finished round."""

    def with_chip(self, seat: Seat, value: int) -> Ledger:
        points, revealed, turned, by_round = self
        return Ledger(
            with_item(points, seat, points[seat] + value),
            revealed[:value] + bytes([revealed[value] + 1]) + revealed[value + 1 :],
            with_item(turned, seat, turned[seat] + bytes([value])),
            by_round,
        )


class DeepSeaState(NamedTuple):
    """A position. Chip values are unknown to everybody until turned over, so all of it is public.

    A named tuple instead of a dataclass: rules and search create millions of states, and creating a
    tuple of nine takes a third of the time of a frozen dataclass.
    """

    phase: Phase
    current: Seat
    """The seat to move; after the end of a round, the seat that begins the next one."""
    round: int
    """Counted from 0; the number of rounds when the game is over."""
    oxygen: int
    places: tuple[int, ...]
    """By seat: 0 the submarine, 1 to 32 a place of the trail."""
    diving: tuple[bool, ...]
    """By seat; False from the decision to return on. In the submarine False means home."""
    held: tuple[bytes, ...]
    """The chips carried by each seat, in the order taken (see `chips`)."""
    trail: bytes
    """The content of each place: a chip, `chips.BLANK` or `chips.GONE`; index 0 is place 1."""
    ledger: Ledger

    @property
    def points(self) -> tuple[int, ...]:
        return self.ledger.points

    def is_home(self, seat: Seat) -> bool:
        return not (self.places[seat] or self.diving[seat])

    @property
    def is_bare(self) -> bool:
        """Whether no place is left on the trail: divers are home as soon as they want to go."""
        return self.trail.count(GONE) == len(self.trail)

    @property
    def lap(self) -> int:
        """The oxygen that all divers use in one turn each: the loads of those who are not home."""
        return sum(len(load) for seat, load in enumerate(self.held) if not self.is_home(seat))

    def chip_under(self, seat: Seat) -> int:
        """The content of a diver's place; `chips.BLANK` in the submarine."""
        place = self.places[seat]
        return self.trail[place - 1] if place else 0

    def place_after(self, seat: Seat, steps: int, *, diving: bool) -> int:
        place = self.places[seat]
        stops = way(self.trail, self.places, place, steps, diving=diving)
        return stops[-1] if stops else place

    @property
    def counting(self) -> Seat | None:
        """The seat whose chips are being turned over after a round; None if none are left."""
        if self.phase is not Phase.REVEAL:
            return None
        return next(
            (seat for seat, chips in enumerate(self.held) if chips and self.is_home(seat)), None
        )


Seen: TypeAlias = Observation[DeepSeaState, DeepSeaChoice]


def way(
    trail: Sequence[int], places: Sequence[int], place: int, steps: int, *, diving: bool
) -> list[int]:
    """The places that a diver visits, step by step, without the one it starts from.

    It stops at the end of the trail, and at home, which is 0.
    """
    stops: list[int] = []
    if not steps:
        return stops
    for there in range(place + 1, len(trail) + 1) if diving else range(place - 1, -1, -1):
        if not there or (trail[there - 1] != GONE and there not in places):
            stops.append(there)
            steps -= 1
            if not steps:
                break
    return stops
