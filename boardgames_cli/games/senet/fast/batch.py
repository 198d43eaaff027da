"""Batches of Senet boards without Python loops over boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import Boards
from boardgames_cli.algorithms.fast.jit import Bytes
from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.core.encoder import Arrays, split_row
from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.encode import SenetEncoder
from boardgames_cli.games.senet.fast import Flags, Floats, Ints, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.playouts import Masks, count_of, nth, throw
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

GIVEN, RANDOM, FOREMOST = range(3)
"""The movers of a side: the caller, random moves, or moves of the most advanced dancer that can
move."""

CONES, SPOOLS, PLAYER, STEPS = range(4)
"""The indices in a state array: both masks, the seat to move, and the throw (0 for none)."""
LENGTH: Final = 4

_IDS: Final = 10
"""Action ids per dancer."""


class SenetBatch(Boards):
    """Boards of one game, each with its own random generator.

        batch = SenetBatch(Senet(), 1000, seed=1)
        seats = np.zeros(1000, dtype=np.int32)
        movers = np.tile(np.array([GIVEN, RANDOM], dtype=np.int32), (1000, 1))
        batch.begin(seats, movers)
        legal = batch.masks(seats)
        batch.play(seats, legal.argmax(axis=1), movers)

    `environments.vector` turns it into a Gymnasium vector environment.

    Args:
        game: The rulebook.
        count: The number of boards.
        seed: Board i has the seed ``seed + i``, independently of the batch.
    """

    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "foremost": FOREMOST}
    """The movers for the other side, by name."""
    given: ClassVar[int] = GIVEN
    """The mover that stands for the caller."""

    def __init__(self, game: Senet, count: int, seed: int = 0) -> None:
        super().__init__(count, seed)
        self.game = game
        self.states: Masks = np.zeros((count, LENGTH), dtype=np.int64)
        """int64[boards, `LENGTH`]: all positions, initially before the first throw."""
        self._rules = RULES[game.rules]
        self._encoder = SenetEncoder(game)
        self._start = _packed(game.initial_state())
        self.states[:] = self._start

    def begin(self, seats: Ints, movers: Ints, boards: Flags | None = None) -> None:
        """Start new games, and play until the caller's seat is to act.

        Args:
            seats: int32[boards]: the caller's seats.
            movers: int32[boards, 2]: the mover of each side, `GIVEN` for the caller.
            boards: bool[boards]: the boards to use; by default all.
        """
        chosen = self._chosen(boards)
        begin_all(self.states, chosen, self._start, seats, movers, self._rules, self._rngs)

    def play(
        self,
        seats: Ints,
        actions: npt.NDArray[np.integer],
        movers: Ints,
        boards: Flags | None = None,
    ) -> None:
        """Play an action on each board, and continue until the seat is to act again or is done.

        Args:
            seats: int32[boards]: the caller's seats, each of which is to act.
            actions: int[boards]: ids of legal actions, see `Senet.action_id` and `masks`.
            movers: As for `begin`.
            boards: bool[boards]: the boards to use; by default all.
        """
        ids, chosen = actions.astype(np.int64), self._chosen(boards)
        play_all(self.states, chosen, seats, ids, movers, self._rules, self._rngs)

    def masks(self, seats: Ints) -> Flags:
        """The mask of legal ids for one seat of each board: bool[boards, ids]."""
        flags: Flags = np.zeros((len(self), self.game.action_count), dtype=np.bool_)
        masks_of(self.states, seats, self._rules, flags)
        return flags

    def results(self, seats: Ints) -> tuple[Floats, Flags]:
        """The return of one seat of each board, and whether the game is over.

        Args:
            seats: int32[boards].

        Returns:
            float64[boards] and bool[boards].
        """
        everyone = np.arange(len(self))
        won = self.states[everyone, seats] == 0
        over = won | (self.states[everyone, 1 - seats] == 0)
        return np.where(over, np.where(won, 1.0, -1.0), 0.0), over

    def observe(self, seats: Ints) -> Arrays:
        """The observation of one seat of each board.

        Args:
            seats: int32[boards].

        Returns:
            New arrays with the names and types of `SenetEncoder`'s fields; the first axis is the
            board.
        """
        return split_row(self._encoder.fields, self._rows(seats))

    def flat(self, seats: Ints) -> npt.NDArray[np.float32]:
        """One seat's observation of each board as float32[boards, numbers]; see `Encoder.flat`."""
        return self._rows(seats).astype(np.float32)

    def _rows(self, seats: Ints) -> Bytes:
        width = sum(field.size for field in self._encoder.fields)
        rows: Bytes = np.zeros((len(self), width), dtype=np.int8)
        observe_all(self.states, seats, self.game.pieces, self._rules, rows)
        return rows

    def state(self, board: int) -> SenetState:
        """The position on a board as a `SenetState`."""
        cones, spools, player, steps = self.states[board].tolist()
        return SenetState(cones, spools, player, steps or None)

    def set_state(self, board: int, state: SenetState) -> None:
        """Set the position on a board."""
        self.states[board] = _packed(state)


def _packed(state: SenetState) -> Masks:
    steps = state.steps or 0
    return np.array([state.cones, state.spools, state.player, steps], dtype=np.int64)


@compiled
def begin_all(
    states: Masks, chosen: Flags, start: Masks, seats: Ints, who: Ints, rules: int, rngs: Seeds
) -> None:
    """Start new games on the boards in ``chosen``; see `SenetBatch.begin`."""
    for number in range(len(states)):
        if chosen[number]:
            states[number, STEPS] = 0
            # If the other side wins before the seat has acted, the next game is used.
            while not states[number, STEPS]:
                states[number] = start
                _go_on(states[number], seats[number], who[number], rules, rngs[number])


@compiled
def play_all(
    states: Masks, chosen: Flags, seats: Ints, ids: Masks, who: Ints, rules: int, rngs: Seeds
) -> None:
    """Play on the boards in ``chosen``; see `SenetBatch.play`."""
    for number in range(len(states)):
        if chosen[number]:
            s = states[number]
            start, backward = 0, 0
            if ids[number]:
                dancer, way = (ids[number] - 1) // _IDS, (ids[number] - 1) % _IDS
                start, backward = nth(s[s[PLAYER]], dancer), 1 if way >= _IDS // 2 else 0
            _move(s, start, backward, rules)
            _go_on(s, seats[number], who[number], rules, rngs[number])


@compiled
def _go_on(s: Masks, seat: int, who: Ints, rules: int, rng: Seeds) -> None:
    """Throw and move for the other side until it is the seat's turn or the game is over."""
    while s[CONES] and s[SPOOLS]:
        s[STEPS] = throw(rng)
        player = s[PLAYER]
        if player == seat:
            return
        starts = movers(s[player], s[1 - player], s[STEPS], rules)
        dancers, start = starts & BOARD, 0
        if dancers and who[player] == RANDOM:
            start = nth(dancers, draw(rng, count_of(dancers)))
        elif dancers:
            start = nth(dancers, count_of(dancers) - 1)
        _move(s, start, starts & BACKWARD, rules)


@compiled
def _move(s: Masks, start: int, backward: int, rules: int) -> None:
    """Make a move with the throw, or pass if ``start`` is 0."""
    player, steps = s[PLAYER], s[STEPS]
    own, opponent = s[player], s[1 - player]
    again = False
    if start:
        end = end_of(own, opponent, start, steps, backward, rules)
        s[player], s[1 - player] = play(own, opponent, start, end)
        again = throws_again(steps, end, rules)
    if not again:
        s[PLAYER] = 1 - player
    s[STEPS] = 0


@compiled
def masks_of(states: Masks, seats: Ints, rules: int, flags: Flags) -> None:
    """Set the flags of legal actions; those of seats that are not to act stay unchanged."""
    for number in range(len(states)):
        s, seat = states[number], seats[number]
        steps = s[STEPS]
        if not steps or s[PLAYER] != seat:
            continue
        own = s[seat]
        starts = movers(own, s[1 - seat], steps, rules)
        way = _IDS + 1 - steps if starts & BACKWARD else steps
        dancers = starts & BOARD
        if not dancers:
            flags[number, 0] = True
        while dancers:
            start = dancers & -dancers
            dancers ^= start
            flags[number, _IDS * count_of(own & (start - 1)) + way] = True


@compiled
def observe_all(states: Masks, seats: Ints, pieces: int, rules: int, rows: Bytes) -> None:
    """Write the fields of `SenetEncoder`, concatenated, into rows of zeros."""
    for number in range(len(states)):
        s, seat, row = states[number], seats[number], rows[number]
        for side in range(2):
            mask = s[seat ^ side]
            for house in range(HOUSES):
                row[HOUSES * side + house] = mask >> house & 1
            row[2 * HOUSES + side] = pieces - count_of(mask)
        if s[STEPS]:
            row[2 * HOUSES + 1 + s[STEPS]] = 1
        row[2 * HOUSES + 7 + (s[PLAYER] ^ seat)] = 1
        row[2 * HOUSES + 9 + rules] = 1
