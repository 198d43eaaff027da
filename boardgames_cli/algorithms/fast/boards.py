"""Batches of boards of any game: compiled loops over them, from rules compiled for one board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds
from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.core.encoder import Arrays, split_row, widest
from boardgames_cli.core.game import AnyGame, S

GIVEN: Final = 0
"""The mover that stands for the caller; the opponents of a game have higher numbers."""
RANDOM: Final = 1
"""The mover that picks one of the legal actions at random."""

G = TypeVar("G", bound=AnyGame)
Numbers = npt.NDArray[Any]


class Loops(NamedTuple):
    """The compiled rules of a game: one loop over all boards for each question.

    All get states, int[boards, numbers]; seats, int32[boards], the caller's seat of each board; and
    options, those of the game.
    """

    begin: Callable[..., None]
    """``(states, chosen, start, seats, movers, options, rngs)``."""
    play: Callable[..., None]
    """``(states, chosen, seats, ids, movers, options, rngs)``."""
    masks: Callable[..., None]
    """``(states, seats, options, flags)``: bool[boards, ids] of False."""
    results: Callable[..., None]
    """``(states, seats, options, returns, over)``: float64[boards] and bool[boards]."""
    observe: Callable[..., None]
    """``(states, seats, options, rows)``: rows of zeros, of any type."""


def make_loops(
    compiled: Compiler,
    *,
    begin: Callable[..., None],
    play: Callable[..., None],
    mask: Callable[..., None],
    result: Callable[..., tuple[float, bool]],
    observe: Callable[..., None],
) -> Loops:
    """Loops over boards, from a game's compiled rules for one board.

    Args:
        compiled: The compiler of the game.
        begin: ``(state, start, seat, movers, options, rng)``: start a new game, and play until the
            seat is to act.
        play: ``(state, seat, id, movers, options, rng)``: play the seat's action, and on until it
            is to act again or the game is over.
        mask: ``(state, seat, options, flags)``: set the flags of legal ids, bool[ids] of False;
            none if the seat is not to act.
        result: ``(state, seat, options)``: the seat's return so far, and whether the game is over.
        observe: ``(state, seat, options, row)``: write the fields of the encoder, concatenated,
            into a row of zeros, of any type.
    """
    rules = {"begin": begin, "play": play, "mask": mask, "result": result, "observe": observe}

    def bind(loop: Any) -> Callable[..., None]:
        # As globals, because numba's cache never finds a function that is given functions as
        # arguments or in a closure; it tells functions of one file apart by qualified names.
        bound = FunctionType(loop.__code__, rules, loop.__name__)
        bound.__module__ = play.__module__
        bound.__qualname__ = f"{play.__module__}.{loop.__name__}"
        return compiled(bound)

    return Loops(*map(bind, (_begin_all, _play_all, _masks_of, _results_of, _observe_all)))


# `make_loops` puts the rules of a game in the place of these.
begin: Any = None
play: Any = None
mask: Any = None
result: Any = None
observe: Any = None


def _begin_all(
    states: Numbers, chosen: Flags, start: Numbers, seats: Ints, movers: Ints,
    options: Numbers, rngs: Seeds,
) -> None:  # fmt: skip
    for board in range(len(states)):
        if chosen[board]:
            begin(states[board], start, seats[board], movers[board], options, rngs[board])


def _play_all(
    states: Numbers, chosen: Flags, seats: Ints, ids: Numbers, movers: Ints,
    options: Numbers, rngs: Seeds,
) -> None:  # fmt: skip
    for board in range(len(states)):
        if chosen[board]:
            play(states[board], seats[board], ids[board], movers[board], options, rngs[board])


def _masks_of(states: Numbers, seats: Ints, options: Numbers, flags: Flags) -> None:
    for board in range(len(states)):
        mask(states[board], seats[board], options, flags[board])


def _results_of(
    states: Numbers, seats: Ints, options: Numbers, returns: Floats, over: Flags
) -> None:
    for board in range(len(states)):
        returns[board], over[board] = result(states[board], seats[board], options)


def _observe_all(states: Numbers, seats: Ints, options: Numbers, rows: npt.NDArray[Any]) -> None:
    for board in range(len(states)):
        observe(states[board], seats[board], options, rows[board])


_compiled = Compiler()


@_compiled
def copy_numbers(target: Numbers, source: Numbers) -> None:
    """Copy numbers without allocating, unlike a slice."""
    for index in range(len(source)):
        target[index] = source[index]


class TurnBatch(ABC, Generic[G, S]):
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

    loops: ClassVar[Loops]
    """The compiled rules."""
    encoder: ClassVar[type[Any]]
    """The class of its encoder."""
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM}
    """The movers for the other seats, by name."""
    given: ClassVar[int] = GIVEN
    """The mover that stands for the caller."""
    can_be_out: ClassVar[bool] = False
    """Whether a seat may be out of a game whose result is still open for it. `play` then plays that
    game to the end, unless `leave_when_out` was called."""

    def __init__(self, game: G, count: int, seed: int = 0) -> None:
        self._rngs: Seeds = np.zeros((count, 1), dtype=np.uint64)
        self._everything: Flags = np.ones(count, dtype=np.bool_)
        self.seed(range(seed, seed + count))
        self.game = game
        self._fields = self.encoder(game).fields
        self._options = self.read_options()
        self._start = self.start()
        self.states: Numbers = np.tile(self._start, (count, 1))
        """int[boards, numbers]: all positions."""
        self._width = sum(field.size for field in self._fields)

    @abstractmethod
    def read_options(self) -> Any:
        """The options of the game, as its compiled rules want them."""

    @abstractmethod
    def pack(self, state: S) -> Numbers:
        """A position as int[numbers]."""

    @abstractmethod
    def unpack(self, numbers: Sequence[int]) -> S:
        """The position of some numbers."""

    def start(self) -> Numbers:
        """What games start from, as int[numbers]."""
        return self.pack(self.game.initial_state())

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

    def leave_when_out(self) -> None:
        """Let `play` stop where the seat is out, see `living`."""

    def living(self, seats: Ints) -> Flags:
        """Whether a seat of each board is not out: bool[boards]."""
        return np.ones(len(self), dtype=np.bool_)

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

    def observe(self, seats: int | Ints) -> Arrays:
        """The observation of one seat of each board.

        Args:
            seats: int32[boards], or one for all.

        Returns:
            New arrays with the names and types of the encoder's fields; the first axis is the
            board.
        """
        return split_row(self._fields, self._rows(seats, widest(self._fields)))

    def flat(self, seats: int | Ints) -> npt.NDArray[np.float32]:
        """One seat's observation of each board as float32[boards, numbers]; see `Encoder.flat`."""
        return self._rows(seats, "float32")

    def _rows(self, seats: int | Ints, dtype: str) -> npt.NDArray[Any]:
        if isinstance(seats, int):
            seats = np.full(len(self), seats, dtype=np.int32)
        rows = np.zeros((len(self), self._width), dtype=dtype)
        self.loops.observe(self.states, seats, self._options, rows)
        return rows

    def state(self, board: int) -> S:
        """The position on a board."""
        return self.unpack(self.states[board].tolist())

    def set_state(self, board: int, state: S) -> None:
        """Set the position on a board."""
        self.states[board] = self.pack(state)
