"""Positions of duels on a nearly empty board, and what an agent does there."""

from __future__ import annotations

import random
from typing import Any, Final

from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState

DUEL: Final = Pommerman(mode="duel")
GRID: Final = grid_of(8)


def at(row: int, column: int) -> int:
    return GRID.cell(row, column)


def mask(*places: tuple[int, int]) -> int:
    return sum(1 << at(*place) for place in places)


def bomber(row: int, column: int, ammo: int = 1, kicks: bool = False) -> Bomber:
    return Bomber(at(row, column), True, ammo, 3, kicks)


def position(own: Bomber, opponent: Bomber | None = None, **changes: Any) -> PommermanState:
    return PommermanState(agents=(own, opponent or bomber(7, 7)), **changes)


def decide(
    agent: Agent[Any, Any],
    state: PommermanState,
    budget: Budget = Budget(),  # noqa: B008  # frozen
    cancelled: bool = False,
) -> str:
    agent.reset(DUEL, 0)
    agent.watch(DUEL.observe(state, 0))
    thinking = Thinking(random.Random(1), budget, lambda: cancelled)
    return str(agent.act(DUEL.observe(state, 0), thinking))


CORRIDOR: Final = mask(*((1, column) for column in range(8) if column != 4))
"""Walls below row 0, with one way round a corner."""
FLIGHT: Final = position(bomber(0, 3, ammo=0), rigid=CORRIDOR, bombs=(Bomb(at(0, 2), 3, 8, 1, 0),))
"""A bomb on the west side: only round the corner is it safe."""
ALLEY: Final = mask((1, 3), (1, 4), (2, 2), (3, 3), (3, 4))
"""The walls of a blind alley of two cells."""
