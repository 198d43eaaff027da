"""A rule-based agent: flee, bomb what is near, fetch power-ups, wander."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar, Final

from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman.actions import MOVES, Move, Seen
from boardgames_cli.games.pommerman.agents.forecast import HORIZON, foresee, spread, survivors
from boardgames_cli.games.pommerman.agents.situation import WALKS, Situation, longest_life, look_at
from boardgames_cli.games.pommerman.board import BOMB, STOP, Mask
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import blast
from boardgames_cli.games.pommerman.state import PommermanState


class BomberAgent(SingleGameAgent[Pommerman, PommermanState, Move]):
    """An agent for Pommerman only."""

    rulebook: ClassVar = Pommerman


_FAR: Final = 9
"""Power-ups further away than this are not fetched."""
_CLOSE: Final = 2
"""Enemies within this distance are bombed even if the blast does not reach them yet."""


@dataclass
class Simple(BomberAgent):
    """Acts by rules; the first that applies decides.

    1. If no walk is safe, the one with the longest survival.
    2. A bomb, if it hits wood or an enemy, or one is very near, and there is a way out.
    3. Towards the nearest power-up, else towards wood, enemies, and what is in the fog.
    4. Any safe walk.
    """

    slips: float = option(0.0, "share of random moves", low=0, high=1)
    foresight: int = option(HORIZON, "steps of the forecast of fire", low=1, high=HORIZON)

    def act(self, seen: Seen, thinking: Thinking) -> Move:
        rng = thinking.rng
        if self.slips and rng.random() < self.slips:
            return MOVES[rng.randrange(len(MOVES))]
        return MOVES[decide(look_at(self._game, seen.state, seen.own_seat, self.foresight), rng)]


def decide(situation: Situation, rng: random.Random) -> int:
    """The move given by the rules."""
    safe = [move for move in WALKS if situation.refuge(move, situation.timeline)]
    if not safe:
        return longest_life(situation)
    if _is_bomb_worthwhile(situation):
        return BOMB
    rng.shuffle(safe)
    for goals, most in _goals(situation):
        move = step_towards(situation, goals, most, safe)
        if move is not None:
            return move
    return safe[0]


def _is_bomb_worthwhile(situation: Situation) -> bool:
    if not situation.can_lay:
        return False
    own, scene = situation.own, situation.scene
    grid = situation.game.step_rules.grid
    hit = blast(grid, scene.rigid, scene.wood, own.cell, own.strength)
    is_near = any(grid.distance(own.cell, opponent) <= _CLOSE for opponent in situation.opponents)
    if not (
        is_near or hit & scene.wood or any(hit >> opponent & 1 for opponent in situation.opponents)
    ):
        return False
    bomb = situation.bomb(own.cell, own.strength)
    timeline = foresee(scene, [bomb], len(situation.timeline.burning))
    start = 1 << own.cell & ~timeline.burning[0]
    return bool(start and survivors(situation.size, timeline, start, 1))


def _goals(situation: Situation) -> list[tuple[Mask, int]]:
    state = situation.state
    everywhere = situation.game.step_rules.grid.cells
    goals = [(state.open_powers, _FAR)]
    if situation.own.ammo:
        goals.append((state.wood, everywhere))
    opponents = sum(1 << opponent for opponent in situation.opponents)
    return [*goals, (opponents, everywhere), (state.fog, everywhere)]


def step_towards(situation: Situation, goals: Mask, most: int, allowed: list[int]) -> int | None:
    """The allowed walk on a shortest path to, or next to, a goal; None if none can be reached.

    Goals that can't be entered are approached; ties are broken in the order of the walks.
    """
    if not goals:
        return None
    size, own = situation.size, situation.own.cell
    free = ~(situation.timeline.blocked[0] | situation.others)
    # Flood fill from the goals to the own cell; the walk reached first wins.
    front = spread(size, goals) if goals & ~free else goals
    reached = front & (free | 1 << own)
    targets = {move: situation.target(move) for move in allowed}
    for _ in range(most):
        for move, cell in targets.items():
            if cell >= 0 and reached >> cell & 1 and (move != STOP or reached >> own & 1):
                return move
        wider = reached | spread(size, reached) & (free | 1 << own)
        if wider == reached:
            return None
        reached = wider
    return None
