"""Batches of boards of any game: compiled loops over them, from rules compiled for one board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds, make_seed
from boardgames_cli.core.encoder import Arrays, split_row, widest
from boardgames_cli.core.game import AnyGame, S
from boardgames_cli.registry import make_encoder

GIVEN: Final = 0
"""The mover that stands for the caller; the opponents of a game have higher numbers."""
RANDOM: Final = 1
"""The mover that picks one of the legal actions at random."""

G = TypeVar("G", bound=AnyGame)
Numbers = npt.NDArray[Any]

BEGIN: Final = -1
"""Instead of an id: a new game begins."""
STAY: Final = -2
"""Instead of an id: nothing happens."""


def make_loop(
    compiled: Compiler,
    *,
    begin: Callable[..., None],
    play: Callable[..., None],
    mask: Callable[..., None],
    result: Callable[..., tuple[float, bool]],
    observe: Callable[..., None],
) -> Callable[..., None]:
    """A loop over boards, `_play_all`, from a game's compiled rules for one board.

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

    # As globals, because numba's cache never finds a function that is given functions as arguments
    # or in a closure; it tells functions of one file apart by qualified names.
    bound = FunctionType(_play_all.__code__, globals() | rules, _play_all.__name__)
    bound.__module__ = play.__module__
    bound.__qualname__ = f"{play.__module__}.{_play_all.__name__}"
    return compiled(bound)


# `make_loop` puts the rules of a game in the place of these.
begin: Any = None
play: Any = None
mask: Any = None
result: Any = None
observe: Any = None


def _play_all(
    states: Numbers, start: Numbers, seats: Ints, ids: Numbers, movers: Ints,
    options: Numbers, rngs: Seeds, paid: Floats,
    returns: Floats, rewards: Floats, over: Flags, masks: Flags, rows: npt.NDArray[Any],
) -> None:  # fmt: skip
    """Play or begin on all boards in one pass, while each is in the processor's nearest memory.

    From ``returns`` on all are overwritten, see `Turns`; masks and rows may be of no boards.
    ``paid`` is float64[boards], the returns when boards last moved on.
    """
    for board in range(len(states)):
        s, seat, id = states[board], seats[board], ids[board]
        if id >= 0:
            play(s, seat, id, movers[board], options, rngs[board])
        elif id == BEGIN:
            begin(s, start, seat, movers[board], options, rngs[board])
        returns[board], over[board] = result(s, seat, options)
        rewards[board] = returns[board] - paid[board] if id >= 0 else 0.0
        paid[board] = paid[board] if id == STAY else returns[board]
        if len(masks):
            clear(masks[board])
            mask(s, seat, options, masks[board])
        if len(rows):
            clear(rows[board])
            observe(s, seat, options, rows[board])


class Turns(NamedTuple):
    """What `TurnBatch.play` leaves, for the caller's seat of each board."""

    returns: Floats
    """float64[boards]: its return so far."""
    rewards: Floats
    """float64[boards]: what its action has added to that; 0 where it has not acted."""
    over: Flags
    """bool[boards]: whether the game is over."""
    masks: Flags
    """bool[boards, ids]: its legal ids."""
    rows: npt.NDArray[Any]
    """[boards, numbers]: its observations, the fields of the encoder concatenated."""


_compiled = Compiler()


@_compiled.inline
def clear(numbers: Numbers) -> None:
    """Set numbers to 0, for which a slice takes longer where they are few."""
    for index in range(len(numbers)):
        numbers[index] = 0


@_compiled.inline
def copy_numbers(target: Numbers, source: Numbers) -> None:
    """Copy numbers without allocating, unlike a slice."""
    for index in range(len(source)):
        target[index] = source[index]


@_compiled
def _plan(given: Numbers, over: Flags, masks: Flags, ids: Numbers) -> int:
    for board in range(len(given)):
        id = given[board]
        if id < 0 or id >= masks.shape[1] or not over[board] | masks[board, id]:
            return board
        # Without a branch, which nobody could predict.
        ids[board] = id - (id - BEGIN) * over[board]
    return -1


class TurnBatch(ABC, Generic[G, S]):
    """Boards of one game, each with its own random generator: board i has the seed ``seed + i``.

        batch = SenetBatch(Senet(), 1000, seed=1)
        seats = np.zeros(1000, dtype=np.int32)
        movers = np.tile(np.array([GIVEN, RANDOM], dtype=np.int32), (1000, 1))
        batch.begin(seats, movers)
        legal = batch.masks(seats)
        batch.play(seats, legal.argmax(axis=1), movers)

    `environments.vector` turns it into a Gymnasium vector environment.
    """

    loop: ClassVar[Callable[..., None]]
    """The compiled rules, by `make_loop`; a static method."""
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM}
    """The movers for the other seats, by name."""
    given: ClassVar[int] = GIVEN
    can_be_out: ClassVar[bool] = False
    """Whether a seat may be out of a game whose result is still open for it. `play` then plays that
    game to the end, unless `leave_when_out` was called."""

    def __init__(self, game: G, count: int, seed: int = 0) -> None:
        self._rngs: Seeds = np.zeros((count, 1), dtype=np.uint64)
        self._all_stay = np.full(count, STAY, dtype=np.int64)
        self._paid: Floats = np.zeros(count, dtype=np.float64)
        self._nobody: Ints = np.zeros((count, game.seats), dtype=np.int32)
        self.seed(range(seed, seed + count))
        self.game = game
        self._fields = make_encoder(game).fields
        self.options = self.read_options()
        self._start = self.start()
        self.states: Numbers = np.tile(self._start, (count, 1))
        """int[boards, numbers]: all positions."""
        self.width = sum(field.size for field in self._fields)
        self.row_type = widest(self._fields)
        """The type of rows that `split` takes."""

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
        return self.pack(self.game.initial_state())

    @property
    def is_cold(self) -> bool:
        """Whether rules loaded by this process were not compiled before."""
        return bool(Compiler.cold)

    def __len__(self) -> int:
        return len(self._rngs)

    def seed(self, seeds: Sequence[int], boards: Sequence[int] | None = None) -> None:
        """Reseed the generators of boards, by default of all."""
        chosen = range(len(self)) if boards is None else boards
        for board, number in zip(chosen, seeds, strict=True):
            self._rngs[board] = make_seed(number)

    def leave_when_out(self) -> None:
        """Let `play` stop where the seat is out, see `living`."""

    def living(self, seats: Ints) -> Flags:
        """Whether a seat of each board is not out: bool[boards]."""
        return np.ones(len(self), dtype=np.bool_)

    def plan(
        self, actions: npt.NDArray[np.integer], over: Flags, masks: Flags
    ) -> tuple[npt.NDArray[np.int64], int]:
        """The ids for `play` where games that are over begin anew, whatever their action.

        Beside them the first board whose action is not a legal id, or -1.
        """
        ids = np.empty(len(self), dtype=np.int64)
        return ids, _plan(actions.astype(np.int64, copy=False), over, masks, ids)

    def begin(self, seats: Ints, movers: Ints, boards: Flags | None = None, **wanted: Any) -> Turns:
        """Start new games, and play until the caller's seat is to act.

        Args:
            seats: int32[boards]: the caller's seats.
            movers: int32[boards, seats]: the mover of each seat, `GIVEN` for the caller.
            boards: bool[boards]: the boards to use; by default all.
            **wanted: As for `play`.
        """
        ids = BEGIN if boards is None else np.where(boards, BEGIN, STAY)
        return self.play(seats, np.full(len(self), ids), movers, **wanted)

    def play(
        self,
        seats: int | Ints,
        ids: npt.NDArray[np.integer] | None = None,
        movers: Ints | None = None,
        *,
        masked: bool = False,
        dtype: str = "",
    ) -> Turns:
        """Play on each board until the seat is to act again or is done, and look at all of them.

        Args:
            seats: int32[boards]: the caller's seats; or one for all.
            ids: int[boards]: ids of legal actions, `BEGIN` or `STAY`; by default all stay.
            movers: As for `begin`; needed where boards don't stay.
            masked: Whether masks are wanted.
            dtype: The type of observations, if they are wanted: float32 or `row_type`.
        """
        count, width = len(self), self.width
        if isinstance(seats, int):
            seats = np.full(count, seats, dtype=np.int32)
        given = self._all_stay if ids is None else ids.astype(np.int64, copy=False)
        turns = Turns(
            np.empty(count), np.empty(count), np.empty(count, dtype=np.bool_),
            np.empty((count if masked else 0, self.game.action_count), dtype=np.bool_),
            np.empty((count if dtype else 0, width), dtype=dtype or "float32"),
        )  # fmt: skip
        self.loop(
            self.states, self._start, seats, given, self._nobody if movers is None else movers,
            self.options, self._rngs, self._paid, *turns,
        )  # fmt: skip
        return turns

    def masks(self, seats: Ints) -> Flags:
        """The mask of legal ids for one seat of each board: bool[boards, ids]."""
        return self.play(seats, masked=True).masks

    def observe(self, seats: int | Ints) -> Arrays:
        """The observation of one seat of each board, as new arrays of the encoder's fields."""
        return self.split(self.play(seats, dtype=self.row_type).rows)

    def split(self, rows: npt.NDArray[Any]) -> Arrays:
        """Rows of `row_type` as arrays of the encoder's fields."""
        return split_row(self._fields, rows)

    def state(self, board: int) -> S:
        return self.unpack(self.states[board].tolist())
