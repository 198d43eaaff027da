"""The state of Pommerman."""

from __future__ import annotations

from typing import NamedTuple

from boardgames_cli.games.pommerman.board import Mask, ThreeMasks

Words = tuple[int, int]
"""Two radio words; (0, 0) is silence."""

SILENCE: Words = (0, 0)


class Bomber(NamedTuple):
    """One agent; -1 marks values unknown to the observer."""

    cell: int
    """Its cell, or the cell where it died."""
    alive: bool
    ammo: int
    strength: int
    """Its next bomb reaches strength - 1 cells beyond its own."""
    kicks: bool


class Bomb(NamedTuple):
    """One bomb."""

    cell: int
    life: int
    """It explodes in the step in which this reaches 0."""
    strength: int
    owner: int
    direction: int
    """The direction in which it rolls; 0 at rest."""


class PommermanState(NamedTuple):
    """A position; without agents it is the state before the layout.

    A named tuple rather than a dataclass, because one is created for every observer at every step,
    in a third of the time.
    """

    rigid: Mask = 0
    wood: Mask = 0
    powers: ThreeMasks = (0, 0, 0)
    """The open power-ups: extra bomb, extra range, kick."""
    hidden: ThreeMasks = (0, 0, 0)
    """The power-ups under wood, or under the flames that burnt it."""
    flames: ThreeMasks = (0, 0, 0)
    """The flames of life 0, 1 and 2; several may lie on one cell."""
    bombs: tuple[Bomb, ...] = ()
    """Ascending by cell; no two on one cell."""
    agents: tuple[Bomber, ...] = ()
    step: int = 0
    words: tuple[Words, ...] = ()
    """The words of each seat in the last step; empty without radio."""
    fallen: tuple[int, ...] = ()
    """The seats that the collapse has just killed, which still count as alive for the outcome."""
    fog: Mask = 0
    reruns: int = 0
    """The number of tied games of the match before this one."""

    @property
    def walls(self) -> Mask:
        return self.rigid | self.wood

    @property
    def burning(self) -> Mask:
        low, middle, high = self.flames
        return low | middle | high

    @property
    def open_powers(self) -> Mask:
        """The cells with an open power-up of any kind."""
        bombs, ranges, kicks = self.powers
        return bombs | ranges | kicks
