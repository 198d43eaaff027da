"""Habits: rules of thumb by which a diver decides, quickly and without looking ahead.

A habit reads the sea alone, so the same one plays at the table (`agents`) and thousands of times a
second in the thoughts of another agent (`kernel`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.chips import DOTS, GONE


class Sea(Protocol):
    """What a habit can read: a state of the rules, or one of the kernel."""

    @property
    def oxygen(self) -> int:
        """What is left in the tank."""

    @property
    def places(self) -> Sequence[int]:
        """By seat: 0 the submarine, 1 to 32 a place of the trail."""

    @property
    def diving(self) -> Sequence[bool]:
        """By seat: whether it has not turned back."""

    @property
    def held(self) -> Sequence[bytes]:
        """By seat the chips carried."""

    @property
    def trail(self) -> bytes | bytearray:
        """What lies on each place; index 0 is place 1."""


def is_at_end(sea: Sea, seat: Seat) -> bool:
    """Whether no free place lies further out, so that diving on leads nowhere."""
    places, trail = sea.places, sea.trail
    return not any(
        trail[there] != GONE and there + 1 not in places
        for there in range(places[seat], len(trail))
    )


class Habit:
    """Decides for one diver at a time. By default it dives to the end, takes nothing, keeps all."""

    def returns(self, sea: Sea, seat: Seat) -> bool:
        """Whether the diver turns back now; without a load it could stay down for ever."""
        return is_at_end(sea, seat)

    def takes(self, sea: Sea, seat: Seat) -> bool:
        """Whether the diver takes the chip it is on."""
        return False

    def drops(self, sea: Sea, seat: Seat) -> bool:
        """Whether the diver puts its lowest chip down on the blank it is on."""
        return False


@dataclass(frozen=True, slots=True)
class GrabberHabit(Habit):
    """Takes the first chips it comes to, then returns."""

    n: int

    def returns(self, sea: Sea, seat: Seat) -> bool:
        """With ``n`` chips, or at the end of the trail."""
        return len(sea.held[seat]) >= self.n or is_at_end(sea, seat)

    def takes(self, sea: Sea, seat: Seat) -> bool:
        """Up to ``n`` chips, on the way down."""
        return sea.diving[seat] and len(sea.held[seat]) < self.n


@dataclass(frozen=True, slots=True)
class DiverHabit(Habit):
    """Dives to a depth, taking chips on the way while it has room, and returns from there.

    At its depth and below it takes any chip: so the recorded games of the reference have it, in
    which Diver(16,1) brings home more than the first chip of the trail.
    """

    depth: int
    n: int

    def returns(self, sea: Sea, seat: Seat) -> bool:
        """At its depth, or at the end of the trail."""
        return sea.places[seat] >= self.depth or is_at_end(sea, seat)

    def takes(self, sea: Sea, seat: Seat) -> bool:
        """Up to ``n`` chips, and any at its depth."""
        return len(sea.held[seat]) < self.n or sea.places[seat] >= self.depth


class GreedyHabit(Habit):
    """Wants a chip of the last level, and nothing else."""

    def returns(self, sea: Sea, seat: Seat) -> bool:
        """With a 4-dot chip, or at the end of the trail."""
        return any(4 in DOTS[chip] for chip in sea.held[seat]) or is_at_end(sea, seat)

    def takes(self, sea: Sea, seat: Seat) -> bool:
        """A 4-dot chip."""
        return 4 in DOTS[sea.trail[sea.places[seat] - 1]]


@dataclass(frozen=True, slots=True)
class RandomHabit(Habit):
    """Tosses a coin for every decision."""

    rng: random.Random

    def returns(self, sea: Sea, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5

    def takes(self, sea: Sea, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5

    def drops(self, sea: Sea, seat: Seat) -> bool:
        """As the coin falls."""
        return self.rng.random() < 0.5
