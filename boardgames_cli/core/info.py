"""Facts about a game that are known before its rules are loaded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto


class Traits(Flag):
    """Properties of a game; agents and front ends check these, never a game's name."""

    NONE = 0
    CHANCE = auto()
    """Chance acts, and its outcomes can be listed."""
    SAMPLED_CHANCE = auto()
    """Chance acts, with too many outcomes to list."""
    HIDDEN = auto()
    """Seats know different things."""
    SIMULTANEOUS = auto()
    """Several seats may act in one step."""
    ZERO_SUM = auto()
    """The returns of all seats add up to 0."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The description of a game."""

    id: str
    name: str
    seats: tuple[int, ...]
    """The possible numbers of seats."""
    traits: Traits
    rules_version: int
    """Increased whenever a recorded game could play out differently."""
    summary: str = ""
    """One or two lines for the menu."""
    minutes: int = 10
    """Roughly how long a game between two people takes."""
    seat_names: tuple[str, ...] = ()
    """What the seats are called in this game, such as ``("cones", "spools")``."""

    def seat_name(self, seat: int) -> str:
        """The name of a seat, such as ``cones``; its number if seats have no names."""
        return self.seat_names[seat] if seat < len(self.seat_names) else str(seat + 1)
