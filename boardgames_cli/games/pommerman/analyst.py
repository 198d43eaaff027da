"""Judges Pommerman by playouts on the compiled rules; needs the extra ``fast``.

Positions are judged every few steps, by whole games that everybody plays on by the policy of the
playouts. All act at once, so a step has no single mover, and its change belongs to all of them.
A seat's own move is judged by what the seat could know: in guesses at what was hidden from it, how
often it is alive some steps after each of the six moves. A move that costs life is a mistake.
Why, it says from what burns, and when.
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
from boardgames_cli.games.pommerman.actions import Layout, Move
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.rollouts import guess_state
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, MOVE_NAMES, STOP
from boardgames_cli.games.pommerman.fast.arrays import SEATS, pack, pack_options
from boardgames_cli.games.pommerman.fast.chances import (
    COUNTS,
    EVENED,
    LIVED,
    TIED,
    WON,
    play_to_end,
)
from boardgames_cli.games.pommerman.fast.jit import Ints
from boardgames_cli.games.pommerman.fast.playouts import make_room
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.games.pommerman.view.danger import burn_times

_SOON = 3
"""Steps; who stays where it burns by then has not fled."""


def explain(
    game: Pommerman,
    seen: PommermanState,
    seat: Seat,
    moves: tuple[Move, Move],
    lives: tuple[float, float],
    horizon: int,
) -> Reason:
    """What speaks against one move and for the other.

    Args:
        game: The rulebook.
        seen: What the seat sees.
        seat: Who moves.
        moves: The one that was made, and the better one.
        lives: For both the share of playouts that the seat survived.
        horizon: The steps of a playout.
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
        f"alive after {horizon} steps in {lives[1]:.0%} of playouts after {_name(better)}, "
        f"in {lives[0]:.0%} after {_name(played)}"
    )
    return Reason(kind, "; ".join(facts))


def _target(game: Pommerman, seen: PommermanState, seat: Seat, move: Move) -> int:
    """Where a move leads if nothing is in the way; else where the agent stands."""
    here = seen.agents[seat].cell
    if move.code in (STOP, BOMB):
        return here
    there = game.step_rules.grid.steps[move.code][here]
    taken = seen.rigid | seen.wood | sum(1 << bomb.cell for bomb in seen.bombs)
    return here if there < 0 or taken >> there & 1 else there


def _name(move: Move) -> str:
    """A move without the words that are said with it."""
    return MOVE_NAMES[move.code]


def _steps(count: int) -> str:
    return f"{count} step{'s' if count != 1 else ''}"


EVERY: Final = 5
"""Steps between judged positions."""
GAMES: Final = 100
"""Whole games played from a judged position."""
LAYOUTS: Final = 8
"""Boards that are laid out to judge the table before the layout."""
HORIZON: Final = 20
"""Steps after which it counts who lives: a bomb laid now has gone off, and one laid after it."""
WORLDS: Final = 4
"""Guesses at what is hidden from a seat."""
FEW: Final = 5
"""Playouts of each move in each guess; where they differ, `MANY` decide."""
MANY: Final = 60
_SUSPECT: Final = 0.15
"""A move with which a seat lives so much less often is looked at again."""
_KEEN: Final = 30
"""Percent of the cases where a bomb makes sense in which the playouts lay one."""

_METHOD: Final = Method(
    False,
    f"{GAMES} games played on from a position every {EVERY} steps; moves by how often their seat "
    f"is alive {HORIZON} steps later, in guesses at what it could not see",
    GAMES,
)
Seen = Observation[PommermanState, Move]


@dataclass(frozen=True)
class PommermanAnalyst(Analyst[Pommerman, PommermanState, Move, Layout]):
    """Counts who wins and who lives when everybody goes on by a simple policy."""

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
        """What comes of whole games; before the layout, of some boards."""
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
        # A chance of 0 in so many games may still be one in a hundred.
        error = max(2 * math.sqrt(max(share * (1 - share), 1 / total) / total) for share in won)
        lost = (int(counts[TIED]) + int(counts[EVENED])) / total
        sides = len(self.game.teams)
        chances = []
        for seat, share in enumerate(won):
            mates = next(len(team) for team in self.game.teams if seat in team)
            chances.append(share / mates + lost / (sides * mates))
        return Value(returns, error, chances=tuple(chances))

    def judge(self, seen: Seen, earlier: Sequence[Seen] = ()) -> Judgement[Move]:
        """How often the seat lives after each move; words by radio change nothing.

        To live counts as 1 and to die as -1: what else a move is good for is not looked at.
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
                    words=f"lives {lived:.0%}",
                )
            )
        return ranked(seat, choices, Method(False, _METHOD.text, plays))

    def label(self, seen: Seen, action: Move) -> str:
        """The move without the words that are said with it."""
        return MOVE_NAMES[action.code]

    def moment(self, seen: Seen) -> str:
        """The step of the game on the board."""
        return f"step {seen.state.step + 1}"

    def reason(self, seen: Seen, played: Move, better: Move) -> Reason:
        """What burns, and how often either move is survived."""
        assert seen.seat is not None, "a spectator has no moves"
        lives, _ = self.lives(seen, ())
        pair = (lives[played.code], lives[better.code])
        return explain(self.game, seen.state, seen.seat, (played, better), pair, HORIZON)

    def lives(self, seen: Seen, earlier: Sequence[Seen]) -> tuple[list[float], int]:
        """By the codes of moves how often the seat lives after each, and in how many playouts."""
        assert seen.seat is not None, "a spectator has no moves"
        worlds = self._worlds(seen, earlier)
        found = self._count(seen, worlds, FEW)
        if max(found) - min(found) > _SUSPECT:
            return self._count(seen, worlds, MANY), MANY * WORLDS
        return found, FEW * WORLDS

    def _worlds(self, seen: Seen, earlier: Sequence[Seen]) -> list[Ints]:
        """Guesses at the position, by what the seat sees and remembers."""
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
        """By move in what share of playouts the seat lives after the horizon."""
        seat: Seat = seen.seat or 0
        options, room = pack_options(self.game, seen.state), make_room()
        shares = []
        for move in range(len(MOVE_NAMES)):
            counts = np.zeros(COUNTS, dtype=np.int32)
            first = np.full(SEATS, -1, dtype=np.int32)
            first[seat] = move
            for number, world in enumerate(worlds):
                # Equal luck for all moves: their difference is what matters.
                rng = make_seed(1 + number)
                play_to_end(world, room, options, rng, counts, first, games, HORIZON, False, _KEEN)
            shares.append(int(counts[LIVED + seat]) / (games * len(worlds)))
        return shares


def _shares(returns: Sequence[float]) -> tuple[float, ...]:
    """The win as shares: among the winners, or among all if nobody won."""
    best = max(returns)
    winners = [best > -1 and value == best for value in returns]
    if not any(winners):
        return (1 / len(returns),) * len(returns)
    return tuple(is_winner / sum(winners) for is_winner in winners)
