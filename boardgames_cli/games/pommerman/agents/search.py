"""The strongest agent without compiled rules: it searches on a forecast of fire and bombs.

For each move it estimates the risk of dying (see `risks`) and floods time and space from the
resulting cell: what can be reached unburnt, where a bomb is worthwhile, and how many escapes it
leaves to enemies (see `traps`).

By radio it tells its teammate where it sees an enemy. The first word is the row and the second the
column, each in eighths of the board, so that 1 1 is the upper left corner and 8 8 the lower right
one. Silence means that no enemy is in sight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_values import pick_by_temperature
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman.actions import MOVES, Move, Seen
from boardgames_cli.games.pommerman.agents.forecast import (
    HORIZON,
    Timeline,
    arrivals,
    aside,
    bodies,
    foresee,
    spread,
    sure_ways_out,
    survivors,
    ways_out,
)
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.simple import BomberAgent
from boardgames_cli.games.pommerman.agents.situation import WALKS, Situation, longest_life, look_at
from boardgames_cli.games.pommerman.board import (
    BOMB,
    BOMB_LIFE,
    STOP,
    UNKNOWN,
    WORDS,
    Mask,
    bits,
    mate_of,
)
from boardgames_cli.games.pommerman.rules.step import cached_blast
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, PommermanState, Words

STEPS: Final = 3
"""Steps ahead in which bombs are considered."""
KILL: Final = 6.0
HINDERED: Final = 0.3
"""The probability that an enemy dies whose only escape we can block."""
PRESSURE: Final = 1.2
_RANGE: Final = 7
_STEP_DISCOUNT: Final = 0.9


class TrapSearch:
    """The effect of bombs on the nearest enemy, which is assumed to walk at random.

    Another bomb may be laid now.
    """

    def __init__(self, situation: Situation, more: Sequence[Bomb] = ()) -> None:
        self._situation = situation
        self._more = tuple(more)
        self._known: dict[tuple[int, int], float] = {}
        self._base = foresee(situation.scene, self._more, HORIZON + STEPS)
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
        grid, own = self._situation.game.step_rules.grid, self._situation.own.cell
        near = [cell for cell in self._situation.opponents if grid.distance(cell, own) <= _RANGE]
        return min(near, key=lambda cell: grid.distance(cell, own), default=-1)

    def worth(self, layers: Sequence[Mask], first: int) -> float:
        """The maximum value of a bomb on the way.

        The layers are the cells where the agent can be after `first` steps, after one more, and so
        on.
        """
        if self._target < 0 or self._situation.own.ammo <= len(self._more):
            return 0.0
        best = 0.0
        for step, layer in enumerate(layers[: STEPS - first + 1], start=first):
            for cell in bits(layer):
                if (cell, step) not in self._known:
                    self._known[cell, step] = self.of_bomb(cell, step)
                best = max(best, _STEP_DISCOUNT**step * self._known[cell, step])
        return best

    def of_bomb(self, cell: int, step: int) -> float:
        """The value of a bomb laid on a cell after some steps; 0 if the agent can't escape."""
        places = self._places[step] & ~(1 << cell) if self._places else 0
        size, scene = self._situation.size, self._situation.scene
        if not places or any(bomb.cell == cell for bomb in (*scene.bombs, *self._more)):
            return 0.0
        strength = self._situation.own.strength
        if not self._range & cached_blast(size, scene.rigid, self._base.wood, cell, strength):
            return 0.0
        bomb = self._situation.bomb(cell, self._situation.own.strength, step)
        timeline = foresee(self._situation.scene, [*self._more, bomb], HORIZON + STEPS)
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


_FAILS: Final = 2
"""The maximum number of failed walks considered."""
_A_WHILE: Final = 4
"""Steps for which an escape route avoids all others."""
_NEAR: Final = 7
"""The maximum distance of threatening enemies."""
_BESIDE: Final = 2
"""The maximum distance of adjacent enemies."""

SIGNS: Final = {
    "no way past those who stand there": 1.2,
    "none if a walk fails": 0.6,
    "none if two walks fail": 0.6,
    "none round the others for a while": 0.7,
    "none round the others": 1.2,
    "none if enemies lay bombs": 0.6,
    "none round the others if enemies lay bombs": 1.8,
    "none if they do after a step": 0.8,
    "none round the others if they do after a step": 1.6,
    "steps to where it will not burn": 0.1,
    "enemies beside": 0.2,
    "walks failed": 0.2,
}
"""The danger signs, and the weight of each in the log odds.

Rounded from a logistic regression on 21,067 decisions in 150 free-for-alls against three `simple`,
of which 232 were followed by death within 12 steps. Correlated signs share their weight.
"""
BASE: Final = -4.5
"""The log odds without any sign; higher than measured, so that signs have more effect."""


class WaysOut:
    """The reliability of escape routes after each first step, in one scenario."""

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
    """The risks of dying soon, by first move; if a bomb is laid now, that is to stay."""

    def __init__(
        self,
        situation: Situation,
        laid: Sequence[Bomb] = (),
        stuck: tuple[int, int] = (-1, 0),
    ) -> None:
        self._situation = situation
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
            for opponent in self._situation.opponents
            if self._grid.distance(opponent, self._situation.own.cell) <= _NEAR
        ]
        if not near:
            return []
        now = [Bomb(opponent, BOMB_LIFE, self._strength, 0, STOP) for opponent in near]
        later = [
            Bomb(self._approach(opponent), BOMB_LIFE + 1, self._strength, 0, STOP)
            for opponent in near
        ]
        scene = self._situation.scene
        timelines = (foresee(scene, [*self._laid, *bombs]) for bombs in (now, later))
        return [WaysOut(self._situation, one, is_thorough=False) for one in timelines]

    def _approach(self, opponent: int) -> int:
        free = ~self._situation.timeline.blocked[0]
        choices = [cell for cell in self._grid.near[opponent] if free >> cell & 1]
        own = self._situation.own.cell
        return min(choices, key=lambda cell: self._grid.distance(cell, own), default=opponent)

    def is_fatal(self, move: int) -> bool:
        """Whether there is no escape even if nobody is in the way."""
        cell = self._situation.target(move)
        return cell < 0 or not self._still.plain >> cell & 1

    def signs(self, move: int) -> tuple[float, ...]:
        """The danger signs of a walk or a stop: a number for each of `SIGNS`."""
        cell = self._situation.target(move)
        needed = self._still.needed(move, cell)
        found: list[float] = [level & needed != needed for level in self._still.levels]
        found.append(self._still.apart & needed != needed)
        for threat in self._threats:
            found += (not threat.plain >> cell & 1, threat.apart & needed != needed)
        if not self._threats:
            found += (0.0,) * 4
        found.append(0.0 if self._laid else self._steps_to_safety(cell))
        found.append(
            sum(
                self._grid.distance(opponent, cell) <= _BESIDE
                for opponent in self._situation.opponents
            )
        )
        stuck_at, fails = self._stuck
        found.append(min(3, fails) if cell == stuck_at else 0.0)
        return tuple(found)

    def of(self, move: int) -> float:
        """The risk of dying soon after a walk that is not fatal, or after stopping."""
        terms = zip(SIGNS.values(), self.signs(move), strict=True)
        return 1 / (1 + math.exp(-BASE - sum(weight * sign for weight, sign in terms)))

    def _steps_to_safety(self, cell: int) -> int:
        cells, safe = 1 << cell, ~self._fire
        for step in range(1, len(self.timeline.blocked)):
            if cells & safe:
                return step - 1
            cells |= spread(self._situation.size, cells) & ~self.timeline.blocked[step]
            cells &= ~self.timeline.burning[step]
        return len(self.timeline.blocked)


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
_LIFE: Final = 60.0
_DARING: Final = 0.6
"""The reduction of that cost when a tie is near."""
_QUIET: Final = (40, 140)
"""The range of uneventful steps over which the agent becomes more daring and random."""
_SLIGHT: Final = 0.35
_CLEAR: Final = 1.0
"""Differences in value that are told apart in words: a wooden wall and a power-up."""

_WHIM: Final = 0.6
"""The size of random changes to move values then, so that agents don't run in circles."""


class MoveValues:
    """Evaluates all moves in one situation; when the time is over, only their safety."""

    def __init__(
        self,
        situation: Situation,
        thinking: Thinking,
        stuck: tuple[int, int] = (-1, 0),
        quiet: int = 0,
        hunted: Mask = 0,
    ) -> None:
        self._situation = situation
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
        risks = Risks(self._situation, (), self._stuck)
        for move in WALKS:
            if not risks.is_fatal(move):
                found[move] = self._prospect(move) - self._life * risks.of(move)
            elif kicked := self._situation.kick(move):
                found[move] = self._kick_value(kicked, move)
        if self._situation.can_lay:
            found[BOMB] = self._bomb_value()
        if self._boredom:
            whim = self._boredom * _WHIM
            rng = self._thinking.rng
            found = {m: v if v == DEATH else v + whim * rng.random() for m, v in found.items()}
        return found

    def _is_hurried(self) -> bool:
        self.nodes += 1
        return self._traps is None or self._thinking.should_stop(self.nodes)

    def _prospect(self, move: int) -> float:
        cell = self._situation.target(move)
        if self._is_hurried():
            return self._hunt(cell)
        layers = arrivals(self._situation.size, self._long(), 1 << cell, 1)
        best = 0.0
        reached = 0
        for step, layer in enumerate(layers, start=1):
            new = layer & ~reached
            reached |= layer
            worth = _PATIENCE**step
            best = max(best, worth * self._power_worth(new))
            if self._situation.own.ammo and step <= _LONGEST:
                best = max(best, worth * self._wood_worth(new, step))
        trap = self._traps.worth(layers, 1) if self._traps else 0.0
        return best + self._hunt(cell) + trap

    def _long(self) -> Timeline:
        timeline = self._situation.timeline
        walls = self._situation.scene.rigid | timeline.wood
        extra = _LONGEST
        return Timeline(
            timeline.blocked + (walls,) * extra, timeline.burning + (0,) * extra, timeline.wood
        )

    def _power_worth(self, cells: Mask) -> float:
        bombs, ranges, kicks = self._situation.state.powers
        if cells & (bombs | ranges):
            return _POWER
        return _POWER / 2 if cells & kicks and not self._situation.own.kicks else 0.0

    def _wood_worth(self, cells: Mask, step: int) -> float:
        hits = self._wood_hits
        cells &= self._near_wood
        ranked = sorted([(hits[cell], cell) for cell in bits(cells)], reverse=True)
        for number, cell in ranked[:3]:
            if step > 4 or self._has_way_out(cell, step):
                return _WOOD * number
        return 0.0

    def _count_wood(self) -> dict[int, int]:
        # Wood that other bombs will burn does not count.
        wood, reach = self._situation.timeline.wood, self._strength - 1
        walls = self._situation.scene.rigid | wood
        hits: dict[int, int] = {}
        for cell in bits(wood):
            for ray in self._grid.rays[cell]:
                for other in ray[:reach]:
                    if walls >> other & 1:
                        break
                    hits[other] = hits.get(other, 0) + 1
        return hits

    def _has_way_out(self, cell: int, delay: int) -> bool:
        bomb = self._situation.bomb(cell, self._strength, delay)
        timeline = foresee(self._situation.scene, [bomb], HORIZON + delay)
        if timeline.burning[delay] >> cell & 1:
            return False
        return bool(survivors(self._situation.size, timeline, 1 << cell, delay + 1))

    def _hunt(self, cell: int) -> float:
        goals = sum(1 << opponent for opponent in self._situation.opponents) or self._hunted
        walls = self._situation.state.rigid | self._situation.timeline.wood
        reached, steps = 1 << cell, 0
        while goals:
            near = spread(self._situation.size, reached)
            if near & goals:
                break
            if near & ~walls == reached or steps > _FARTHEST:
                return 0.0
            reached = near & ~walls
            steps += 1
        eagerness = (2 if len(self._situation.opponents) == 1 else 1) * (1 + 3 * self._urgency)
        return _HUNT * _EAGER**steps * eagerness

    def _kick_value(self, kicked: Situation, move: int) -> float:
        risks = Risks(kicked)
        if risks.is_fatal(move):
            return DEATH
        return self._hunt(kicked.target(move)) - self._life * risks.of(move) - _KICK

    def _bomb_value(self) -> float:
        own = self._situation.own
        bomb = self._situation.bomb(own.cell, self._strength)
        risks = Risks(self._situation, (bomb,))
        if risks.is_fatal(STOP):
            return DEATH
        timeline = risks.timeline
        value = -self._life * risks.of(STOP)
        value += _WOOD * self._wood_hits.get(own.cell, 0) + self._hunt(own.cell)
        value -= self._harm(timeline)
        if self._traps is None or self._is_hurried():
            return value
        value += self._traps.of_bomb(own.cell, 0)
        layers = arrivals(self._situation.size, timeline, 1 << own.cell, 1)
        return value + TrapSearch(self._situation, [bomb]).worth(layers, 1)

    def _harm(self, timeline: Timeline) -> float:
        harm = 0.0
        for mate in bits(self._situation.others):
            if mate in self._situation.opponents:
                continue
            before, after = (
                survivors(self._situation.size, line, 1 << mate).bit_count()
                for line in (self._situation.timeline, timeline)
            )
            if before:
                harm += KILL if not after else PRESSURE * (1 - after / before)
        return harm


def _share(value: float, limits: tuple[float, float]) -> float:
    low, high = limits
    return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass
class Hard(BomberAgent):
    """Takes the move with the highest value; see `MoveValues`."""

    radio: bool = option(
        True, "in radio mode it tells its teammate where it sees an enemy, and listens"
    )
    temperature: float = option(
        0.0, "softmax temperature; higher means more mistakes, the value of a power-up is 1",
        low=0.0, high=100.0,
    )  # fmt: skip

    _memory: Memory = field(init=False, repr=False, compare=False)
    _walk: tuple[int, int] = field(init=False, repr=False, compare=False)
    """The start and the intended end of the last walk."""
    _stuck: tuple[int, int] = field(init=False, repr=False, compare=False)
    """The cell to which the last walks failed, and the number of failures."""

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        super().reset(game, seat)
        self._memory = Memory(self._game.board_spec.size)
        self._walk = self._stuck = (-1, 0)

    def watch(self, seen: Seen) -> None:
        self._memory.watch(seen.state)

    def act(self, seen: Seen, thinking: Thinking) -> Move:
        """The best move; in radio mode with words about an enemy."""
        self._notice_failure(seen)
        situation, values = self._value_moves(seen, thinking)
        if max(values.values()) == DEATH:
            move = longest_life(situation)
        else:
            values = self._refine(values, situation, seen, thinking)
            move = pick_by_temperature(values, self.temperature, thinking.rng)
        self._walk = (situation.own.cell, situation.target(move) if move in WALKS else -1)
        if not (self.radio and self._game.has_radio and situation.opponents):
            return MOVES[move]
        return Move(move, words_for(situation.size, situation.opponents[0]))

    def _refine(
        self,
        values: dict[int, float],
        situation: Situation,
        seen: Seen,
        thinking: Thinking,
    ) -> dict[int, float]:
        del situation, seen, thinking
        return values

    def _notice_failure(self, seen: Seen) -> None:
        own = seen.state.agents[seen.own_seat].cell
        start, target = self._walk
        if target in (-1, start) or own != start:
            self._stuck = (-1, 0)
        else:
            cell, fails = self._stuck
            self._stuck = (target, fails + 1 if cell == target else 1)

    def explain_actions(self, seen: Seen, thinking: Thinking) -> dict[Move, str]:
        values = self._value_moves(seen, thinking)[1]
        best = max(values.values())
        return {
            MOVES[move]: "no way out" if value == DEATH else _compared(best - value)
            for move, value in values.items()
        }

    def _value_moves(self, seen: Seen, thinking: Thinking) -> tuple[Situation, dict[int, float]]:
        self._memory.watch(seen.state)
        situation = look_at(self._game, self._memory.complete(seen.state), seen.own_seat)
        quiet, hunted = self._memory.quiet, self._look_for_enemies(seen)
        found = MoveValues(situation, thinking, self._stuck, quiet, hunted)
        return situation, found.values()

    def _look_for_enemies(self, seen: Seen) -> Mask:
        if not seen.state.fog or seen.seat is None:
            return 0
        mate = mate_of(seen.seat)
        if self.radio and self._game.has_radio:
            cell = cell_meant(self._game.board_spec.size, seen.state.words[mate])
            if cell != UNKNOWN:
                self._memory.report(cell)
        return self._memory.whereabouts(seen.state, [(mate + 1) % 4, (mate + 3) % 4])


def _compared(gap: float) -> str:
    if gap == 0:
        return "best"
    return "good" if gap < _SLIGHT else "worse" if gap < _CLEAR else "much worse"
