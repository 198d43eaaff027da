"""The strongest agent without compiled rules: it searches on a forecast of fire and bombs.

For each move it estimates the risk of dying (see `risks`) and floods time and space from the
resulting cell: what can be reached unburnt, where a bomb is worthwhile, and how many escapes it
leaves to enemies (see `traps`).

By radio it tells its teammate where it sees an enemy. The first word is the row and the second the
column, each in eighths of the board, so that 1 1 is the upper left corner and 8 8 the lower right
one. Silence means that no enemy is in sight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.pommerman.actions import MOVES, Move, make_move
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
from boardgames_cli.games.pommerman.agents.search.risks import Risks
from boardgames_cli.games.pommerman.agents.search.traps import KILL, PRESSURE, TrapSearch
from boardgames_cli.games.pommerman.agents.situation import WALKS, Situation, longest_life, look_at
from boardgames_cli.games.pommerman.board import BOMB, STOP, UNKNOWN, WORDS, Mask, bits
from boardgames_cli.games.pommerman.state import SILENCE, PommermanState, Words


def words_for(size: int, cell: int) -> Words:
    """The words for an enemy on a cell."""
    row, column = divmod(cell, size)
    return row * WORDS // size + 1, column * WORDS // size + 1


def cell_meant(size: int, words: Words) -> int:
    """A cell for two words, correct to within one cell; `UNKNOWN` for silence."""
    if words == SILENCE:
        return UNKNOWN
    row, column = (-(-(word - 1) * size // WORDS) for word in words)
    return row * size + column


_PATIENCE: Final = 0.93
"""The discount per step."""
_WOOD: Final = 0.35
_POWER: Final = 1.0
_HUNT: Final = 0.25
_EAGER: Final = 0.9
_LATE: Final = (0.25, 0.75)
"""Between these shares of the game, hunting gains weight over caution, since a tie is a loss."""
_FARTHEST: Final = 25
_KICK: Final = 0.2
"""The cost of kicking a bomb, whose end is uncertain."""
_LONGEST: Final = 14
"""The maximum number of steps to a planned goal; the agent only heads towards farther ones."""
DEATH: Final = -100.0
"""The value of a move without escape."""
_LIFE: Final = 60.0
"""The cost of dying."""
_DARING: Final = 0.6
"""The reduction of that cost when a tie is near."""
_QUIET: Final = (40, 140)
"""The range of uneventful steps over which the agent becomes more daring and random."""
_WHIM: Final = 0.6
"""The size of random changes to move values then, so that agents don't run in circles."""


class MoveValues:
    """Evaluates all moves in one situation.

    Args:
        situation: The situation.
        thinking: The limits; when reached, only safety is evaluated.
        stuck: The cell to which the last walks failed, and the number of failures.
        quiet: The number of uneventful steps.
        hunted: Where to look for enemies if none is in sight.
    """

    def __init__(
        self,
        situation: Situation,
        thinking: Thinking,
        stuck: tuple[int, int] = (-1, 0),
        quiet: int = 0,
        hunted: Mask = 0,
    ) -> None:
        self._is = situation
        self._thinking = thinking
        self._stuck = stuck
        self._hunted = hunted
        self._grid = situation.game.step_rules.grid
        self._strength = situation.own.strength
        self._wood_hits = self._count_wood()
        self._near_wood: Mask = sum(1 << cell for cell in self._wood_hits)
        self._boredom = _share(quiet, _QUIET)
        share = situation.state.step / situation.game.steps
        self._urgency = max(self._boredom, _share(share, _LATE))
        self._life = _LIFE * (1 - _DARING * self._urgency)
        self._traps: TrapSearch | None = None
        if not thinking.should_stop():
            self._traps = TrapSearch(situation)
        self.nodes = 0
        """The number of moves evaluated."""

    def values(self) -> dict[int, float]:
        """A value for each move, `DEATH` for those without escape; only the order matters."""
        found = dict.fromkeys(range(len(MOVES)), DEATH)
        risks = Risks(self._is, (), self._stuck)
        for move in WALKS:
            if not risks.is_fatal(move):
                found[move] = self._prospect(move) - self._life * risks.of(move)
            elif kicked := self._is.kick(move):
                found[move] = self._kick_value(kicked, move)
        if self._is.can_lay:
            found[BOMB] = self._bomb_value()
        if self._boredom:
            whim = self._boredom * _WHIM
            rng = self._thinking.rng
            found = {m: v if v == DEATH else v + whim * rng.random() for m, v in found.items()}
        return found

    def _is_hurried(self) -> bool:
        self.nodes += 1
        return self._traps is None or self._thinking.should_stop(self.nodes)

    # -- gains ------------------------------------------------------------------------------

    def _prospect(self, move: int) -> float:
        """The best goal reachable after a walk: power-ups, places for bombs, enemies."""
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
        """The timeline extended by steps in which nothing burns."""
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
        """The maximum wood that a bomb on one of the cells burns, if there is an escape."""
        hits = self._wood_hits
        cells &= self._near_wood
        ranked = sorted([(hits[cell], cell) for cell in bits(cells)], reverse=True)
        for number, cell in ranked[:3]:
            if step > 4 or self._has_way_out(cell, step):
                return _WOOD * number
        return 0.0

    def _count_wood(self) -> dict[int, int]:
        """The amount of wood that a bomb burns, by cell."""
        # Wood that other bombs will burn does not count.
        wood, reach = self._is.timeline.wood, self._strength - 1
        walls = self._is.scene.rigid | wood
        hits: dict[int, int] = {}
        for cell in bits(wood):
            for ray in self._grid.rays[cell]:
                for other in ray[:reach]:
                    if walls >> other & 1:
                        break
                    hits[other] = hits.get(other, 0) + 1
        return hits

    def _has_way_out(self, cell: int, delay: int) -> bool:
        bomb = self._is.bomb(cell, self._strength, delay)
        timeline = foresee(self._is.scene, [bomb], HORIZON + delay)
        if timeline.burning[delay] >> cell & 1:
            return False
        return bool(survivors(self._is.size, timeline, 1 << cell, delay + 1))

    def _hunt(self, cell: int) -> float:
        """A small bonus for being near an enemy, or near the fog where enemies must be."""
        goals = sum(1 << opponent for opponent in self._is.opponents) or self._hunted
        walls = self._is.state.rigid | self._is.timeline.wood
        reached, steps = 1 << cell, 0
        while goals:
            near = spread(self._is.size, reached)
            if near & goals:
                break
            if near & ~walls == reached or steps > _FARTHEST:
                return 0.0
            reached = near & ~walls
            steps += 1
        eagerness = (2 if len(self._is.opponents) == 1 else 1) * (1 + 3 * self._urgency)
        return _HUNT * _EAGER**steps * eagerness

    # -- bombs -----------------------------------------------------------------------------

    def _kick_value(self, kicked: Situation, move: int) -> float:
        """The value of kicking a bomb: only the escape, since it may hit anybody."""
        risks = Risks(kicked)
        if risks.is_fatal(move):
            return DEATH
        return self._hunt(kicked.target(move)) - self._life * risks.of(move) - _KICK

    def _bomb_value(self) -> float:
        own = self._is.own
        bomb = self._is.bomb(own.cell, self._strength)
        risks = Risks(self._is, (bomb,))
        if risks.is_fatal(STOP):
            return DEATH
        timeline = risks.timeline
        value = -self._life * risks.of(STOP)
        value += _WOOD * self._wood_hits.get(own.cell, 0) + self._hunt(own.cell)
        value -= self._harm(timeline)
        if self._traps is None or self._is_hurried():
            return value
        value += self._traps.of_bomb(own.cell, 0)
        layers = arrivals(self._is.size, timeline, 1 << own.cell, 1)
        return value + TrapSearch(self._is, [bomb]).worth(layers, 1)

    def _harm(self, timeline: Timeline) -> float:
        """The harm of a bomb to the teammate."""
        harm = 0.0
        for mate in bits(self._is.others):
            if mate in self._is.opponents:
                continue
            before, after = (
                survivors(self._is.size, line, 1 << mate).bit_count()
                for line in (self._is.timeline, timeline)
            )
            if before:
                harm += KILL if not after else PRESSURE * (1 - after / before)
        return harm


def _share(value: float, limits: tuple[float, float]) -> float:
    """The position of a value between two limits, 0 to 1."""
    low, high = limits
    return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass
class Hard(BomberAgent):
    """Takes the move with the highest value; see `MoveValues`."""

    radio: bool = option(
        True, "in radio mode it tells its teammate where it sees an enemy, and listens"
    )

    _memory: Memory = field(init=False, repr=False, compare=False)
    _walk: tuple[int, int] = field(init=False, repr=False, compare=False)
    """The start and the intended end of the last walk."""
    _stuck: tuple[int, int] = field(init=False, repr=False, compare=False)
    """The cell to which the last walks failed, and the number of failures."""

    def __post_init__(self) -> None:
        check_options(self)

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game."""
        super().reset(game, seat)
        self._memory = Memory(self._game.board_spec.size)
        self._walk = self._stuck = (-1, 0)

    def watch(self, seen: Observation[PommermanState, Move]) -> None:
        """Update the memory."""
        self._memory.watch(seen.state)

    def act(self, seen: Observation[PommermanState, Move], thinking: Thinking) -> Move:
        """The best move; in radio mode with words about an enemy."""
        self._notice_failure(seen)
        situation, values = self._value_moves(seen, thinking)
        if max(values.values()) == DEATH:
            move = longest_life(situation)
        else:
            values = self._refine(values, situation, seen, thinking)
            best = max(values.values())
            move = thinking.rng.choice([move for move, value in values.items() if value == best])
        self._walk = (situation.own.cell, situation.target(move) if move in WALKS else -1)
        if not (self.radio and self._game.has_radio and situation.opponents):
            return MOVES[move]
        return make_move(move, *words_for(situation.size, situation.opponents[0]))

    def _refine(
        self,
        values: dict[int, float],
        situation: Situation,
        seen: Observation[PommermanState, Move],
        thinking: Thinking,
    ) -> dict[int, float]:
        """A hook for subclasses to refine the values."""
        del situation, seen, thinking
        return values

    def _notice_failure(self, seen: Observation[PommermanState, Move]) -> None:
        assert seen.seat is not None, "a spectator has no moves"
        own = seen.state.agents[seen.seat].cell
        start, target = self._walk
        if target in (-1, start) or own != start:
            self._stuck = (-1, 0)
        else:
            cell, fails = self._stuck
            self._stuck = (target, fails + 1 if cell == target else 1)

    def explain_actions(
        self, seen: Observation[PommermanState, Move], thinking: Thinking
    ) -> dict[Move, str]:
        """A comparison of the six moves with the best one, in words."""
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
        quiet, hunted = self._memory.quiet, self._look_for_enemies(seen)
        found = MoveValues(situation, thinking, self._stuck, quiet, hunted)
        return situation, found.values()

    def _look_for_enemies(self, seen: Observation[PommermanState, Move]) -> Mask:
        if not seen.state.fog or seen.seat is None:
            return 0
        mate = (seen.seat + 2) % 4
        if self.radio and self._game.has_radio:
            cell = cell_meant(self._game.board_spec.size, seen.state.words[mate])
            if cell != UNKNOWN:
                self._memory.report(cell)
        return self._memory.whereabouts(seen.state, [(mate + 1) % 4, (mate + 3) % 4])


def _compared(gap: float) -> str:
    """A comparison with the best move; the numbers are estimates without a unit."""
    return "best (estimate)" if gap == 0 else f"{gap:.1f} worse (estimate)"
