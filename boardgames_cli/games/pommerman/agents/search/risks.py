"""Estimates the risk of dying soon from the reliability of escape routes.

Three scenarios are considered: nobody lays another bomb; all near enemies do; they do after a step
towards us. In each of them walks may fail because others are in the way; see `escapes`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.pommerman.agents.escapes import aside, bodies, sure_ways_out, ways_out
from boardgames_cli.games.pommerman.agents.forecast import Timeline, foresee, spread
from boardgames_cli.games.pommerman.agents.situation import Situation
from boardgames_cli.games.pommerman.board import BOMB_LIFE, STOP, Mask
from boardgames_cli.games.pommerman.state import Bomb

_FAILS: Final = 2
"""The maximum number of failed walks considered."""
_A_WHILE: Final = 4
"""Steps for which an escape route avoids all others."""
_NEAR: Final = 7
"""The maximum distance of threatening enemies."""
_BESIDE: Final = 2
"""The maximum distance of adjacent enemies."""

SIGNS: Final = (
    "no way past those who stand there",
    "none if a walk fails",
    "none if two walks fail",
    "none round the others for a while",
    "none round the others",
    "none if enemies lay bombs",
    "none round the others if enemies lay bombs",
    "none if they do after a step",
    "none round the others if they do after a step",
    "steps to where it will not burn",
    "enemies beside",
    "walks failed",
)
"""Descriptions of the danger signs."""
WEIGHTS: Final = (1.2, 0.6, 0.6, 0.7, 1.2, 0.6, 1.8, 0.8, 1.6, 0.1, 0.2, 0.2)
"""The weight of each sign in the log odds.

Rounded from a logistic regression on 21,067 decisions in 150 free-for-alls against three `simple`,
of which 232 were followed by death within 12 steps. Correlated signs share their weight.
"""
BASE: Final = -4.5
"""The log odds without any sign; higher than measured, so that signs have more effect."""


class WaysOut:
    """The reliability of escape routes after each first step, in one scenario.

    Args:
        situation: The situation.
        timeline: The forecast.
        is_thorough: Whether to consider failed walks.
    """

    def __init__(
        self, situation: Situation, timeline: Timeline, *, is_thorough: bool = True
    ) -> None:
        size, safe = situation.size, ~timeline.burning[0]
        self.own = situation.own.cell
        self.timeline = timeline
        self.others = bodies(size, timeline, situation.others)
        self.plain = ways_out(size, timeline, 1) & safe
        """Cells with an escape if nobody is in the way."""
        apart = aside(self.others, len(timeline.blocked))
        self.apart = sure_ways_out(size, timeline, apart, 0, 1)[0] & safe
        """Cells with an escape that avoids the others."""
        self.levels: tuple[Mask, ...] = ()
        """Cells with an escape if 0, 1, 2 walks fail, and with one that avoids others for a
        while."""
        if is_thorough:
            found = sure_ways_out(size, timeline, self.others, _FAILS, 1)
            a_while = sure_ways_out(size, timeline, aside(self.others, _A_WHILE), 0, 1)
            self.levels = tuple(cells & safe for cells in (*found, *a_while))

    def needed(self, move: int, cell: int) -> Mask:
        """The cells on which an agent may be after a walk, including its own if it fails."""
        if move != STOP and self.others.contested[0] >> cell & 1:
            return 1 << cell | 1 << self.own
        return 1 << cell


class Risks:
    """The risks of dying soon, by first move.

    Args:
        situation: The situation.
        laid: The bomb laid now, if any; the first move is then to stay.
        stuck: The cell to which the last walks failed, and how many they were.
    """

    def __init__(
        self,
        situation: Situation,
        laid: Sequence[Bomb] = (),
        stuck: tuple[int, int] = (-1, 0),
    ) -> None:
        self._is = situation
        self._laid = tuple(laid)
        self._stuck = stuck
        self._grid = situation.game.step_rules.grid
        self._strength = max(
            [situation.game.strength, *(bomb.strength for bomb in situation.scene.bombs)]
        )
        self.timeline = foresee(situation.scene, laid) if laid else situation.timeline
        self._still = WaysOut(situation, self.timeline)
        self._threats = self._foresee_threats()
        self._fire: Mask = 0
        for burning in self.timeline.burning:
            self._fire |= burning

    def _foresee_threats(self) -> list[WaysOut]:
        near = [
            opponent
            for opponent in self._is.opponents
            if self._distance(opponent, self._is.own.cell) <= _NEAR
        ]
        if not near:
            return []
        now = [Bomb(opponent, BOMB_LIFE, self._strength, 0, STOP) for opponent in near]
        later = [
            Bomb(self._approach(opponent), BOMB_LIFE + 1, self._strength, 0, STOP)
            for opponent in near
        ]
        return [
            WaysOut(self._is, foresee(self._is.scene, [*self._laid, *bombs]), is_thorough=False)
            for bombs in (now, later)
        ]

    def _distance(self, cell: int, other: int) -> int:
        row, column = self._grid.place(cell)
        other_row, other_column = self._grid.place(other)
        return abs(row - other_row) + abs(column - other_column)

    def _approach(self, opponent: int) -> int:
        free = ~self._is.timeline.blocked[0]
        choices = [cell for cell in self._grid.near[opponent] if free >> cell & 1]
        own = self._is.own.cell
        return min(choices, key=lambda cell: self._distance(cell, own), default=opponent)

    def is_fatal(self, move: int) -> bool:
        """Whether there is no escape even if nobody is in the way."""
        cell = self._is.target(move)
        return cell < 0 or not self._still.plain >> cell & 1

    def signs(self, move: int) -> tuple[float, ...]:
        """The danger signs of a walk or a stop: a number for each of `SIGNS`."""
        cell = self._is.target(move)
        needed = self._still.needed(move, cell)
        found: list[float] = [level & needed != needed for level in self._still.levels]
        found.append(self._still.apart & needed != needed)
        for threat in self._threats:
            found += (not threat.plain >> cell & 1, threat.apart & needed != needed)
        if not self._threats:
            found += (0.0,) * 4
        found.append(0.0 if self._laid else self._steps_to_safety(cell))
        found.append(
            sum(self._distance(opponent, cell) <= _BESIDE for opponent in self._is.opponents)
        )
        stuck_at, fails = self._stuck
        found.append(min(3, fails) if cell == stuck_at else 0.0)
        return tuple(found)

    def of(self, move: int) -> float:
        """The risk of dying soon after a walk that is not fatal, or after stopping."""
        terms = zip(WEIGHTS, self.signs(move), strict=True)
        return 1 / (1 + math.exp(-BASE - sum(weight * sign for weight, sign in terms)))

    def _steps_to_safety(self, cell: int) -> int:
        cells, safe = 1 << cell, ~self._fire
        for step in range(1, len(self.timeline.blocked)):
            if cells & safe:
                return step - 1
            cells |= spread(self._is.size, cells) & ~self.timeline.blocked[step]
            cells &= ~self.timeline.burning[step]
        return len(self.timeline.blocked)
