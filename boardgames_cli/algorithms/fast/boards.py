"""Batches of boards of any game: their random generators, and what is said of turns once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds
from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.encoder import AnyEncoder, Arrays, split_row, widest
from boardgames_cli.core.game import AnyGame, S

GIVEN: Final = 0
"""The mover that stands for the caller; the opponents of a game have higher numbers."""
RANDOM: Final = 1
"""The mover that picks one of the legal actions at random."""

Numbers = npt.NDArray[np.int64]


class Boards:
    """Boards with a random generator each, so that no board depends on the others.

    Args:
        count: The number of boards.
        seed: Board i gets the seed ``seed + i``.
    """

    def __init__(self, count: int, seed: int) -> None:
        self._rngs: Seeds = np.zeros((count, 1), dtype=np.uint64)
        self._everything: Flags = np.ones(count, dtype=np.bool_)
        self.seed(range(seed, seed + count))

    @property
    def is_cold(self) -> bool:
        """Whether rules loaded by this process were not compiled before."""
        return bool(Compiler.cold)

    def __len__(self) -> int:
        """The number of boards."""
        return len(self._rngs)

    def seed(self, seeds: Sequence[int], boards: Sequence[int] | None = None) -> None:
        """Reseed the generators of boards.

        Args:
            seeds: A seed for each of them.
            boards: Their indices; by default all.
        """
        chosen = range(len(self)) if boards is None else boards
        for board, number in zip(chosen, seeds, strict=True):
            self._rngs[board] = make_seed(number)

    def _chosen(self, boards: Flags | None) -> Flags:
        """bool[boards]: the selected boards; by default all."""
        return self._everything if boards is None else boards


class Loops(NamedTuple):
    """The compiled rules of a game in turns: one loop over all boards for each question.

    All get states, int64[boards, numbers]; seats, int32[boards], the caller's seat of each board;
    and options, int64[numbers], those of the game.
    """

    begin: Callable[..., None]
    """``(states, chosen, start, seats, movers, options, rngs)``: start new games where ``chosen``
    is True, from the state ``start``, and play until the seat is to act."""
    play: Callable[..., None]
    """``(states, chosen, seats, ids, movers, options, rngs)``: play the seat's action, and on until
    it is to act again or the game is over."""
    masks: Callable[..., None]
    """``(states, seats, options, flags)``: set the flags of legal ids, bool[boards, ids] of False;
    none where the seat is not to act."""
    results: Callable[..., None]
    """``(states, seats, options, returns, over)``: the seat's return so far, float64[boards], and
    whether the game is over, bool[boards]."""
    observe: Callable[..., None]
    """``(states, seats, options, rows)``: write the fields of the encoder, concatenated, into rows
    of zeros, of any type."""


class TurnBatch(Boards, ABC, Generic[S]):
    """Boards of one game in turns, each with its own random generator.

        batch = SenetBatch(Senet(), 1000, seed=1)
        seats = np.zeros(1000, dtype=np.int32)
        movers = np.tile(np.array([GIVEN, RANDOM], dtype=np.int32), (1000, 1))
        batch.begin(seats, movers)
        legal = batch.masks(seats)
        batch.play(seats, legal.argmax(axis=1), movers)

    `environments.vector` turns it into a Gymnasium vector environment.

    Args:
        game: The rulebook.
        encoder: Its encoder.
        count: The number of boards.
        seed: Board i has the seed ``seed + i``, independently of the batch.
        options: The options of the game for its compiled rules.
    """

    loops: ClassVar[Loops]
    """The compiled rules."""
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM}
    """The movers for the other seats, by name."""
    given: ClassVar[int] = GIVEN
    """The mover that stands for the caller."""

    def __init__(
        self, game: AnyGame, encoder: AnyEncoder, count: int, seed: int, options: Sequence[int]
    ) -> None:
        super().__init__(count, seed)
        self.game = game
        self._encoder = encoder
        self._options: Numbers = np.array(options, dtype=np.int64)
        self._start = self.pack(game.initial_state())
        self.states: Numbers = np.tile(self._start, (count, 1))
        """int64[boards, numbers]: all positions."""
        self._width = sum(field.size for field in encoder.fields)
        self._dtype = widest(encoder.fields)

    @abstractmethod
    def pack(self, state: S) -> Numbers:
        """A position as int64[numbers]."""

    @abstractmethod
    def unpack(self, numbers: Sequence[int]) -> S:
        """The position of some numbers."""

    def begin(self, seats: Ints, movers: Ints, boards: Flags | None = None) -> None:
        """Start new games, and play until the caller's seat is to act.

        Args:
            seats: int32[boards]: the caller's seats.
            movers: int32[boards, seats]: the mover of each seat, `GIVEN` for the caller.
            boards: bool[boards]: the boards to use; by default all.
        """
        chosen = self._chosen(boards)
        self.loops.begin(self.states, chosen, self._start, seats, movers, self._options, self._rngs)

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
            actions: int[boards]: ids of legal actions, see `Game.action_id` and `masks`.
            movers: As for `begin`.
            boards: bool[boards]: the boards to use; by default all.
        """
        ids, chosen = actions.astype(np.int64, copy=False), self._chosen(boards)
        self.loops.play(self.states, chosen, seats, ids, movers, self._options, self._rngs)

    def masks(self, seats: Ints) -> Flags:
        """The mask of legal ids for one seat of each board: bool[boards, ids]."""
        flags: Flags = np.zeros((len(self), self.game.action_count), dtype=np.bool_)
        self.loops.masks(self.states, seats, self._options, flags)
        return flags

    def results(self, seats: Ints) -> tuple[Floats, Flags]:
        """The return of one seat of each board, and whether the game is over.

        Args:
            seats: int32[boards].

        Returns:
            float64[boards] and bool[boards].
        """
        returns: Floats = np.empty(len(self), dtype=np.float64)
        over: Flags = np.empty(len(self), dtype=np.bool_)
        self.loops.results(self.states, seats, self._options, returns, over)
        return returns, over

    def observe(self, seats: Ints) -> Arrays:
        """The observation of one seat of each board.

        Args:
            seats: int32[boards].

        Returns:
            New arrays with the names and types of the encoder's fields; the first axis is the
            board.
        """
        return split_row(self._encoder.fields, self._rows(seats, self._dtype))

    def flat(self, seats: Ints) -> npt.NDArray[np.float32]:
        """One seat's observation of each board as float32[boards, numbers]; see `Encoder.flat`."""
        return self._rows(seats, "float32")

    def _rows(self, seats: Ints, dtype: str) -> npt.NDArray[Any]:
        rows = np.zeros((len(self), self._width), dtype=dtype)
        self.loops.observe(self.states, seats, self._options, rows)
        return rows

    def state(self, board: int) -> S:
        """The position on a board."""
        return self.unpack(self.states[board].tolist())

    def set_state(self, board: int, state: S) -> None:
        """Set the position on a board."""
        self.states[board] = self.pack(state)
