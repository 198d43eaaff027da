"""Batches of boards of any game: compiled loops over them, from rules compiled for one board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds
from boardgames_cli.algorithms.fast.xorshift import EXHAUSTED, make_seed
from boardgames_cli.core.encoder import Arrays, split_row, widest
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import AnyGame, S, Seat
from boardgames_cli.core.randomness import CounterRandom
from boardgames_cli.registry import make_encoder

GIVEN: Final = 0
"""The mover that stands for the caller; the opponents of a game have higher numbers."""
RANDOM: Final = 1
"""The mover that picks one of the legal actions at random."""

EVERY: Final = -1
"""Instead of the caller's seat: it plays all of them."""

G = TypeVar("G", bound=AnyGame)
Numbers = npt.NDArray[Any]

SETTLED: Final = 8
"""Where the seats that are done begin in the code of a turn, after those that are to act."""
WRITTEN: Final = 16
"""Where the seats begin whose observations have been written."""
PAID: Final = 1 << 24
"""The bit in the code of a turn that tells that the returns have changed."""
_SHORT: Final = -1
"""The code of a turn for which the numbers of chance were too few; nothing has changed."""
BEGIN: Final = -1
"""Instead of an id: a new game begins."""
STAY: Final = -2
"""Instead of an id: nothing happens."""
_BLOCKS: Final = 8
_WORDS: Final = 8
"""Numbers in a block, of 8 bytes each."""
_SKIPPED: Final = 4
"""Numbers of block 0 before the first position."""


class Loops(NamedTuple):
    """The compiled rules of a game."""

    play: Callable[..., None]
    """`_play_all`."""
    turn: Callable[..., int]
    """`_take_turn`, of one board that others play."""
    is_turn_known: bool
    """Whether it was compiled by an earlier program."""


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
            seat is to act, which may be `EVERY`.
        play: ``(state, seat, id, movers, options, rng)``: play the seat's action, and on until it
            is to act again or the game is over; the same.
        mask: ``(state, seat, options, flags)``: set the flags of legal ids, bool[ids] of False;
            none if the seat is not to act.
        result: ``(state, seat, options)``: the seat's return so far, and whether the game is over.
        observe: ``(state, seat, options, row)``: write the fields of the encoder, concatenated,
            into a row of zeros, of any type.
    """
    rules = {"begin": begin, "play": play, "mask": mask, "result": result, "observe": observe}

    def bind(loop: Any) -> Callable[..., Any]:
        # As globals, because numba's cache never finds a function that is given functions as
        # arguments or in a closure; it tells functions of one file apart by qualified names.
        bound = FunctionType(loop.__code__, globals() | rules, loop.__name__)
        bound.__module__ = play.__module__
        bound.__qualname__ = f"{play.__module__}.{loop.__name__}"
        return compiled(bound)

    return Loops(bind(_play_all), bind(_take_turn), compiled.knows(_take_turn.__name__))


# `make_loops` puts the rules of a game in the place of these.
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


def _take_turn(
    s: Numbers, before: Numbers, movers: Ints, options: Numbers,
    numbers: npt.NDArray[np.uint64], id: int,
    rows: npt.NDArray[Any], masks: Flags, returns: Floats,
) -> int:  # fmt: skip
    """Play an id, or begin if it is below 0; then write who is to act, masks, rows and returns.

    Args:
        s: int[numbers]: the position.
        before: int[numbers]: overwritten with it; at the beginning, the first position.
        movers: int32[seats] of `GIVEN`.
        options: Those of the game.
        numbers: uint64[1, n]: a given generator, see `xorshift`.
        id: The id.
        rows: [seats, width]: those of seats to act are overwritten; at the end, all are.
        masks: bool[seats, ids]: overwritten.
        returns: float64[seats]: overwritten.

    Returns:
        See `SingleBoard.begin`.
    """
    at = numbers[0, 0]
    if id < 0:
        returns[:] = 0.0
        begin(s, before, EVERY, movers, options, numbers)
    else:
        copy_numbers(before, s)
        numbers[0, 0] = at + np.uint64(1)
        play(s, EVERY, id, movers, options, numbers)
    if numbers[0, 0] >= EXHAUSTED:
        numbers[0, 0] = at
        copy_numbers(s, before)
        return _SHORT
    masks[:] = False
    code = 0
    for seat in range(len(returns)):
        paid, is_over = result(s, seat, options)
        if paid != returns[seat]:
            returns[seat] = paid
            code |= PAID
        if is_over:
            code |= 1 << SETTLED + seat
        mask(s, seat, options, masks[seat])
        for legal in masks[seat]:
            if legal:
                code |= 1 << seat
    nobody_acts = not code & (1 << SETTLED) - 1
    for seat in range(len(returns)):
        if nobody_acts or code >> seat & 1:
            code |= 1 << WRITTEN + seat
            clear(rows[seat])
            observe(s, seat, options, rows[seat])
    return code


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
        self._all_stay = np.full(count, STAY, dtype=np.int64)
        self._paid: Floats = np.zeros(count, dtype=np.float64)
        self._nobody: Ints = np.zeros((count, game.seats), dtype=np.int32)
        self.seed(range(seed, seed + count))
        self.game = game
        self._fields = make_encoder(game).fields
        self.options = self.read_options()
        """Those of the game, as its compiled rules want them."""
        self._start = self.start()
        self.states: Numbers = np.tile(self._start, (count, 1))
        """int[boards, numbers]: all positions."""
        self.width = sum(field.size for field in self._fields)
        """The length of an observation."""
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

    def leave_when_out(self) -> None:
        """Let `play` stop where the seat is out, see `living`."""

    def living(self, seats: Ints) -> Flags:
        """Whether a seat of each board is not out: bool[boards]."""
        return np.ones(len(self), dtype=np.bool_)

    def plan(
        self, actions: npt.NDArray[np.integer], over: Flags, masks: Flags
    ) -> tuple[npt.NDArray[np.int64], int]:
        """The ids for `play` where games that are over begin anew, whatever their action.

        Args:
            actions: int[boards]: ids.
            over: bool[boards].
            masks: bool[boards, ids]: the legal ids.

        Returns:
            int64[boards]; and the first board whose action is not a legal id, or -1.
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
        self.loops.play(
            self.states, self._start, seats, given, self._nobody if movers is None else movers,
            self.options, self._rngs, self._paid, *turns,
        )  # fmt: skip
        return turns

    def masks(self, seats: Ints) -> Flags:
        """The mask of legal ids for one seat of each board: bool[boards, ids]."""
        return self.play(seats, masked=True).masks

    def observe(self, seats: int | Ints) -> Arrays:
        """The observation of one seat of each board, as new arrays of the encoder's fields.

        Args:
            seats: int32[boards], or one for all.
        """
        return self.split(self.play(seats, dtype=self.row_type).rows)

    def split(self, rows: npt.NDArray[Any]) -> Arrays:
        """Rows of `row_type` as arrays of the encoder's fields."""
        return split_row(self._fields, rows)

    @classmethod
    def alone(cls, game: G, *, flat: bool) -> SingleBoard:
        """One board, to be played by others.

        Args:
            game: The rulebook.
            flat: Whether observations are of type float32; otherwise of one that holds all fields.
        """
        return TurnBoard(cls(game, 1), flat=flat)

    def values(self, seats: Ints) -> Floats:
        """The exact value of each action to a seat of each board, NaN where it is not legal.

        Raises:
            OptionError: Nobody knows them.
        """
        raise OptionError(f"{self.game.info.name} has no exact values of actions.")

    def listed(self, board: int, ids: Sequence[int]) -> Sequence[int]:
        """Legal ids, which ascend, in the order of `Game.legal_actions`; by default the same."""
        return ids

    def state(self, board: int) -> S:
        """The position on a board."""
        return self.unpack(self.states[board].tolist())


class SingleBoard(ABC):
    """A game whose seats are all played by others; its arrays change in place.

    Args:
        seats: The number of seats.
        width: The length of an observation.
        ids: The number of action ids.
        dtype: The type of observations, wide enough for every field.
    """

    def __init__(self, seats: int, width: int, ids: int, dtype: str) -> None:
        self._rows: npt.NDArray[Any] = np.zeros((seats, width), dtype=dtype)
        self._masks: Flags = np.zeros((seats, ids), dtype=np.bool_)
        self.rows: list[npt.NDArray[Any]] = [*self._rows]
        """For each seat its observation, all fields of the encoder in one vector."""
        self.masks: list[npt.NDArray[np.int8]] = [*self._masks.view(np.int8)]
        """For each seat 1 at its legal ids."""
        self.legal = memoryview(self._masks.data)
        """The same as bool[seats, ids], which is read faster."""
        self.returns: Floats = np.zeros(seats)
        """float64[seats]: the returns so far."""
        self.ply = 0
        """The ply of the match, chance included."""
        self.is_cold = False
        """Whether its rules must be compiled first, which takes a while."""

    @abstractmethod
    def begin(self, chance: CounterRandom) -> int:
        """Start a game, of which chance comes from a match's generator.

        Returns:
            What is next: the seats to act as bits; from `SETTLED` on those that will neither act
            nor be paid again; from `WRITTEN` on those of which the row is written; and `PAID`.
        """

    @abstractmethod
    def act(self, joint: Mapping[Seat, int]) -> int:
        """Take the legal ids of all seats that are to act, and let chance act; see `begin`."""

    def listed(self, seat: Seat) -> Sequence[int]:
        """A seat's legal ids in the order of `Game.legal_actions`."""
        ids: list[int] = self._masks[seat].nonzero()[0].tolist()
        return ids

    @abstractmethod
    def write(self, seat: Seat) -> None:
        """Write the row of a seat that is not written."""


class TurnBoard(SingleBoard):
    """A game in turns: a batch of one; see `TurnBatch.alone`."""

    def __init__(self, batch: TurnBatch[Any, Any], *, flat: bool) -> None:
        game, dtype = batch.game, "float32" if flat else batch.row_type
        super().__init__(game.seats, batch.width, game.action_count, dtype)
        self.is_cold = not batch.loops.is_turn_known
        self._batch = batch
        self._state = batch.states[0]
        self._take_turn = batch.loops.turn
        self._movers: Ints = np.full(game.seats, GIVEN, dtype=np.int32)
        self._start = batch.states[0].copy()
        self._before = batch.states[0].copy()
        self._make_room(_BLOCKS)

    def _make_room(self, blocks: int) -> None:
        """Make a generator of given numbers: its position and so many blocks."""
        self._buffer = bytearray((1 + blocks * _WORDS) * 8)
        self._numbers = np.frombuffer(self._buffer, dtype=np.uint64).reshape(1, -1)
        self._blocks = blocks

    def begin(self, chance: CounterRandom) -> int:
        self._chance = chance
        # Block 0 needs no hashing, and is enough for a short game.
        self._first = 1 - self._blocks
        self._buffer[-_WORDS * 8 :] = chance.lead(0)
        self._numbers[0, 0] = 1 + _WORDS * (self._blocks - 1) + _SKIPPED
        return self._turn(BEGIN, self._start)

    def act(self, joint: Mapping[Seat, int]) -> int:
        (id,) = joint.values()
        return self._turn(id, self._before)

    def _turn(self, id: int, before: Numbers) -> int:
        batch = self._batch
        while True:
            code = self._take_turn(
                self._state, before, self._movers, batch.options, self._numbers, id,
                self._rows, self._masks, self.returns,
            )  # fmt: skip
            if code != _SHORT:
                at = int(self._numbers[0, 0]) - 1
                self.ply = self._first * _WORDS + at - _SKIPPED
                return code
            self._draw_more()

    def _draw_more(self) -> None:
        skipped, word = divmod(int(self._numbers[0, 0]) - 1, _WORDS)
        if not skipped:
            self._make_room(2 * self._blocks)
        self._first += skipped
        blocks = range(self._first, self._first + self._blocks)
        self._buffer[8:] = b"".join(map(self._chance.lead, blocks))
        self._numbers[0, 0] = 1 + word

    def listed(self, seat: Seat) -> Sequence[int]:
        return self._batch.listed(0, super().listed(seat))

    def write(self, seat: Seat) -> None:
        self._rows[seat] = self._batch.play(seat, dtype=self._rows.dtype.name).rows[0]
