"""The analyst of Pommerman, by rollouts on the compiled rules; needs the extra ``fast``.

Every few steps a position is evaluated by complete games with the rollout policy. Since all act at
once, the change in value of a step is not credited to a single seat.

A seat's move is evaluated given what the seat could know: over determinizations, how often it is
alive some steps after each of the six moves. A move that reduces survival is a mistake. Reasons
refer to what burns, and when.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

import numpy as np

from boardgames_cli.algorithms.analysts.open_analyst import finished_with_winners
from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import (
    CHANCE_TO_WIN,
    Analyst,
    Choice,
    Judgement,
    Method,
    Reason,
    Value,
    ranked,
)
from boardgames_cli.core.game import CHANCE, Seat
from boardgames_cli.core.text import counted, percent
from boardgames_cli.games.pommerman.actions import MOVES, Layout, Move, Seen
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.rollouts import guess_state
from boardgames_cli.games.pommerman.agents.search import Hard
from boardgames_cli.games.pommerman.agents.simple import Simple
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, MOVE_NAMES, STOP
from boardgames_cli.games.pommerman.fast import Ints
from boardgames_cli.games.pommerman.fast.arrays import SEATS, pack, pack_options
from boardgames_cli.games.pommerman.fast.playouts import (
    COUNTS,
    EVENED,
    GIVE_WAY,
    LIVED,
    STEPS,
    TIED,
    WON,
    PlayoutPlan,
    make_ahead,
    make_room,
    play_to_end,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import play_step, wish
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.games.pommerman.view.moves import burn_times

_CODES: Final = range(len(MOVE_NAMES))
EVERY: Final = 5
"""Steps between evaluated positions."""
GAMES: Final = 100
"""Complete games per evaluated position."""
LAYOUTS: Final = 8
"""Boards sampled to evaluate the state before the layout."""
HORIZON: Final = 20
"""Steps after which survivors are counted: enough for a bomb laid now and one after it."""
WORLDS: Final = 4
FEW: Final = 5
"""Rollouts of each move per determinization; if they differ, `MANY` are played."""
MANY: Final = 30
_LIVING: Final = 0.9
"""The best move of a sure mistake lives at least this often, and the mistake dies as often."""
PLAYED_ON: Final = 6
"""How often `hard` plays on for all seats from a move that may be marked."""


_SOON: Final = 3
"""An agent that stays on a cell that burns within this many steps did not flee."""


def explain(
    game: Pommerman, seen: Seen, played: Move, better: Move, lives: tuple[float, float]
) -> Reason:
    """Why one move is better than the one played, with how often the seat survived both."""
    state, played_name, better_name = seen.state, MOVE_NAMES[played.code], MOVE_NAMES[better.code]
    burns = burn_times(game.step_rules, state)
    here = state.agents[seen.own_seat].cell
    taken = state.walls | sum(1 << bomb.cell for bomb in state.bombs)
    there = wish(game.step_rules.grid, taken, here, played.code)
    soon, now = burns.get(there), burns.get(here)
    facts = []
    if played.code == BOMB:
        kind = "laid a bomb without a way out"
        facts.append(f"its own bomb goes off in {BOMB_LIFE} steps")
    elif there == here and now is not None and now <= _SOON:
        kind = "did not flee"
        facts.append(f"the cell burns in {counted(now, 'step')}")
    elif there != here and soon is not None and (now is None or soon <= now):
        kind = "walked into a blast"
        facts.append(f"{played_name} leads to a cell that burns in {counted(soon, 'step')}")
    elif now is not None:
        kind = "fled the wrong way"
        facts.append(f"the cell burns in {counted(now, 'step')}")
    else:
        kind = "walked into a trap"
    facts.append(
        f"alive after {HORIZON} steps in {percent(lives[1])} of quick playouts after "
        f"{better_name}, in {percent(lives[0])} after {played_name}"
    )
    return Reason(kind, "; ".join(facts))


class Calibration(NamedTuple):
    """From playouts to chances; see `Playouts.calibrated`."""

    tie_weights: tuple[float, ...]
    """Of `Playouts.tie_inputs`, by logistic regression on 2,000 games, like what follows."""
    doubt: tuple[float, float]
    """Chances to win are as the squares of the shares of playouts won, larger by the first number,
    and by the second one times the share of ties."""
    teammate: float
    """By this factor the chance of a side with both teammates left is greater."""


MEASURED: Final = Calibration((0.0, -1.45, -0.72, 0.44, 0.45), (0.1, 0.2), 5.0)


class Playouts(NamedTuple):
    """How the games ended that were played on from a position."""

    won: tuple[float, ...]
    tied: float
    even: float
    """Of all, the share of duels in which both died at once, which is worth more than a loss."""
    living: tuple[int, ...]

    @property
    def tie_inputs(self) -> tuple[float, ...]:
        """What tells how often nobody wins.

        1, whether three and four are alive, the log odds by playouts if fewer than half are tied,
        and the square of these if more are, which tells nothing while four are alive.
        """
        odds = math.log((GAMES * self.tied + 1) / (GAMES * (1 - self.tied) + 1))
        is_three, is_four = (sum(self.living) == count for count in (3, 4))
        return 1.0, is_three, is_four, min(odds, 0.0), 0.0 if is_four else max(odds, 0.0) ** 2

    def calibrated(self, by: Calibration = MEASURED) -> tuple[float, ...]:
        """The chances of the sides, and at last that of a tie, as such games ended.

        In playouts nobody wins far too often; the more of them are tied, the less they tell who
        wins, and a teammate left counts for more than in playouts. All three were measured in games
        of `simple` (``lab/pommerman_chances.py``).
        """
        score = math.fsum(map(operator.mul, by.tie_weights, self.tie_inputs))
        tied = 1 / (1 + math.exp(-score))
        doubt = by.doubt[0] + by.doubt[1] * self.tied
        parts = [
            (share + doubt) ** 2 * by.teammate ** (living - 1) if living else 0.0
            for share, living in zip(self.won, self.living, strict=True)
        ]
        whole = math.fsum(parts)
        return (*((1 - tied) * part / whole for part in parts), tied)


class Lives(NamedTuple):
    """How often a seat survives a move."""

    share: float
    plays: int
    is_open: bool = False
    """Whether it is not known that the move closed the last way out."""

    @property
    def error(self) -> float:
        """The standard error of the share; never 0, since a share of 0 may be a small chance."""
        return math.sqrt(max(self.share * (1 - self.share), 1 / self.plays) / self.plays)


@dataclass(frozen=True)
class PommermanAnalyst(Analyst[Pommerman, PommermanState, Move, Layout]):
    """Evaluates positions by rollouts with a simple policy, and moves by the best ways to go on."""

    version: ClassVar[int] = 8
    every: ClassVar[int] = EVERY
    scale: ClassVar = replace(CHANCE_TO_WIN, whole="a life", part="to survive")
    method: ClassVar = Method(
        False,
        f"{GAMES} games played on from a position every {EVERY} steps; moves by how often their "
        f"seat is alive {HORIZON} steps later, in guesses at what it could not see",
        GAMES,
    )

    def value(self, state: PommermanState) -> Value:
        """The value by complete games; before the layout, over several boards."""
        game = self.game
        if game.is_over(state):
            value = finished_with_winners(self, state)
            if max(value.returns) > 0:
                return value
            return replace(value, chances=self._chances([0.0] * len(game.teams), 1.0, state))
        if game.to_act(state) != (CHANCE,):
            return self._played([state], GAMES)
        boards = []
        for number in range(LAYOUTS):
            layout = game.sample_chance(state, random.Random(f"review/{number}"))
            boards.append(game.apply_chance(state, layout))
        return self._played(boards, GAMES // 2)

    def _played(self, states: Sequence[PommermanState], games: int) -> Value:
        game = self.game
        found = self.playouts(states, games)
        *won, tied = found.calibrated()
        even = tied * found.even / found.tied if found.tied else 0.0
        total = games * len(states)
        # A frequency of 0 may still be a probability of about one in the number of games.
        error = max(2 * math.sqrt(max(share * (1 - share), 1 / total) / total) for share in won)
        returns = [0.0] * game.seats
        for side, share in zip(game.teams, won, strict=True):
            for seat in side:
                returns[seat] = 2 * share - 1 + even
        return Value(tuple(returns), error, chances=self._chances(won, tied, states[0]))

    def _chances(
        self, won: Sequence[float], tied: float, state: PommermanState
    ) -> tuple[float, ...]:
        # All share a tie if it is played again, or if nobody is left; else the sides still living.
        game = self.game
        sharing = [any(state.agents[seat].alive for seat in side) for side in game.teams]
        if state.reruns < game.most_reruns or not any(sharing):
            sharing = [True] * len(won)
        chances = [0.0] * game.seats
        for side, share, is_sharing in zip(game.teams, won, sharing, strict=True):
            for seat in side:
                chances[seat] = (share + tied * is_sharing / sum(sharing)) / len(side)
        return tuple(chances)

    def playouts(self, states: Sequence[PommermanState], games: int) -> Playouts:
        game = self.game
        counts, room = np.zeros(COUNTS, dtype=np.int32), make_room()
        free = np.full(SEATS, -1, dtype=np.int32)
        for state in states:
            options, rng = pack_options(game, state), make_seed(state.step + 1)
            root = pack(game, state)
            play_to_end(root, room, options, rng, counts, free, games, PlayoutPlan(HORIZON, True))
        total = games * len(states)
        agents = states[0].agents
        return Playouts(
            tuple(int(counts[WON + side[0]]) / total for side in game.teams),
            int(counts[TIED] + counts[EVENED]) / total,
            int(counts[EVENED]) / total,
            tuple(sum(agents[seat].alive for seat in side) for side in game.teams),
        )

    def judge(self, seen: Seen, earlier: Sequence[Seen] = ()) -> Judgement[Move]:
        """The survival rate after each move; radio words are ignored.

        Survival counts as 1 and death as -1; other effects of a move are ignored.
        """
        return self._judged(seen, self.lives(seen, earlier))

    def confirm(
        self,
        seen: Seen,
        earlier: Sequence[Seen],
        judged: Judgement[Move],
        actions: Sequence[Move],
    ) -> Judgement[Move]:
        """The same, after walks and `hard` have tested a loss that may be marked.

        A move counts as survived as often as by the better of the two ways to play on, so that the
        move is judged and not the policy of the rollouts. It has a sure loss only if it closed the
        last way out: no walk of the seat survives it (`has_way_out`), neither among others who
        stand still or get out of the way, nor else among others who move as they did each time that
        `hard` played on. If it lives now and then by one of the ways to play on, the error is a
        later one; where the best move has no walk while the others stand still, or does not live
        nine times in ten by `hard`, an earlier one. The first test that fails is the last one.
        """
        lives, guesses = self.lives(seen, earlier), self._guesses(seen, earlier)
        best = judged.best.action.code
        is_late = not self._has_way(seen, guesses, best)
        codes = {action.code for action in actions} - {best}
        for code in codes:
            is_closed = not is_late and lives[code].share <= 1 - _LIVING
            is_closed = is_closed and self._closes(seen, guesses, code)
            lives[code] = lives[code]._replace(is_open=not is_closed)
        if not is_late and not all(lives[code].is_open for code in codes):
            numbers = range(PLAYED_ON)
            is_late = not all(self._played_on(seen, one, guesses, best, 0)[0] for one in numbers)
            lives[best] = max(lives[best], Lives(float(not is_late), PLAYED_ON))
        if is_late:
            lives = [one._replace(is_open=True) for one in lives]
        return self._judged(seen, lives)

    def _closes(self, seen: Seen, guesses: Sequence[PommermanState], code: int) -> bool:
        has_way = self._has_way(seen, guesses, code, is_alone=True)
        for number in range(PLAYED_ON):
            lived, moves = self._played_on(seen, number, guesses, code, STEPS if has_way else 0)
            guess = guesses[number % WORLDS]
            if lived or (has_way and _survives(self.game, guess, seen.own_seat, moves)):
                return False
        return True

    def is_sole_answer(self, seen: Seen, judged: Judgement[Move]) -> bool:
        """Whether each other move, as `confirm` judged it, closes the last way out.

        No walk may survive it, whatever the others do, so that the answer can be checked on the
        board.
        """
        guesses, others = self._guesses(seen, ()), judged.choices[1:]
        return all(one.loss > one.loss_error for one in others) and not any(
            self._has_way(seen, guesses, one.action.code, is_alone=True) for one in others
        )

    def _has_way(
        self, seen: Seen, guesses: Sequence[PommermanState], code: int, is_alone: bool = False
    ) -> bool:
        seat, states = seen.own_seat, guesses if self.game.is_team else [seen.state]
        alone = [_alone(state, seat) for state in states] if is_alone else []
        return any(has_way_out(self.game, state, seat, code) for state in (*states, *alone))

    def _judged(self, seen: Seen, lives: Sequence[Lives]) -> Judgement[Move]:
        seat = seen.own_seat
        choices = []
        for action in seen.legal:
            found = lives[action.code]
            own = 2 * found.share - 1
            returns = tuple(own if one == seat else 0.0 for one in range(self.game.seats))
            error, words = 2.0 * found.is_open, f"lives {percent(found.share)}"
            choices.append(Choice(action, returns, 2 * found.error, loss_error=error, words=words))
        plays = max(lives, key=lambda one: one.share).plays
        return ranked(seat, choices, Method(False, self.method.text, plays))

    def label(self, seen: Seen, action: Move) -> str:
        return MOVE_NAMES[action.code]

    def moment(self, seen: Seen) -> str:
        return f"step {seen.state.step + 1}"

    def reason(self, seen: Seen, played: Move, better: Move) -> Reason:
        lives = self.lives(seen, ())
        pair = (lives[played.code].share, lives[better.code].share)
        told = explain(self.game, seen, played, better, pair)
        if self._has_way(seen, self._guesses(seen, ()), played.code):
            return replace(told, text=f"{told.text}; others are likely to block its way out")
        return told

    def lives(self, seen: Seen, earlier: Sequence[Seen]) -> list[Lives]:
        """How often the seat survives each move, by the move's code."""
        worlds = [pack(self.game, guess) for guess in self._guesses(seen, earlier)]
        hasty = PlayoutPlan(HORIZON, peaceful=seen.seat or 0)
        # Whoever survives without foresight is in no danger.
        found = [self._count(seen, worlds, FEW, move, hasty) for move in _CODES]
        firm = hasty._replace(ahead=make_ahead())
        polite = firm._replace(yields=GIVE_WAY)
        for move in _CODES:
            if found[move].share < 1:
                found[move] = self._count(seen, worlds, FEW, move, polite)
            if 0 < found[move].share < 1:
                plans = (firm, polite)
                found[move] = max(self._count(seen, worlds, MANY, move, plan) for plan in plans)
        return found

    def _guesses(self, seen: Seen, earlier: Sequence[Seen]) -> list[PommermanState]:
        memory = Memory(self.game.board_spec.size)
        if self.game.is_team:
            for one in earlier:
                memory.watch(one.state)
        memory.watch(seen.state)
        known = memory.complete(seen.state)
        rng = random.Random(f"review/{seen.own_seat}/{seen.state.step}")
        return [
            guess_state(self.game, seen.state, known, seen.own_seat, rng) for _ in range(WORLDS)
        ]

    def _count(
        self, seen: Seen, worlds: Sequence[Ints], games: int, move: int, plan: PlayoutPlan
    ) -> Lives:
        seat = plan.peaceful
        options, room = pack_options(self.game, seen.state), make_room()
        counts = np.zeros(COUNTS, dtype=np.int32)
        first = np.full(SEATS, -1, dtype=np.int32)
        first[seat] = move
        for number, world in enumerate(worlds):
            # Common random numbers for all moves, since differences matter.
            rng = make_seed(1 + number)
            play_to_end(world, room, options, rng, counts, first, games, plan)
        plays = games * len(worlds)
        return Lives(int(counts[LIVED + seat]) / plays, plays)

    def _played_on(
        self, seen: Seen, number: int, guesses: Sequence[PommermanState], code: int, least: int
    ) -> tuple[bool, list[list[int]]]:
        """Whether the seat lives until the horizon after a move, if `hard` plays on for all.

        With the codes of all seats' moves, step by step, after its death only up to the ``least``
        number of steps. Every other time the first moves of the others are those of `simple`, for
        what they are about to do is not known, and much may depend on it.
        """
        game, moves = self.game, list[list[int]]()
        seat, state = seen.own_seat, guesses[number % WORLDS]
        agents, firsts = ([kind() for _ in range(game.seats)] for kind in (Hard, Simple))
        for one in range(game.seats):
            agents[one].reset(game, one)
            firsts[one].reset(game, one)
        luck = [random.Random(f"review/{number}/{one}") for one in range(game.seats)]
        for step in range(HORIZON):
            waiting = game.to_act(state)
            if not waiting or (step >= least and seat not in waiting):
                break
            movers = agents if step or number % 2 == 0 else firsts
            joint = {
                one: movers[one].act(game.observe(state, one), Thinking(luck[one]))
                for one in waiting
            }
            if not step:
                joint[seat] = MOVES[code]
            moves.append([joint[one].code if one in joint else STOP for one in range(game.seats)])
            state = game.apply(state, joint)
        moves += [[STOP] * game.seats for _ in range(STEPS - len(moves))]
        return state.agents[seat].alive, moves


def has_way_out(game: Pommerman, state: PommermanState, seat: Seat, code: int) -> bool:
    """Whether a seat can survive a move by walking while all others stand still.

    All its walks are tried on the readable rules; after the move it lays no bomb.
    """
    moves = [[STOP] * game.seats for _ in range(STEPS)]
    moves[0][seat] = code
    return _survives(game, state, seat, moves)


def _survives(
    game: Pommerman, state: PommermanState, seat: Seat, moves: Sequence[Sequence[int]]
) -> bool:
    found = {_after(game, state, moves[0])}
    waiting = list(found)
    while waiting:
        one = waiting.pop()
        if not one.agents[seat].alive:
            continue
        # The number of steps is part of a state.
        done = one.step - state.step
        if done == len(moves):
            return True
        others = moves[done]
        joints = ([*others[:seat], move, *others[seat + 1 :]] for move in range(BOMB))
        new = {_after(game, one, joint) for joint in joints} - found
        found |= new
        waiting += new
    return False


def _alone(state: PommermanState, seat: Seat) -> PommermanState:
    agents = [
        agent if one == seat else agent._replace(alive=False)
        for one, agent in enumerate(state.agents)
    ]
    return state._replace(agents=tuple(agents))


def _after(game: Pommerman, state: PommermanState, moves: Sequence[int]) -> PommermanState:
    return play_step(game.step_rules, state, moves, state.words)
