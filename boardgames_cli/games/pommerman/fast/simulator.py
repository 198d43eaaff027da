"""A fast simulator of single games, for studies with millions of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import draw, make_seed
from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    BOMB,
    BOMBS,
    SEATS,
    STEP,
    copy_state,
    pack,
    pack_options,
    unpack,
)
from boardgames_cli.games.pommerman.fast.layout import Blank, blank_of, draw_board
from boardgames_cli.games.pommerman.fast.playouts import (
    MOVES,
    SCRATCH,
    WORK,
    make_room,
)
from boardgames_cli.games.pommerman.fast.step import RUNNING, outcome, play_step, returns_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

_BOARD_WORK: Final = SCRATCH


class Simulator:
    """One game at a time, played in place by compiled rules, without radio.

        simulator = Simulator(Pommerman(), seed=1)
        while simulator.returns() is None:
            simulator.step([1, 5, 0, 4])

    Args:
        game: The rulebook; a tie ends the game, also with ``rerun_ties``.
        seed: The same seed gives the same boards and random games.
    """

    def __init__(self, game: Pommerman, seed: int = 0) -> None:
        self._game = game
        self._blank = blank_of(game)
        self._rng = make_seed(seed)
        self._room = make_room()
        self._flat = self._room[:MOVES]
        self.new_game()

    def new_game(self) -> None:
        """Generate a new board."""
        self._step_rules = pack_options(self._game)
        draw_board(self._flat, self._blank, self._room[_BOARD_WORK:], self._rng)

    @property
    def state(self) -> PommermanState:
        """The position as a `PommermanState`."""
        return unpack(self._game, self._flat)

    @state.setter
    def state(self, state: PommermanState) -> None:
        self._step_rules = pack_options(self._game, state)
        copy_state(self._flat, pack(self._game, state))

    def save(self) -> Ints:
        """A copy of the position, int32[`arrays.LENGTH`]; see `fast.arrays`."""
        return self._flat[: BOMB + 5 * self._flat[BOMBS]].copy()

    def restore(self, saved: Ints) -> None:
        """Restore a position that `save` copied from the same game.

        A copy holds no number of earlier ties: the collapse stays that of the present game.
        """
        self._flat[: len(saved)] = saved

    def step(self, moves: Sequence[int]) -> None:
        """Play a step.

        Args:
            moves: 0 to 5 for every seat; those of the dead are ignored.

        Raises:
            ValueError: The number of moves is wrong, or a move is invalid.
        """
        seats = self._game.seats
        if len(moves) != seats or not all(0 <= move <= 5 for move in moves):
            raise ValueError(f"a step takes {seats} moves of 0 to 5, not {list(moves)}")
        given = self._room[MOVES:WORK]
        given[:seats] = moves
        play_step(self._flat, given, self._step_rules, self._room[WORK:SCRATCH])

    def returns(self) -> tuple[float, ...] | None:
        """The final returns; None while the game is running."""
        found = outcome(self._flat, self._step_rules)
        return None if found == RUNNING else returns_of(found, self._game.seats)

    def random_games(self, count: int) -> Ints:
        """Play complete games on new boards with random moves.

        Args:
            count: The number of games.

        Returns:
            int32[count, 2]: for each game the number of steps and its `outcome`: the winners' seats
            as bits, or 0 (nobody) or 16 (both died at once in a duel).
        """
        results = np.zeros((count, 2), dtype=np.int32)
        play_random_games(self._blank, self._room, self._step_rules, self._rng, results)
        return results


@compiled
def play_random_games(blank: Blank, room: Ints, options: Ints, rng: Seeds, results: Ints) -> None:
    """Play games on new boards with random moves; see `Simulator.random_games`."""
    s, moves, work = room[:MOVES], room[MOVES:WORK], room[WORK:SCRATCH]
    for number in range(len(results)):
        draw_board(s, blank, room[_BOARD_WORK:], rng)
        found = outcome(s, options)
        while found == RUNNING:
            for seat in range(SEATS):
                moves[seat] = draw(rng, 6)
            play_step(s, moves, options, work)
            found = outcome(s, options)
        results[number, 0] = s[STEP]
        results[number, 1] = found
