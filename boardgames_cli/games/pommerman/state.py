"""A moment of a Pommerman game, as a frozen value."""

from __future__ import annotations

from typing import NamedTuple

from boardgames_cli.games.pommerman.board import Mask

Words = tuple[int, int]
"""Two radio words; (0, 0) is silence."""

SILENCE: Words = (0, 0)


class Bomber(NamedTuple):
    """One agent; -1 stands for what the observer does not know."""

    cell: int
    """Where it stands, or where it died."""
    alive: bool
    ammo: int
    strength: int
    """Its next bomb reaches strength - 1 cells beyond its own."""
    kicks: bool


class Bomb(NamedTuple):
    """One bomb."""

    cell: int
    life: int
    """It goes off in the step in which this falls to 0."""
    strength: int
    owner: int
    """The seat that laid it."""
    direction: int
    """The move it rolls in; 0 at rest."""


class PommermanState(NamedTuple):
    """A position. Without agents it is the empty table before the layout.

    A named tuple and not a dataclass: every step makes one for each agent that looks, in a third of
    the time.
    """

    rigid: Mask = 0
    wood: Mask = 0
    powers: tuple[Mask, Mask, Mask] = (0, 0, 0)
    """The open power-ups: extra bomb, extra range, kick."""
    hidden: tuple[Mask, Mask, Mask] = (0, 0, 0)
    """The power-ups under wood, or under the flames that burnt it."""
    flames: tuple[Mask, Mask, Mask] = (0, 0, 0)
    """The flames of life 0, 1 and 2; several may lie on one cell."""
    bombs: tuple[Bomb, ...] = ()
    """Ascending by cell; no two on one cell."""
    agents: tuple[Bomber, ...] = ()
    step: int = 0
    """How many steps have been played."""
    words: tuple[Words, ...] = ()
    """What each seat said in the step that led here; only by radio, else empty."""
    fallen: tuple[int, ...] = ()
    """The seats that the collapse of this very step has killed, which its outcome overlooks."""
    fog: Mask = 0
    """The cells that the observer can't see."""
    reruns: int = 0
    """How many games of the match were tied, and played again, before this one."""

    @property
    def burning(self) -> Mask:
        """The cells in flames."""
        low, middle, high = self.flames
        return low | middle | high

    @property
    def open_powers(self) -> Mask:
        """The cells with an open power-up of any kind."""
        bombs, ranges, kicks = self.powers
        return bombs | ranges | kicks
