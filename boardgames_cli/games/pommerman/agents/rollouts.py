"""An agent that plays its moves out on the compiled rules, where `hard` only floods fire.

It takes the moves that `search.MoveValues` finds about as good as the best, plays many games on
from each of them, everybody fleeing and bombing like a hasty `simple`, and adds what came of them.
Needs the extra ``fast``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Observation, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.agents.search import Hard
from boardgames_cli.games.pommerman.agents.situation import Situation
from boardgames_cli.games.pommerman.board import UNKNOWN, bits
from boardgames_cli.games.pommerman.fast.arrays import pack, pack_options
from boardgames_cli.games.pommerman.fast.jit import Ints
from boardgames_cli.games.pommerman.fast.playouts import (
    MATES,
    RIVALS,
    SURVIVED,
    TALLIES,
    make_room,
    play_out,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

Floats: TypeAlias = npt.NDArray[np.float64]

_WORLDS: Final = 4
"""Guesses at what is hidden; the playouts start from each in turn."""
_BATCH: Final = 10
"""Playouts of each move between two looks at the clock, about a third of a millisecond."""
_HORIZON: Final = 24
"""Steps in a playout: two bombs, one after the other."""
_KEEN: Final = 30
"""Percent of the cases where a bomb makes sense in which the playouts lay one."""
_MARGIN: Final = 8.0
"""Moves whose value is further below the best are not played out."""
_LIFE: Final = 40.0
"""What it is worth, on the scale of `MoveValues`, to survive all playouts rather than none."""
_KILL: Final = 20.0
"""What the death of a rival is worth; that of the mate as much less."""
_ERRORS: Final = 2.0
"""Standard errors by which differences between moves are taken to be chance."""
_SHARE: Final = 0.6
"""The share of a limit in seconds that is used: a late answer counts as none."""


@dataclass
class Rollouts(Hard):
    """Takes the move with the best sum of the value that `Hard` gives it and of outcomes."""

    playouts: int = option(600, "games played on for one decision, of all moves", low=1)

    _room: Ints = field(init=False, repr=False, compare=False)

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Begin a game; the first time this loads or compiles the rules, which takes a while."""
        super().reset(game, seat)
        self._room = make_room()
        step_rules, tally = pack_options(self._game), np.zeros(TALLIES, dtype=np.int32)
        play_out(self._room, self._room, step_rules, make_seed(0), tally, 0, 0, 0, 0, 0)

    def _refine(
        self,
        values: dict[int, float],
        situation: Situation,
        seen: Observation[PommermanState, Move],
        thinking: Thinking,
    ) -> dict[int, float]:
        """The values of the best moves, with what came of playing on."""
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
        """What each of the moves leads to on the average; nothing if there is no time."""
        rng = make_seed(thinking.rng.getrandbits(63))
        step_rules = pack_options(self._game, seen)
        tallies = np.zeros((len(moves), TALLIES), dtype=np.int32)
        worlds: list[Ints] = []
        done = 0
        while done * len(moves) < self.playouts and not _is_late(thinking, done * len(moves)):
            if len(worlds) < _WORLDS:
                guess = guess_state(self._game, seen, known, seat, thinking.rng)
                worlds.append(pack(self._game, guess))
            world = worlds[done // _BATCH % _WORLDS]
            for move, tally in zip(moves, tallies, strict=True):
                play_out(
                    world, self._room, step_rules, rng, tally, seat, move, _BATCH, _HORIZON, _KEEN
                )
            done += _BATCH
        found = beyond_chance(tallies / max(1, done), max(1, done))
        return dict(zip(moves, found, strict=True))


def beyond_chance(shares: Floats, playouts: int) -> list[float]:
    """What the moves are worth by their outcomes, as far as that is no accident of the playouts.

    Most moves lead to much the same, and the differences of a hundred playouts are noise that would
    drown what `MoveValues` knows. Each move's distance from the mean of all is therefore shortened
    by two standard errors (D. L. Donoho, 1995: soft thresholding).

    Args:
        shares: float64[moves, `TALLIES`], what came of one playout on the average.
        playouts: How many there were of each move.
    """
    survived, rivals, mates = shares[:, SURVIVED], shares[:, RIVALS], shares[:, MATES]
    worth = survived * _LIFE + (rivals - mates) * _KILL
    # Deaths of others are about as variable as a Poisson count.
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
    """A full state that might be the true one.

    Args:
        game: The rulebook.
        seen: What the seat sees.
        known: The same with what it remembers in place of fog, from `Memory`.
        seat: The observer.
        rng: Where the guesses come from.
    """
    # An agent that is not seen stands in the fog, but on no wall that is remembered there.
    walls = known.rigid | known.wood | sum(1 << bomb.cell for bomb in known.bombs)
    dark = list(bits(seen.fog & ~walls))
    rng.shuffle(dark)
    agents = [
        agent if agent.cell != UNKNOWN or not dark else agent._replace(cell=dark.pop())
        for agent in known.agents
    ]
    # If no cell is left for an agent, the fog gives no information: it counts as gone.
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
