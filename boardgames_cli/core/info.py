"""What can be said about a game before its rules are loaded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto


class Traits(Flag):
    """What kind of game it is; agents and front ends ask for these, never for names."""

    NONE = 0
    CHANCE = auto()
    """Chance acts, and its outcomes can be listed."""
    SAMPLED_CHANCE = auto()
    """Chance acts, and has too many outcomes to list."""
    HIDDEN = auto()
    """Seats know different things."""
    SIMULTANEOUS = auto()
    """Several seats may act in one step."""
    ZERO_SUM = auto()
    """The returns of all seats add up to 0."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What can be said about a game before anyone plays it."""

    id: str
    name: str
    seats: tuple[int, ...]
    """The numbers of seats that it can be played with."""
    traits: Traits
    rules_version: int
    """Raised whenever a recorded game could go differently than before."""
    summary: str = ""
    """One or two lines for the menu."""
    minutes: int = 10
    """About how long one game takes two people."""
    seat_names: tuple[str, ...] = ()
    """What the seats are called in this game, such as ``("cones", "spools")``."""
