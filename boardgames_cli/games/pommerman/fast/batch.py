"""Batches of Pommerman boards without Python loops over boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import Boards
from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.core.encoder import Arrays, split_row
from boardgames_cli.core.errors import IllegalActionError, OptionError
from boardgames_cli.games.pommerman.board import EXTRA_BOMB, MOVE_NAMES, UNKNOWN
from boardgames_cli.games.pommerman.encode import PommermanEncoder
from boardgames_cli.games.pommerman.fast import Bytes, Ints, Seeds, compiled
from boardgames_cli.games.pommerman.fast.arrays import (
    AGENT,
    ALIVE,
    AMMO,
    BLAST,
    BOARD,
    BOMB,
    BOMBS,
    CELL,
    DIRECTION,
    FALLEN,
    FIRE,
    FIRES,
    FLAME,
    KICKS,
    LENGTH,
    LIFE,
    OWNER,
    PITCH,
    PLAYERS,
    SEATS,
    SIZE,
    STEP,
    STRENGTH,
    TEAMS,
    copy_state,
    pack,
    pack_options,
    unpack,
)
from boardgames_cli.games.pommerman.fast.layout import Blank, blank_of, draw_board
from boardgames_cli.games.pommerman.fast.playouts import KEEN, SCRATCH_LENGTH, decide, survey
from boardgames_cli.games.pommerman.fast.step import EVEN, RUNNING, WORK_LENGTH, outcome, play_step
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

_POWERS: Final = 2
"""The layer of the first kind of power-up, after walls and wood."""
_FLAMES: Final = 5
_FOG: Final = 8
_STANDING: Final = 9
"""The layer of the first agent, followed by the others."""
_STATS: Final = 6
"""Numbers of each agent."""
_BOMB_LAYERS: Final = 4


@compiled
def observe_all(
    states: Ints, options: Ints, seats: Ints, view: int, rows: Bytes, steps: Ints
) -> None:
    """The observation of one seat of each board.

    Args:
        states: int32[boards, `arrays.LENGTH`].
        options: From `arrays.pack_options`.
        seats: int32[boards]: the viewers' seats.
        view: The radius of view in the fog of the team modes.
        rows: int8[boards, numbers], overwritten.
        steps: int32[boards], overwritten: the number of the step.
    """
    for number in range(len(states)):
        row = rows[number]
        row[:] = 0
        _see(states[number], options, seats[number], view, row)
        steps[number] = states[number, STEP]


@compiled
def _see(s: Ints, options: Ints, seat: int, view: int, row: Bytes) -> None:
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    own = s[AGENT + 5 * seat + CELL]
    top, left, bottom, right = 0, 0, size - 1, size - 1
    if options[TEAMS]:
        top, bottom = max(0, own // PITCH - 1 - view), min(size - 1, own // PITCH - 1 + view)
        left, right = max(0, own % PITCH - 1 - view), min(size - 1, own % PITCH - 1 + view)
        row[_FOG * cells : (_FOG + 1) * cells] = 1
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            cell = y * size + x
            kind = s[BOARD + (y + 1) * PITCH + x + 1]
            if kind >= EXTRA_BOMB:
                row[(_POWERS + kind - EXTRA_BOMB) * cells + cell] = 1
            elif kind:
                row[(kind - 1) * cells + cell] = 1
            row[_FOG * cells + cell] = 0
    for number in range(s[FIRES]):
        place = s[FIRE + number]
        y, x = place // PITCH - 1, place % PITCH - 1
        if top <= y <= bottom and left <= x <= right:
            for life in range(3):
                lives = s[FLAME + place] >> life & 1
                row[(_FLAMES + life) * cells + y * size + x] = lives
    at = (_STANDING + players) * cells
    for number in range(s[BOMBS]):
        bomb = BOMB + 5 * number
        y, x = s[bomb + CELL] // PITCH - 1, s[bomb + CELL] % PITCH - 1
        if top <= y <= bottom and left <= x <= right:
            cell = at + y * size + x
            row[cell] = min(s[bomb + LIFE], cells)
            row[cell + cells] = min(s[bomb + BLAST], cells)
            row[cell + 2 * cells] = s[bomb + DIRECTION]
            owner = (s[bomb + OWNER] - seat) % players + 1
            row[cell + 3 * cells] = UNKNOWN if options[TEAMS] and owner > 1 else owner
    at += _BOMB_LAYERS * cells
    _see_agents(s, options, seat, (top, left, bottom, right), row, at)


@compiled
def _see_agents(
    s: Ints, options: Ints, seat: int, window: tuple[int, int, int, int], row: Bytes, at: int
) -> None:
    """Write the agents from an offset on; the window is the visible part."""
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    top, left, bottom, right = window
    for other in range(players):
        actor = (seat + other) % players
        start = AGENT + 5 * actor
        y, x = s[start + CELL] // PITCH - 1, s[start + CELL] % PITCH - 1
        is_seen = top <= y <= bottom and left <= x <= right
        if s[start + ALIVE] and is_seen:
            row[(_STANDING + other) * cells + y * size + x] = 1
        row[at] = y if is_seen else UNKNOWN
        row[at + 1] = x if is_seen else UNKNOWN
        row[at + 2] = s[start + ALIVE]
        row[at + 3] = UNKNOWN if other else min(s[start + AMMO], cells)
        row[at + 4] = UNKNOWN if other else min(s[start + STRENGTH], cells)
        row[at + 5] = UNKNOWN if other else s[start + KICKS]
        at += _STATS
    at += 1  # the step
    for other in range(players):
        row[at + other] = s[FALLEN] >> (seat + other) % players & 1


GIVEN, RANDOM, POLICY = range(3)
"""The movers of an agent: the caller, random moves, or the rollout policy (`fast.playouts`)."""

Returns = npt.NDArray[np.float64]

_STEP: Final = "step"

Flags = npt.NDArray[np.bool_]


class BoardBatch(Boards):
    """Boards of one game, each with its own random generator; without radio.

        batch = BoardBatch(Pommerman(), 1000, seed=1)
        while (running := batch.outcomes() == RUNNING).any():
            seen = batch.observe(0)
            moves = batch.choose([GIVEN, POLICY, POLICY, POLICY])
            moves[:, 0] = my_policy(seen["board"], seen["bombs"])
            batch.step(moves, running)

    `environments.vector` turns it into a Gymnasium vector environment.

    Args:
        game: The rulebook, without radio and ``rerun_ties``.
        count: The number of boards.
        seed: Board i has the seed ``seed + i``, independently of the batch.

    Raises:
        OptionError: The rulebook has radio or replays ties.
    """

    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "policy": POLICY}
    """The movers for the others, by name."""
    given: ClassVar[int] = GIVEN
    """The mover that stands for the caller."""

    def __init__(self, game: Pommerman, count: int, seed: int = 0) -> None:
        if game.has_radio or game.rerun_ties:
            raise OptionError(
                "the compiled rules know no words by radio and no game played again.",
                "Use mode team instead of radio, and leave rerun_ties off.",
            )
        super().__init__(count, seed)
        self.game = game
        self.states: Ints = np.zeros((count, LENGTH), dtype=np.int32)
        """int32[boards, `arrays.LENGTH`]: all positions; see `fast.arrays`."""
        self._encoder = PommermanEncoder(game)
        self.plays_on = True
        """Whether `play` finishes the games of agents that died."""
        self._options = pack_options(game)
        self._blank = blank_of(game)
        self._work: Ints = np.zeros(WORK_LENGTH + SCRATCH_LENGTH, dtype=np.int32)
        self.lay_out()

    def begin(self, seats: Ints, movers: Ints, boards: Flags | None = None) -> None:
        """Start new games; all seats act at once.

        Args:
            seats: int32[boards]: the caller's seats.
            movers: int32[boards, seats]: the movers of the others.
            boards: bool[boards]: the boards to use; by default all.
        """
        self.lay_out(boards)

    def lay_out(self, boards: Flags | None = None) -> None:
        """Start new games.

        Args:
            boards: bool[boards]: the boards to use; by default all.
        """
        lay_out_all(self.states, self._chosen(boards), self._blank, self._work, self._rngs)

    def choose(self, movers: Sequence[int] | Ints) -> Ints:
        """Choose the moves of all agents that the caller does not move.

        Args:
            movers: `GIVEN`, `RANDOM` or `POLICY` for each seat, or int32[boards, seats].

        Returns:
            int32[boards, seats]: 0 to 5; 0 for the caller's and dead agents.
        """
        moves: Ints = np.zeros((len(self), SEATS), dtype=np.int32)
        wanted: Ints = np.zeros((len(self), SEATS), dtype=np.int32)
        wanted[:, : self.game.seats] = movers
        choose_all(self.states, self._options, wanted, self._work, self._rngs, moves)
        return moves[:, : self.game.seats]

    def step(self, moves: npt.NDArray[np.integer], boards: Flags | None = None) -> None:
        """Play a step.

        Args:
            moves: int[boards, seats]: 0 to 5; those of the dead are ignored.
            boards: bool[boards]: the boards to use; by default all.

        Raises:
            IllegalActionError: The number of moves is wrong, or a move is invalid.
        """
        given = self._checked(moves)
        step_all(self.states, given, self._chosen(boards), self._options, self._work)

    def _checked(self, moves: npt.NDArray[np.integer]) -> Ints:
        shape = (len(self), self.game.seats)
        if moves.shape != shape or moves.dtype.kind not in "iu":
            raise IllegalActionError(
                f"moves are whole numbers of shape {shape}, not {moves.dtype} of {moves.shape}."
            )
        if moves.min() < 0 or moves.max() >= len(MOVE_NAMES):
            raise IllegalActionError("a move is not a number from 0 to 5.")
        given: Ints = np.zeros((len(self), SEATS), dtype=np.int32)
        given[:, : self.game.seats] = moves
        return given

    def play_on(self, movers: Sequence[int] | Ints, boards: Flags) -> None:
        """Play games to the end without the caller; its agents stand still.

        Args:
            movers: As for `choose`.
            boards: bool[boards]: on which boards.
        """
        wanted: Ints = np.zeros((len(self), SEATS), dtype=np.int32)
        wanted[:, : self.game.seats] = movers
        play_on_all(self.states, boards, self._options, wanted, self._work, self._rngs)

    def play(
        self,
        seats: Ints,
        actions: npt.NDArray[np.integer],
        movers: Ints,
        boards: Flags | None = None,
    ) -> None:
        """Play a step with the caller's action for one seat of each board.

        If its agent dies but the result is still open, because of a teammate or in a duel, the
        others play on to the end, unless `plays_on` is off.

        Args:
            seats: int32[boards]: the caller's seats.
            actions: int[boards]: their moves, 0 to 5.
            movers: int32[boards, seats]: the movers of the others, see `choose`.
            boards: bool[boards]: the boards to use; by default all.

        Raises:
            IllegalActionError: A move is invalid.
        """
        moves, everyone = self.choose(movers), np.arange(len(self))
        moves[everyone, seats] = actions
        self.step(moves, boards)
        if self.plays_on and (self.game.is_team or self.game.seats == 2):
            dead = self._chosen(boards) & ~self.living(seats)
            if dead.any():
                self.play_on(movers, dead)

    def masks(self, seats: Ints) -> Flags:
        """The mask of legal moves for one seat of each board: bool[boards, 6], all True."""
        return np.ones((len(self), len(MOVE_NAMES)), dtype=np.bool_)

    def results(self, seats: Ints) -> tuple[Returns, Flags]:
        """The return of one seat of each board, and whether it is final.

        Args:
            seats: int32[boards].

        Returns:
            float64[boards] and bool[boards].
        """
        everyone, found = np.arange(len(self)), self.outcomes()
        returns = self.returns()[everyone, seats]
        over = found != RUNNING
        if not self.game.is_team and self.game.seats > 2:
            lost = ~over & ~self.living(seats)
            returns[lost] = -1.0
            over |= lost
        return returns, over

    def outcomes(self) -> Ints:
        """The outcome of each game: int32[boards], see `fast.step.outcome`."""
        found: Ints = np.zeros(len(self), dtype=np.int32)
        outcomes_of(self.states, self._options, found)
        return found

    def alive(self) -> Flags:
        """bool[boards, seats]: the living agents."""
        alive = self.states[:, AGENT + ALIVE : AGENT + 5 * self.game.seats : 5]
        return alive.astype(np.bool_)

    def living(self, seats: Ints) -> Flags:
        """Whether the agent of one seat of each board is alive: bool[boards]."""
        flags: Flags = self.alive()[np.arange(len(self)), seats]
        return flags

    def returns(self) -> Returns:
        """float64[boards, seats]: the final returns; 0 in running games."""
        found = self.outcomes()[:, None]
        won = found >> np.arange(self.game.seats) & 1
        final = np.where(won == 1, 1.0, -1.0)
        return np.where((found == RUNNING) | (found == EVEN), 0.0, final)

    def observe(self, seats: int | Ints) -> Arrays:
        """The observation of one seat of each board.

        Args:
            seats: The seat, the same on all boards, or int[boards].

        Returns:
            New arrays with the names and types of `PommermanEncoder`'s fields; the first axis is
            the board.
        """
        rows, steps = self._rows(seats)
        types = {field.name: field.dtype for field in self._encoder.fields}
        return split_row(self._encoder.fields, rows) | {_STEP: steps.astype(types[_STEP])}

    def flat(self, seats: int | Ints) -> npt.NDArray[np.float32]:
        """One seat's observation of each board as float32[boards, numbers]; see `Encoder.flat`."""
        rows, steps = self._rows(seats)
        flat = rows.astype(np.float32)
        flat[:, self._step_at] = steps
        return flat

    @property
    def _step_at(self) -> int:
        names = [field.name for field in self._encoder.fields]
        return sum(field.size for field in self._encoder.fields[: names.index(_STEP)])

    def _rows(self, seats: int | Ints) -> tuple[Bytes, Ints]:
        width = sum(field.size for field in self._encoder.fields)
        rows: Bytes = np.empty((len(self), width), dtype=np.int8)
        steps: Ints = np.empty(len(self), dtype=np.int32)
        eyes: Ints = np.full(len(self), seats, dtype=np.int32)
        observe_all(self.states, self._options, eyes, self.game.view, rows, steps)
        return rows, steps

    def state(self, board: int) -> PommermanState:
        """The position on a board as a `PommermanState`."""
        return unpack(self.game, self.states[board])

    def set_state(self, board: int, state: PommermanState) -> None:
        """Set the position on a board.

        Raises:
            ValueError: The state is redacted, or not laid out.
        """
        copy_state(self.states[board], pack(self.game, state))


@compiled
def lay_out_all(states: Ints, chosen: Flags, blank: Blank, work: Ints, rngs: Seeds) -> None:
    """Generate new boards in ``chosen``, each with its own generator."""
    for number in range(len(states)):
        if chosen[number]:
            # Drawing shuffles the pairs, so they are reset to keep boards independent.
            fresh = Blank(blank.state, blank.pairs.copy(), blank.counts)
            draw_board(states[number], fresh, work, rngs[number])


@compiled
def choose_all(
    states: Ints, options: Ints, movers: Ints, work: Ints, rngs: Seeds, moves: Ints
) -> None:
    """Write the moves of the living agents moved at random or by the policy."""
    for number in range(len(states)):
        _choose(states[number], options, movers[number], work, rngs[number], moves[number])


@compiled
def _choose(s: Ints, options: Ints, movers: Ints, work: Ints, rng: Seeds, moves: Ints) -> None:
    scratch = work[WORK_LENGTH:]
    is_surveyed = False
    for seat in range(SEATS):
        if not s[AGENT + 5 * seat + ALIVE]:
            continue
        if movers[seat] == RANDOM:
            moves[seat] = draw(rng, 6)
        elif movers[seat] == POLICY:
            if not is_surveyed:
                survey(s, scratch)
                is_surveyed = True
            moves[seat] = decide(s, options, scratch, rng, seat, KEEN)


@compiled
def step_all(states: Ints, moves: Ints, chosen: Flags, options: Ints, work: Ints) -> None:
    """Play a step on the boards in ``chosen``."""
    for number in range(len(states)):
        if chosen[number]:
            play_step(states[number], moves[number], options, work[:WORK_LENGTH])


@compiled
def play_on_all(
    states: Ints, chosen: Flags, options: Ints, movers: Ints, work: Ints, rngs: Seeds
) -> None:
    """Play to the end on the boards in ``chosen``."""
    moves = np.zeros(SEATS, dtype=np.int32)
    for number in range(len(states)):
        while chosen[number] and outcome(states[number], options) == RUNNING:
            moves[:] = 0
            _choose(states[number], options, movers[number], work, rngs[number], moves)
            play_step(states[number], moves, options, work[:WORK_LENGTH])


@compiled
def outcomes_of(states: Ints, options: Ints, found: Ints) -> None:
    """The outcome of each game."""
    for number in range(len(states)):
        found[number] = outcome(states[number], options)
