"""An agent's memory of cells that are in the fog again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.pommerman.board import UNKNOWN, Mask, ThreeMasks, grid_of, window
from boardgames_cli.games.pommerman.state import Bomb, PommermanState

_TRACK: Final = 6
"""Steps after which the position of an agent in the fog is forgotten."""


class Memory:
    """Adds remembered walls, power-ups and bombs to the current observation."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._full = grid_of(size).full
        self._forget()

    def _forget(self) -> None:
        self._rigid: Mask = 0
        self._wood: Mask = 0
        self._powers: ThreeMasks = (0, 0, 0)
        self._bombs: tuple[Bomb, ...] = ()
        self._seen: Mask = 0
        """All cells ever seen."""
        self._step = -1
        self._reruns = 0
        self._standing: tuple[object, ...] = ()
        self._changed = 0
        self._met: dict[int, tuple[int, int]] = {}
        """Where and when each agent was last seen; also one reported by the teammate."""

    def watch(self, state: PommermanState) -> None:
        """Update the memory after a step; a new board resets it."""
        if not state.agents or (state.reruns, state.step) == (self._reruns, self._step):
            return
        if state.reruns != self._reruns or state.step < self._step:
            self._forget()
            self._reruns = state.reruns
        fog, clear = state.fog, self._full & ~state.fog
        passed = state.step - self._step if self._step >= 0 else 0
        self._step = state.step
        self._seen |= clear
        self._rigid = self._rigid & fog | state.rigid
        self._wood = self._wood & fog | state.wood
        first, second, third = (
            old & fog | new for old, new in zip(self._powers, state.powers, strict=True)
        )
        self._powers = (first, second, third)
        # Bombs in the fog keep burning; rolling ones are forgotten.
        kept = [
            bomb._replace(life=bomb.life - passed)
            for bomb in self._bombs
            if fog >> bomb.cell & 1 and not bomb.direction and bomb.life > passed
        ]
        self._bombs = tuple(sorted([*kept, *state.bombs]))
        for seat, agent in enumerate(state.agents):
            if agent.alive and agent.cell != UNKNOWN:
                self._met[seat] = (agent.cell, state.step)
        standing = (self._wood, self._powers, *(agent.alive for agent in state.agents))
        if standing != self._standing:
            self._standing, self._changed = standing, state.step

    @property
    def quiet(self) -> int:
        """Steps since a wall burnt, a power-up appeared or vanished, or an agent died."""
        return self._step - self._changed

    def report(self, cell: int) -> None:
        """Record the teammate's report that an enemy is on or next to a cell."""
        self._met[UNKNOWN] = (cell, self._step)

    def whereabouts(self, state: PommermanState, seats: Sequence[int]) -> Mask:
        """Possible cells of agents out of sight: in the fog, near their last known cells."""
        found = 0
        for seat in (UNKNOWN, *(seat for seat in seats if state.agents[seat].alive)):
            cell, step = self._met.get(seat, (UNKNOWN, 0))
            if cell != UNKNOWN and state.step - step <= _TRACK:
                found |= window(self._size, cell, state.step - step + 1)
        walls = self._rigid | self._wood
        return found & state.fog & ~walls or state.fog & ~walls

    def complete(self, state: PommermanState) -> PommermanState:
        """The observation with fog replaced by remembered content where possible."""
        if not state.fog:
            return state
        return state._replace(
            rigid=self._rigid,
            wood=self._wood,
            powers=self._powers,
            bombs=self._bombs,
            fog=self._full & ~self._seen,
        )
