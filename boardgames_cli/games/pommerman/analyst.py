"""The analyst of Pommerman, by rollouts on the compiled rules; needs the extra ``fast``.

Every few steps a position is evaluated by complete games with the rollout policy. Since all act at
once, the change in value of a step is not credited to a single seat.

A seat's move is evaluated given what the seat could know: over determinizations, how often it is
alive some steps after each of the six moves. A move that reduces survival is a mistake. Reasons
refer to what burns, and when.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.analyst import (
    CHANCE_TO_WIN,
    Analyst,
    Choice,
    Judgement,
    Method,
    Reason,
    Scale,
    Value,
    ranked,
)
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.text import percent
from boardgames_cli.games.pommerman.actions import Layout, Move
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.rollouts import guess_state
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, MOVE_NAMES, STOP
from boardgames_cli.games.pommerman.fast import Ints
from boardgames_cli.games.pommerman.fast.arrays import SEATS, pack, pack_options
from boardgames_cli.games.pommerman.fast.chances import (
    COUNTS,
    EVENED,
    LIVED,
    TIED,
    WON,
    play_to_end,
)
from boardgames_cli.games.pommerman.fast.playouts import make_room
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.games.pommerman.view.danger import burn_times

_SOON = 3
"""An agent that stays on a cell that burns within this many steps did not flee."""


def explain(
    game: Pommerman,
    seen: PommermanState,
    seat: Seat,
    moves: tuple[Move, Move],
    lives: tuple[float, float],
    horizon: int,
) -> Reason:
    """Explain why one move is better than another.

    Args:
        game: The rulebook.
        seen: What the seat sees.
        seat: Who moves.
        moves: The move played and the better one.
        lives: For both the share of rollouts that the seat survived.
        horizon: The steps of a rollout.
    """
    played, better = moves
    burns = burn_times(game.step_rules, seen)
    here = seen.agents[seat].cell
    there = _target(game, seen, seat, played)
    soon, now = burns.get(there), burns.get(here)
    facts = []
    if played.code == BOMB:
        kind = "laid a bomb without a way out"
        facts.append(f"its own bomb goes off in {BOMB_LIFE} steps")
    elif there == here and now is not None and now <= _SOON:
        kind = "did not flee"
        facts.append(f"the cell burns in {_steps(now)}")
    elif there != here and soon is not None and (now is None or soon <= now):
        kind = "walked into a blast"
        facts.append(f"{_name(played)} leads to a cell that burns in {_steps(soon)}")
    elif now is not None:
        kind = "fled the wrong way"
        facts.append(f"the cell burns in {_steps(now)}")
    else:
        kind = "walked into a trap"
    facts.append(
        f"alive after {horizon} steps in {percent(lives[1])} of playouts after {_name(better)}, "
        f"in {percent(lives[0])} after {_name(played)}"
    )
    return Reason(kind, "; ".join(facts))


def _target(game: Pommerman, seen: PommermanState, seat: Seat, move: Move) -> int:
    """The target of a move; the agent's own cell if it is blocked."""
    here = seen.agents[seat].cell
    if move.code in (STOP, BOMB):
        return here
    there = game.step_rules.grid.steps[move.code][here]
    taken = seen.rigid | seen.wood | sum(1 << bomb.cell for bomb in seen.bombs)
    return here if there < 0 or taken >> there & 1 else there


def _name(move: Move) -> str:
    """A move without its words."""
    return MOVE_NAMES[move.code]


def _steps(count: int) -> str:
    return f"{count} step{'s' if count != 1 else ''}"


EVERY: Final = 5
"""Steps between evaluated positions."""
GAMES: Final = 100
"""Complete games per evaluated position."""
LAYOUTS: Final = 8
"""Boards sampled to evaluate the state before the layout."""
HORIZON: Final = 20
"""Steps after which survivors are counted: enough for a bomb laid now and one after it."""
WORLDS: Final = 4
"""The number of determinizations."""
FEW: Final = 5
"""Rollouts of each move per determinization; if they differ, `MANY` are played."""
MANY: Final = 60
_SUSPECT: Final = 0.15
"""Moves with a survival rate lower by this much are evaluated with more rollouts."""
_KEEN: Final = 30
"""The percentage of sensible bombs that the rollout policy lays."""

_METHOD: Final = Method(
    False,
    f"{GAMES} games played on from a position every {EVERY} steps; moves by how often their seat "
    f"is alive {HORIZON} steps later, in guesses at what it could not see",
    GAMES,
)
Seen = Observation[PommermanState, Move]


@dataclass(frozen=True)
class PommermanAnalyst(Analyst[Pommerman, PommermanState, Move, Layout]):
    """Evaluates positions and moves by rollouts with a simple policy."""

    every: ClassVar[int] = EVERY

    @property
    def scale(self) -> Scale:
        """Chances to win: -1 is a loss, 1 a win."""
        return CHANCE_TO_WIN

    @property
    def method(self) -> Method:
        """The playouts."""
        return _METHOD

    def value(self, state: PommermanState) -> Value:
        """The value by complete games; before the layout, over several boards."""
        game = self.game
        if game.is_over(state):
            returns = game.returns(state)
            return Value(tuple(returns), is_exact=True, chances=_shares(returns))
        if state.agents:
            return self._played([state], GAMES)
        boards = []
        for number in range(LAYOUTS):
            layout = game.sample_chance(state, random.Random(f"review/{number}"))
            boards.append(game.apply_chance(state, layout))
        return self._played(boards, GAMES // 2)

    def _played(self, states: Sequence[PommermanState], games: int) -> Value:
        counts, room = np.zeros(COUNTS, dtype=np.int32), make_room()
        free = np.full(SEATS, -1, dtype=np.int32)
        for state in states:
            options, rng = pack_options(self.game, state), make_seed(state.step + 1)
            root = pack(self.game, state)
            play_to_end(root, room, options, rng, counts, free, games, HORIZON, True, _KEEN)
        total = games * len(states)
        won = [int(count) / total for count in counts[WON : WON + self.game.seats]]
        even = int(counts[EVENED]) / total
        returns = tuple(2 * share - 1 + even for share in won)
        # A frequency of 0 may still be a probability of about one in the number of games.
        error = max(2 * math.sqrt(max(share * (1 - share), 1 / total) / total) for share in won)
        lost = (int(counts[TIED]) + int(counts[EVENED])) / total
        sides = len(self.game.teams)
        chances = []
        for seat, share in enumerate(won):
            mates = next(len(team) for team in self.game.teams if seat in team)
            chances.append(share / mates + lost / (sides * mates))
        return Value(returns, error, chances=tuple(chances))

    def judge(self, seen: Seen, earlier: Sequence[Seen] = ()) -> Judgement[Move]:
        """The survival rate after each move; radio words are ignored.

        Survival counts as 1 and death as -1; other effects of a move are ignored.
        """
        seat = seen.seat
        assert seat is not None, "a spectator has no moves"
        lives, plays = self.lives(seen, earlier)
        best = max(lives)
        choices = []
        for action in seen.legal:
            lived = lives[action.code]
            own = 2 * lived - 1
            error = 2 * math.sqrt(max(lived * (1 - lived), 1 / plays) / plays)
            gap = math.sqrt((best * (1 - best) + lived * (1 - lived) + 1 / plays) / plays)
            choices.append(
                Choice(
                    action,
                    tuple(own if one == seat else 0.0 for one in range(self.game.seats)),
                    error,
                    loss_error=2 * gap if lived < best else 0.0,
                    words=f"lives {percent(lived)}",
                )
            )
        return ranked(seat, choices, Method(False, _METHOD.text, plays))

    def label(self, seen: Seen, action: Move) -> str:
        """The move without its words."""
        return MOVE_NAMES[action.code]

    def moment(self, seen: Seen) -> str:
        """The step of the game on the board."""
        return f"step {seen.state.step + 1}"

    def reason(self, seen: Seen, played: Move, better: Move) -> Reason:
        """The reason, from what burns and the survival rates of both moves."""
        assert seen.seat is not None, "a spectator has no moves"
        lives, _ = self.lives(seen, ())
        pair = (lives[played.code], lives[better.code])
        return explain(self.game, seen.state, seen.seat, (played, better), pair, HORIZON)

    def lives(self, seen: Seen, earlier: Sequence[Seen]) -> tuple[list[float], int]:
        """The survival rates by move code, and the number of rollouts."""
        assert seen.seat is not None, "a spectator has no moves"
        worlds = self._worlds(seen, earlier)
        found = self._count(seen, worlds, FEW)
        if max(found) - min(found) > _SUSPECT:
            return self._count(seen, worlds, MANY), MANY * WORLDS
        return found, FEW * WORLDS

    def _worlds(self, seen: Seen, earlier: Sequence[Seen]) -> list[Ints]:
        """Determinizations from what the seat sees and remembers."""
        assert seen.seat is not None, "a spectator has no moves"
        memory = Memory(self.game.board_spec.size)
        if self.game.is_foggy:
            for one in earlier:
                memory.watch(one.state)
        memory.watch(seen.state)
        known = memory.complete(seen.state)
        rng = random.Random(f"review/{seen.seat}/{seen.state.step}")
        return [
            pack(self.game, guess_state(self.game, seen.state, known, seen.seat, rng))
            for _ in range(WORLDS)
        ]

    def _count(self, seen: Seen, worlds: Sequence[Any], games: int) -> list[float]:
        """The survival rate of each move at the horizon."""
        seat: Seat = seen.seat or 0
        options, room = pack_options(self.game, seen.state), make_room()
        shares = []
        for move in range(len(MOVE_NAMES)):
            counts = np.zeros(COUNTS, dtype=np.int32)
            first = np.full(SEATS, -1, dtype=np.int32)
            first[seat] = move
            for number, world in enumerate(worlds):
                # Common random numbers for all moves, since differences matter.
                rng = make_seed(1 + number)
                play_to_end(world, room, options, rng, counts, first, games, HORIZON, False, _KEEN)
            shares.append(int(counts[LIVED + seat]) / (games * len(worlds)))
        return shares


def _shares(returns: Sequence[float]) -> tuple[float, ...]:
    """The win split among the winners, or among all if nobody won."""
    best = max(returns)
    winners = [best > -1 and value == best for value in returns]
    if not any(winners):
        return (1 / len(returns),) * len(returns)
    return tuple(is_winner / sum(winners) for is_winner in winners)
