"""An agent that adds Monte Carlo rollouts on the compiled rules to the search of `hard`.

From each move that `search.MoveValues` rates close to the best, it plays many rollouts with a
simple policy for all agents, and adds their results to the values. Needs the extra ``fast``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Observation, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman.actions import Move, Seen
from boardgames_cli.games.pommerman.agents.search import Hard
from boardgames_cli.games.pommerman.agents.situation import Situation
from boardgames_cli.games.pommerman.board import UNKNOWN, bits
from boardgames_cli.games.pommerman.fast import Ints
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    BOARD,
    SEATS,
    pack,
    pack_options,
)
from boardgames_cli.games.pommerman.fast.playouts import (
    COUNTS,
    LIVED,
    PlayoutPlan,
    make_room,
    play_to_end,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

Floats: TypeAlias = npt.NDArray[np.float64]

_WORLDS: Final = 4
"""The number of determinizations; rollouts start from each in turn."""
_BATCH: Final = 10
"""Rollouts of each move between checks of the clock, about a third of a millisecond."""
_HORIZON: Final = 24
"""The length of a rollout in steps, enough for two successive bombs."""
_MARGIN: Final = 8.0
"""Moves whose value is lower than the best by more than this get no rollouts."""
_LIFE: Final = 40.0
"""The value of surviving all rollouts rather than none, on the scale of `MoveValues`."""
_KILL: Final = 20.0
"""The value of a rival's death, and the cost of the teammate's."""
_ERRORS: Final = 2.0
"""Differences between moves below this many standard errors count as noise."""
_SHARE: Final = 0.6
"""The share of a time limit that is used, since late answers do not count."""


@dataclass
class Rollouts(Hard):
    """Takes the move with the best sum of `Hard`'s value and the results of rollouts."""

    playouts: int = option(600, "rollouts per decision, for all moves together", low=1)

    _room: Ints = field(init=False, repr=False, compare=False)

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game; the first time this loads or compiles the rules, which takes a while."""
        super().reset(game, seat)
        self._room = make_room()
        step_rules, counts = pack_options(self._game), np.zeros(COUNTS, dtype=np.int32)
        rng, plan = make_seed(0), PlayoutPlan(_HORIZON)
        play_to_end(self._room, self._room, step_rules, rng, counts, counts, 0, plan)

    def _refine(
        self,
        values: dict[int, float],
        situation: Situation,
        seen: Seen,
        thinking: Thinking,
    ) -> dict[int, float]:
        best = max(values.values())
        close = {move: value for move, value in values.items() if value >= best - _MARGIN}
        if len(close) == 1:
            return close
        outcomes = self._play_out(
            seen.state, situation.state, situation.seat, list(close), thinking
        )
        return {move: value + outcomes[move] for move, value in close.items()}

    def _play_out(
        self,
        seen: PommermanState,
        known: PommermanState,
        seat: Seat,
        moves: Sequence[int],
        thinking: Thinking,
    ) -> dict[int, float]:
        rng = make_seed(thinking.rng.getrandbits(63))
        step_rules, plan = pack_options(self._game, seen), PlayoutPlan(_HORIZON, watched=seat)
        counts = np.zeros((len(moves), COUNTS), dtype=np.int32)
        firsts = np.full((len(moves), SEATS), -1, dtype=np.int32)
        firsts[:, seat] = moves
        stood = np.zeros(SEATS, dtype=np.int32)
        worlds: list[Ints] = []
        done = 0
        while done * len(moves) < self.playouts and not _is_late(thinking, done * len(moves)):
            if len(worlds) < _WORLDS:
                guess = guess_state(self._game, seen, known, seat, thinking.rng)
                worlds.append(pack(self._game, guess))
            world = worlds[done // _BATCH % _WORLDS]
            for first, count in zip(firsts, counts, strict=True):
                play_to_end(world, self._room, step_rules, rng, count, first, _BATCH, plan)
            stood += _BATCH * world[AGENT + ALIVE : BOARD : 5]
            done += _BATCH
        lived = counts[:, LIVED : LIVED + SEATS]
        died = stood - lived
        (side,) = [side for side in self._game.teams if seat in side]
        mates = [other for other in side if other != seat]
        rivals = [other for other in range(SEATS) if other not in side]
        tallies = np.column_stack((lived[:, seat], died[:, rivals].sum(1), died[:, mates].sum(1)))
        found = beyond_chance(tallies / max(1, done), max(1, done))
        return dict(zip(moves, found, strict=True))


def beyond_chance(shares: Floats, playouts: int) -> list[float]:
    """The values of moves from their results, with noise removed.

    Most moves have similar results, and the noise of a hundred rollouts would dominate
    `MoveValues`. Each move's distance from the mean is therefore reduced by two standard errors
    (soft thresholding, D. L. Donoho, 1995).

    Args:
        shares: float64[moves, 3], of a rollout: the seat's survival, and the deaths of rivals and
            of the teammate.
        playouts: The number of rollouts per move.
    """
    survived, rivals, mates = shares.T
    worth = survived * _LIFE + (rivals - mates) * _KILL
    # The number of deaths of others has about the variance of a Poisson variable.
    variance = survived * (1 - survived) * _LIFE**2 + (rivals + mates) * _KILL**2
    distance = worth - worth.mean()
    sure = np.maximum(0.0, np.abs(distance) - _ERRORS * np.sqrt(variance / playouts))
    return [float(value) for value in np.sign(distance) * sure]


def _is_late(thinking: Thinking, nodes: int) -> bool:
    limit = thinking.budget.seconds
    return thinking.should_stop(nodes) or (limit is not None and thinking.elapsed > _SHARE * limit)


def guess_state(
    game: Pommerman,
    seen: PommermanState,
    known: PommermanState,
    seat: Seat,
    rng: random.Random,
) -> PommermanState:
    """Sample a full state that fits what a seat sees and, completed by its `Memory`, knows."""
    # An unseen agent is in the fog, but not on a remembered wall.
    walls = known.walls | sum(1 << bomb.cell for bomb in known.bombs)
    dark = list(bits(seen.fog & ~walls))
    rng.shuffle(dark)
    agents = [
        agent if agent.cell != UNKNOWN or not dark else agent._replace(cell=dark.pop())
        for agent in known.agents
    ]
    # If no cell remains for an agent, the memory of the fog is ignored.
    lost = [
        agent._replace(cell=0, alive=False) if agent.cell == UNKNOWN else agent for agent in agents
    ]
    others = [other for other in range(len(lost)) if other != seat]
    bombs = tuple(
        bomb if bomb.owner != UNKNOWN else bomb._replace(owner=rng.choice(others))
        for bomb in known.bombs
    )
    placed = known._replace(agents=tuple(lost), bombs=bombs)
    return game.determinize(Observation(seat, known.step, placed, ()), rng)
