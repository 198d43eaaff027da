"""Batches of Pommerman boards without Python loops over boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import (
    RANDOM,
    TurnBatch,
    make_loop,
)
from boardgames_cli.algorithms.fast.jit import Flags, draw
from boardgames_cli.core.encoder import Arrays, split_row
from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.pommerman.board import EXTRA_BOMB, POWERS, UNKNOWN
from boardgames_cli.games.pommerman.fast import Ints, Seeds, compiled
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
    LIFE,
    OWNER,
    PITCH,
    PLAYERS,
    SEATS,
    SIZE,
    STEP,
    STRENGTH,
    TEAMS,
    pack,
    pack_options,
    unpack,
)
from boardgames_cli.games.pommerman.fast.layout import Blank, blank_of, draw_board
from boardgames_cli.games.pommerman.fast.playouts import KEEN, SCRATCH_LENGTH, decide, survey
from boardgames_cli.games.pommerman.fast.step import EVEN, RUNNING, WORK_LENGTH, outcome, play_step
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState

POLICY: Final = 2
"""The mover of the rollout policy (`fast.playouts`)."""

_POWERS: Final = 2
"""The layer of the first kind of power-up, after walls and wood."""
_FLAMES: Final = 5
_FOG: Final = 8
_STANDING: Final = 9
"""The layer of the first agent, followed by the others."""
_STATS: Final = 6
_BOMB_LAYERS: Final = 4
_LAYER: Final = np.array([
    _POWERS + kind - EXTRA_BOMB if kind in POWERS else max(0, kind - 1)
    for kind in range(max(POWERS) + 1)
])  # fmt: skip
"""The layer of what is on a cell."""
_STEP: Final = "step"

Row = npt.NDArray[Any]


class BoardSetup(NamedTuple):
    """What the compiled rules know of a game."""

    options: Ints
    radius: int
    """The radius of view in the fog of the team modes."""
    blank: Blank
    plays_on: bool
    """Whether `BoardBatch.play` finishes the games of agents that died."""
    moves: Ints
    work: Ints
    """int32[`WORK_LENGTH`], as the next one not kept between steps."""
    scratch: Ints


@compiled
def _observe(s: Ints, seat: int, setup: BoardSetup, row: Row) -> None:
    options, view = setup.options, setup.radius
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    own = s[AGENT + 5 * seat + CELL]
    top, left, bottom, right = 0, 0, size - 1, size - 1
    if options[TEAMS]:
        top, bottom = max(0, own // PITCH - 1 - view), min(size - 1, own // PITCH - 1 + view)
        left, right = max(0, own % PITCH - 1 - view), min(size - 1, own % PITCH - 1 + view)
        row[_FOG * cells : (_FOG + 1) * cells] = 1
        for y in range(top, bottom + 1):
            row[_FOG * cells + y * size + left : _FOG * cells + y * size + right + 1] = 0
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            kind = s[BOARD + (y + 1) * PITCH + x + 1]
            # Without branches, which nobody could predict: ground is a 0 in the first layer, and
            # unsigned numbers never count from the end.
            layer = np.uint32(_LAYER[np.uint32(kind)])
            row[layer * np.uint32(cells) + np.uint32(y * size + x)] = kind > 0
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
    s: Ints, options: Ints, seat: int, window: tuple[int, int, int, int], row: Row, at: int
) -> None:
    size, players = options[SIZE], options[PLAYERS]
    cells = size * size
    top, left, bottom, right = window
    row[at + _STATS * players] = s[STEP]
    for other in range(players):
        actor = seat + other - players * (seat + other >= players)
        start = AGENT + 5 * actor
        y, x = s[start + CELL] // PITCH - 1, s[start + CELL] % PITCH - 1
        is_seen = top <= y <= bottom and left <= x <= right
        if s[start + ALIVE] and is_seen:
            row[(_STANDING + other) * cells + y * size + x] = 1
        about = at + _STATS * other
        row[about] = y if is_seen else UNKNOWN
        row[about + 1] = x if is_seen else UNKNOWN
        row[about + 2] = s[start + ALIVE]
        row[about + 3] = UNKNOWN if other else min(s[start + AMMO], cells)
        row[about + 4] = UNKNOWN if other else min(s[start + STRENGTH], cells)
        row[about + 5] = UNKNOWN if other else s[start + KICKS]
        row[at + _STATS * players + 1 + other] = s[FALLEN] >> actor & 1


@compiled.inline
def _choose(s: Ints, movers: Ints, setup: BoardSetup, rng: Seeds, moves: Ints) -> None:
    is_surveyed = False
    for seat in range(setup.options[PLAYERS]):
        moves[seat] = 0
        if not s[AGENT + 5 * seat + ALIVE]:
            continue
        if movers[seat] == RANDOM:
            moves[seat] = draw(rng, 6)
        elif movers[seat] == POLICY:
            if not is_surveyed:
                survey(s, setup.scratch)
                is_surveyed = True
            moves[seat] = decide(s, setup.options, setup.scratch, rng, seat, KEEN)


@compiled.inline
def _begin(s: Ints, _: Ints, _seat: int, _movers: Ints, setup: BoardSetup, rng: Seeds) -> None:
    draw_board(s, setup.blank, setup.work, rng)


@compiled.inline
def _play(s: Ints, seat: int, move: int, movers: Ints, setup: BoardSetup, rng: Seeds) -> None:
    is_first = True
    while is_first or (
        setup.plays_on and not s[AGENT + 5 * seat + ALIVE] and outcome(s, setup.options) == RUNNING
    ):
        _choose(s, movers, setup, rng, setup.moves)
        if is_first:
            setup.moves[seat] = move
            is_first = False
        play_step(s, setup.moves, setup.options, setup.work)


@compiled.inline
def _mask(_s: Ints, _seat: int, _: BoardSetup, flags: Flags) -> None:
    for move in range(len(flags)):
        flags[move] = True


@compiled
def _result(s: Ints, seat: int, setup: BoardSetup) -> tuple[float, bool]:
    options, found = setup.options, outcome(s, setup.options)
    if found == RUNNING:
        is_out = not (s[AGENT + 5 * seat + ALIVE] or options[TEAMS] or options[PLAYERS] < SEATS)
        return -1.0 if is_out else 0.0, is_out
    if found == EVEN:
        return 0.0, True
    return 1.0 if found >> seat & 1 else -1.0, True


class BoardBatch(TurnBatch[Pommerman, PommermanState]):
    """Boards of Pommerman without radio; see `TurnBatch`.

    If the agent of the caller's seat dies in `play` but its result is still open, because of a
    teammate or in a duel, the others play on to the end, unless `leave_when_out` was called.

    Raises:
        OptionError: The rulebook has radio or replays ties.
    """

    loop = staticmethod(
        make_loop(compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe)
    )
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "policy": POLICY}
    can_be_out = True

    def __init__(self, game: Pommerman, count: int, seed: int = 0) -> None:
        if game.has_radio or game.rerun_ties:
            raise OptionError(
                "the compiled rules know no words by radio and no game played again.",
                "Use mode team instead of radio, and leave rerun_ties off.",
            )
        super().__init__(game, count, seed)
        # The step alone needs more than a byte, and memory is what takes the time.
        self.row_type = "int8"

    def read_options(self) -> BoardSetup:
        game, memory = self.game, np.zeros(SEATS + WORK_LENGTH + SCRATCH_LENGTH, dtype=np.int32)
        moves, work, scratch = np.split(memory, (SEATS, SEATS + WORK_LENGTH))
        plays_on = game.is_team or game.seats == 2
        return BoardSetup(
            pack_options(game), game.view, blank_of(game), plays_on, moves, work, scratch
        )

    def start(self) -> Ints:
        state: Ints = self.options.blank.state
        return state

    def leave_when_out(self) -> None:
        self.options = self.options._replace(plays_on=False)

    def living(self, seats: Ints) -> Flags:
        flags: Flags = self.states[np.arange(len(self)), AGENT + ALIVE + 5 * seats] != 0
        return flags

    def split(self, rows: Row) -> Arrays:
        (dtype,) = [field.dtype for field in self._fields if field.name == _STEP]
        return split_row(self._fields, rows) | {_STEP: self.states[:, STEP].astype(dtype)}

    def pack(self, state: PommermanState) -> Ints:
        """See `fast.arrays`.

        Raises:
            ValueError: The state is redacted, or not laid out.
        """
        return pack(self.game, state)

    def unpack(self, numbers: Sequence[int]) -> PommermanState:
        return unpack(self.game, np.asarray(numbers))
