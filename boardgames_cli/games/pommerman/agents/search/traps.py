"""Traps: bombs within a few steps that would leave an enemy no escape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.pommerman.agents.escapes import bodies, sure_ways_out, ways_out
from boardgames_cli.games.pommerman.agents.forecast import (
    HORIZON,
    Timeline,
    arrivals,
    cached_blast,
    foresee,
    survivors,
)
from boardgames_cli.games.pommerman.agents.situation import Situation
from boardgames_cli.games.pommerman.board import Mask, bits
from boardgames_cli.games.pommerman.state import Bomb

STEPS: Final = 3
"""Steps ahead in which bombs are considered."""
KILL: Final = 6.0
HINDERED: Final = 0.3
"""The probability that an enemy dies whose only escape we can block."""
PRESSURE: Final = 1.2
_RANGE: Final = 7
_PATIENCE: Final = 0.9


class TrapSearch:
    """The effect of bombs on the nearest enemy, which is assumed to walk at random.

    Args:
        situation: The situation.
        more: A bomb that is laid now.
    """

    def __init__(self, situation: Situation, more: Sequence[Bomb] = ()) -> None:
        self._is = situation
        self._more = tuple(more)
        self._known: dict[tuple[int, int], float] = {}
        self._base = (
            foresee(situation.scene, self._more, HORIZON + STEPS) if more else _long(situation)
        )
        self._target = self._nearest()
        self._places: list[Mask] = []
        """For each step the possible cells of the enemy with an escape."""
        self._room: list[int] = []
        """For each step the number of its possible final cells."""
        self._range: Mask = 0
        """The cells that the enemy can reach eventually."""
        if self._target >= 0:
            layers = arrivals(situation.size, self._base, 1 << self._target, 0)
            self._range = layers[2 * STEPS]
            for step in range(STEPS + 1):
                cells = layers[step] & ways_out(situation.size, self._base, step)
                self._places.append(cells)
                rest = survivors(situation.size, self._base, cells, step)
                self._room.append(rest.bit_count())

    def _nearest(self) -> int:
        grid, own = self._is.game.step_rules.grid, self._is.own.cell
        row, column = grid.place(own)

        def distance(cell: int) -> int:
            other_row, other_column = grid.place(cell)
            return abs(other_row - row) + abs(other_column - column)

        near = [opponent for opponent in self._is.opponents if distance(opponent) <= _RANGE]
        return min(near, key=distance, default=-1)

    def worth(self, layers: Sequence[Mask], first: int) -> float:
        """The maximum value of a bomb on the way.

        Args:
            layers: The cells where the agent can be after ``first`` steps, after one more, and so
                on.
            first: The number of steps before the first layer.
        """
        if self._target < 0 or self._is.own.ammo <= len(self._more):
            return 0.0
        best = 0.0
        for step, layer in enumerate(layers[: STEPS - first + 1], start=first):
            for cell in bits(layer):
                if (cell, step) not in self._known:
                    self._known[cell, step] = self.of_bomb(cell, step)
                best = max(best, _PATIENCE**step * self._known[cell, step])
        return best

    def of_bomb(self, cell: int, step: int) -> float:
        """The value of a bomb laid on a cell after some steps; 0 if the agent can't escape."""
        places = self._places[step] & ~(1 << cell) if self._places else 0
        if not places or self._is_lying(cell):
            return 0.0
        size, scene = self._is.size, self._is.scene
        strength = self._is.own.strength
        if not self._range & cached_blast(size, scene.rigid, self._base.wood, cell, strength):
            return 0.0
        bomb = self._is.bomb(cell, self._is.own.strength, step)
        timeline = foresee(self._is.scene, [*self._more, bomb], HORIZON + STEPS)
        start = 1 << cell & ~timeline.burning[step]
        if not start & ways_out(size, timeline, step + 1):
            return 0.0
        own_body = bodies(size, timeline, 1 << cell, step)
        left = places & ways_out(size, timeline, step)
        surely = left & sure_ways_out(size, timeline, own_body, 1, step)[1]
        count = places.bit_count()
        doomed = 1 - left.bit_count() / count
        hindered = (left & ~surely).bit_count() / count
        room = survivors(size, timeline, left, step).bit_count() / self._room[step]
        return KILL * (doomed + HINDERED * hindered) + PRESSURE * max(0.0, 1 - room)

    def _is_lying(self, cell: int) -> bool:
        return any(bomb.cell == cell for bomb in (*self._is.scene.bombs, *self._more))


def _long(situation: Situation) -> Timeline:
    return foresee(situation.scene, (), HORIZON + STEPS)
