"""The strongest agent: it looks ahead on a fast copy of fire and bombs.

For each move it floods time and space from where the move leads: what can be reached unburnt, where
a bomb would pay, whether there is a way out afterwards, also if every enemy near lays a bomb now or
after one more step, and how many places a bomb leaves to the enemies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Observation, Seat
from boardgames_cli.games.pommerman.actions import MOVES, Move
from boardgames_cli.games.pommerman.agents.bomber_agent import BomberAgent
from boardgames_cli.games.pommerman.agents.forecast import (
    HORIZON,
    Timeline,
    arrivals,
    foresee,
    spread,
    survivors,
)
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.situation import WALKS, Situation, longest_life, look_at
from boardgames_cli.games.pommerman.agents.traps import KILL, PRESSURE, TrapSearch
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, STOP, Mask, bits
from boardgames_cli.games.pommerman.rules.explosions import blast
from boardgames_cli.games.pommerman.state import Bomb, PommermanState

_PATIENCE: Final = 0.93
"""The discount for each step."""
_WOOD: Final = 0.35
_POWER: Final = 1.0
_HUNT: Final = 0.25
_EAGER: Final = 0.9
_LATE: Final = (0.25, 0.75)
"""Between these shares of the game caution gives way to hunting: a tie is as bad as a loss."""
_FARTHEST: Final = 25
_SAFE_FROM_NOW: Final = 4.0
_SAFE_FROM_NEXT: Final = 2.0
_ROOM: Final = 0.06
_LONGEST: Final = 14
"""Steps to the farthest goal that is planned for; farther ones are only headed for."""
_THREAT_RANGE: Final = 7
DEATH: Final = -100.0
"""The value of a move after which nothing is left but to burn."""


class MoveValues:
    """The worth of every move in one situation.

    Args:
        situation: The table.
        thinking: When to stop: then only safety is looked at.
    """

    def __init__(self, situation: Situation, thinking: Thinking) -> None:
        self._is = situation
        self._thinking = thinking
        self._grid = situation.game.step_rules.grid
        self._wood_hits: dict[int, int] = {}
        self._strength = situation.own.strength
        early, late = _LATE
        share = situation.state.step / situation.game.steps
        self._urgency = min(1.0, max(0.0, (share - early) / (late - early)))
        self._threats = self._foresee_threats(())
        self._traps: TrapSearch | None = None
        if not thinking.should_stop():
            self._traps = TrapSearch(situation)
        self.nodes = 0
        """How many moves were thought through."""

    def values(self) -> dict[int, float]:
        """A value for each move, `DEATH` for those with no way out; their order is what counts."""
        found = dict.fromkeys(range(len(MOVES)), DEATH)
        for move in WALKS:
            refuge = self._is.refuge(move, self._is.timeline)
            if refuge:
                found[move] = self._safety(move, refuge, self._threats) + self._prospect(move)
        if self._is.can_lay:
            found[BOMB] = self._bomb_value()
        return found

    def _is_hurried(self) -> bool:
        self.nodes += 1
        return self._traps is None or self._thinking.should_stop(self.nodes)

    # -- safety ----------------------------------------------------------------------------

    def _foresee_threats(self, more: tuple[Bomb, ...]) -> tuple[Timeline, ...]:
        """What comes if the enemies lay bombs now, and if they do after a step towards us."""
        near = [foe for foe in self._is.foes if self._distance(foe) <= _THREAT_RANGE]
        if not near:
            return ()
        strength = max([self._is.game.strength, *(bomb.strength for bomb in self._is.scene.bombs)])
        now = [Bomb(foe, BOMB_LIFE, strength, 0, STOP) for foe in near]
        later = [Bomb(self._approach(foe), BOMB_LIFE + 1, strength, 0, STOP) for foe in near]
        return tuple(foresee(self._is.scene, [*more, *bombs]) for bombs in (now, later))

    def _distance(self, cell: int) -> int:
        row, column = self._grid.place(cell)
        own_row, own_column = self._grid.place(self._is.own.cell)
        return abs(row - own_row) + abs(column - own_column)

    def _approach(self, foe: int) -> int:
        free = ~self._is.timeline.blocked[0]
        choices = [cell for cell in self._grid.near[foe] if free >> cell & 1]
        return min(choices, key=self._distance, default=foe)

    def _safety(self, move: int, refuge: Mask, threats: tuple[Timeline, ...]) -> float:
        value = _ROOM * math.log2(1 + refuge.bit_count())
        if not threats:
            return value + _SAFE_FROM_NOW + _SAFE_FROM_NEXT
        weights = (_SAFE_FROM_NOW, _SAFE_FROM_NEXT * (1 - self._urgency))
        for weight, timeline in zip(weights, threats, strict=True):
            room = self._is.refuge(move, timeline).bit_count()
            if room:
                value += weight + _ROOM * math.log2(1 + room)
        return value

    # -- gains ------------------------------------------------------------------------------

    def _prospect(self, move: int) -> float:
        """The best that can be reached after a walk: power-ups, places for bombs, enemies."""
        cell = self._is.target(move)
        if self._is_hurried():
            return self._hunt(cell)
        layers = arrivals(self._is.size, self._long(), 1 << cell, 1)
        best = 0.0
        reached = 0
        for step, layer in enumerate(layers, start=1):
            new = layer & ~reached
            reached |= layer
            worth = _PATIENCE**step
            best = max(best, worth * self._power_worth(new))
            if self._is.own.ammo and step <= _LONGEST:
                best = max(best, worth * self._wood_worth(new, step))
        trap = self._traps.worth(layers, 1) if self._traps else 0.0
        return best + self._hunt(cell) + trap

    def _long(self) -> Timeline:
        """The timeline drawn out: after its end nothing burns."""
        timeline = self._is.timeline
        walls = self._is.scene.rigid | timeline.wood
        extra = _LONGEST
        return Timeline(
            timeline.blocked + (walls,) * extra, timeline.burning + (0,) * extra, timeline.wood
        )

    def _power_worth(self, cells: Mask) -> float:
        bombs, ranges, kicks = self._is.state.powers
        if cells & (bombs | ranges):
            return _POWER
        return _POWER / 2 if cells & kicks and not self._is.own.kicks else 0.0

    def _wood_worth(self, cells: Mask, step: int) -> float:
        """The most wood that a bomb on one of the cells burns, if there is a way out."""
        ranked = sorted(((self._hits(cell), cell) for cell in bits(cells)), reverse=True)
        for hits, cell in ranked[:3]:
            if not hits:
                break
            if step > 4 or self._has_way_out(cell, step):
                return _WOOD * hits
        return 0.0

    def _hits(self, cell: int) -> int:
        if cell not in self._wood_hits:
            # What other bombs will burn anyway does not count.
            wood = self._is.timeline.wood
            hit = blast(self._grid, self._is.scene.rigid, wood, cell, self._strength)
            self._wood_hits[cell] = (hit & wood).bit_count()
        return self._wood_hits[cell]

    def _has_way_out(self, cell: int, delay: int) -> bool:
        bomb = self._is.bomb(cell, self._strength, delay)
        timeline = foresee(self._is.scene, [bomb], HORIZON + delay)
        if timeline.burning[delay] >> cell & 1:
            return False
        return bool(survivors(self._is.size, timeline, 1 << cell, delay + 1))

    def _hunt(self, cell: int) -> float:
        """A little for being near an enemy, or near the fog in which they must be."""
        goals = sum(1 << foe for foe in self._is.foes) or self._is.state.fog
        walls = self._is.scene.rigid | self._is.timeline.wood
        reached, steps = 1 << cell, 0
        while goals:
            near = spread(self._is.size, reached)
            if near & goals:
                break
            if near & ~walls == reached or steps > _FARTHEST:
                return 0.0
            reached = near & ~walls
            steps += 1
        eagerness = (2 if len(self._is.foes) == 1 else 1) * (1 + 3 * self._urgency)
        return _HUNT * _EAGER**steps * eagerness

    # -- bombs -----------------------------------------------------------------------------

    def _bomb_value(self) -> float:
        own = self._is.own
        bomb = self._is.bomb(own.cell, self._strength)
        timeline = foresee(self._is.scene, [bomb])
        refuge = self._is.refuge(STOP, timeline)
        if not refuge:
            return DEATH
        value = self._safety(STOP, refuge, self._foresee_threats((bomb,)))
        value += _WOOD * self._hits(own.cell) + self._hunt(own.cell)
        value -= self._harm(timeline)
        if self._traps is None or self._is_hurried():
            return value
        value += self._traps.of_bomb(own.cell, 0)
        layers = arrivals(self._is.size, timeline, 1 << own.cell, 1)
        return value + TrapSearch(self._is, [bomb]).worth(layers, 1)

    def _harm(self, timeline: Timeline) -> float:
        """What a bomb takes from the teammate."""
        harm = 0.0
        for mate in bits(self._is.others):
            if mate in self._is.foes:
                continue
            before, after = (
                survivors(self._is.size, line, 1 << mate).bit_count()
                for line in (self._is.timeline, timeline)
            )
            if before:
                harm += KILL if not after else PRESSURE * (1 - after / before)
        return harm


@dataclass
class Hard(BomberAgent):
    """Takes the move of the highest value; see `Advice`."""

    _memory: Memory = field(init=False, repr=False, compare=False)

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game."""
        super().reset(game, seat)
        self._memory = Memory(self._game.board_spec.size)

    def watch(self, seen: Observation[PommermanState, Move]) -> None:
        """Remember what the fog may cover later."""
        self._memory.watch(seen.state)

    def act(self, seen: Observation[PommermanState, Move], thinking: Thinking) -> Move:
        """The best move, in silence."""
        situation, values = self._value_moves(seen, thinking)
        best = max(values.values())
        if best == DEATH:
            return MOVES[longest_life(situation)]
        return MOVES[thinking.rng.choice([move for move, value in values.items() if value == best])]

    def explain_actions(
        self, seen: Observation[PommermanState, Move], thinking: Thinking
    ) -> dict[Move, str]:
        """In words how the six moves, in silence, compare with the best one."""
        values = self._value_moves(seen, thinking)[1]
        best = max(values.values())
        return {
            MOVES[move]: "no way out" if value == DEATH else _compared(best - value)
            for move, value in values.items()
        }

    def _value_moves(
        self, seen: Observation[PommermanState, Move], thinking: Thinking
    ) -> tuple[Situation, dict[int, float]]:
        assert seen.seat is not None, "a spectator has no moves"
        self._memory.watch(seen.state)
        situation = look_at(self._game, self._memory.complete(seen.state), seen.seat)
        return situation, MoveValues(situation, thinking).values()


def _compared(gap: float) -> str:
    """How a move compares with the best; the numbers are estimates of no unit."""
    return "best (estimate)" if gap == 0 else f"{gap:.1f} worse (estimate)"
