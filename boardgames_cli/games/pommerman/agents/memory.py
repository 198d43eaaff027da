"""What an agent remembers of cells that the fog covers again."""

from __future__ import annotations

from boardgames_cli.games.pommerman.board import Mask, grid_of
from boardgames_cli.games.pommerman.state import Bomb, PommermanState


class Memory:
    """Walls, power-ups and bombs that were seen before, laid over what is seen now.

    Args:
        size: Cells in a row.
    """

    def __init__(self, size: int) -> None:
        self._full = grid_of(size).full
        self._forget()

    def _forget(self) -> None:
        self._rigid: Mask = 0
        self._wood: Mask = 0
        self._powers: tuple[Mask, Mask, Mask] = (0, 0, 0)
        self._bombs: tuple[Bomb, ...] = ()
        self._seen: Mask = 0
        """All cells that were seen at any time."""
        self._step = -1
        self._reruns = 0

    def watch(self, state: PommermanState) -> None:
        """Take in what is seen after a step; a new board makes all that was before it void."""
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
        # A bomb out of sight burns down all the same; one that rolled is anywhere by now.
        kept = [
            bomb._replace(life=bomb.life - passed)
            for bomb in self._bombs
            if fog >> bomb.cell & 1 and not bomb.direction and bomb.life > passed
        ]
        self._bombs = tuple(sorted([*kept, *state.bombs]))

    def complete(self, state: PommermanState) -> PommermanState:
        """What is seen, with what is remembered in place of fog; the rest stays fog."""
        if not state.fog:
            return state
        return PommermanState(
            self._rigid,
            self._wood,
            self._powers,
            state.hidden,
            state.flames,
            self._bombs,
            state.agents,
            state.step,
            state.words,
            state.fallen,
            self._full & ~self._seen,
            state.reruns,
        )
