"""A position of Deep Sea Adventure."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from boardgames_cli.core.game import Seat


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


class Ledger(NamedTuple):
    """What is written down about chips that came home; it changes at the end of a round only."""

    points: tuple[int, ...]
    """By seat, chips of the round being counted included as far as they are turned over."""
    revealed: bytes
    """For every value 0 to 15 how many chips with it have been turned over in the game."""
    turned: tuple[bytes, ...]
    """By seat the values turned over at the end of this round (after the game: of the last)."""
    by_round: tuple[tuple[int, ...], ...]
    """For each finished round the points that every seat won in it."""


class DeepSeaState(NamedTuple):
    """A position. Nobody knows the value of a chip before it is turned over, so all is public.

    A named tuple and not a dataclass: rules and search make states by the million, and a tuple of
    nine is made in a third of the time of a frozen dataclass.
    """

    phase: Phase
    current: Seat
    """Whose turn it is; from the end of a round on, who begins the next one."""
    round: int
    """Counted from 0; the number of rounds when the game is over."""
    oxygen: int
    places: tuple[int, ...]
    """By seat: 0 the submarine, 1 to 32 a place of the trail."""
    diving: tuple[bool, ...]
    """By seat; False from the decision to return on. In the submarine it means: home."""
    held: tuple[bytes, ...]
    """By seat the chips carried, in the order taken (see `chips`)."""
    trail: bytes
    """What lies on each place: a chip, `chips.BLANK` or `chips.GONE`; index 0 is place 1."""
    ledger: Ledger

    @property
    def points(self) -> tuple[int, ...]:
        """By seat the values of all chips turned over so far."""
        return self.ledger.points

    def is_home(self, seat: Seat) -> bool:
        """Whether a diver is back in the submarine."""
        return not (self.places[seat] or self.diving[seat])

    def chip_under(self, seat: Seat) -> int:
        """What lies where a diver is; `chips.BLANK` in the submarine."""
        place = self.places[seat]
        return self.trail[place - 1] if place else 0

    @property
    def counting(self) -> Seat | None:
        """Whose chips are being turned over at the end of a round; None if none are left."""
        if self.phase is not Phase.REVEAL:
            return None
        return next(
            (seat for seat, chips in enumerate(self.held) if chips and self.is_home(seat)), None
        )
