"""The compiled solver of Senet's endings: value iteration, part by part, on all cores.

A position has one number, the winning probability of the player about to throw in units of 2^-32.
It is updated from the numbers of its successors in whole-number arithmetic, and new numbers are
used immediately (Gauss-Seidel). A position is solved jointly with its mirror image, in which the
other player is about to throw: near the end the turn often alternates between these two, because
nobody can move. Any numbers will do to start from, so that interrupted work is simply continued.

A group of parts is finished once no number changes by more than `CLOSE` in a complete sweep. The
largest change falls by a third or more from sweep to sweep, with Skyruk's rules and four dancers by
a fifth (measured), so that what all further sweeps would change is at most a few times as much;
`SLOWEST` allows for a tenth.
"""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, ClassVar, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.agents.remote.process_pool import core_count
from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.codec.position import is_whole
from boardgames_cli.games.senet.actions import FALLS
from boardgames_cli.games.senet.ending_tables import Part, TableLayout
from boardgames_cli.games.senet.fast import compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.playouts import Masks, count_of
from boardgames_cli.games.senet.fast.ranking import (
    Starts,
    closed_in,
    masks_of,
    number_of,
    spread,
    starts_of,
)
from boardgames_cli.games.senet.rules import Senet

Values: TypeAlias = npt.NDArray[np.uint32]

CERTAIN: Final = (1 << 32) - 1
"""The number of a certain win."""

_FALLS: Final = np.array((0, *FALLS), dtype=np.int64)


@compiled
def sweep(
    values: Values,
    starts: Starts,
    part: tuple[int, int],
    owns: Masks,
    opponents: Masks,
    rows: tuple[int, int],
    rules: int,
    changes: Masks,
    close: int,
) -> None:
    """Update some positions once, most advanced dancers first.

    Each position is updated together with its mirror image.

    Args:
        values: uint32[positions], in the order of the table.
        starts: From `ranking.starts_of`.
        part: The numbers of dancers of both sides.
        owns: All masks of the player about to throw, without closed houses.
        opponents: All masks of the other player, also without the houses of the one to throw.
        rows: The half-open range of ``owns``.
        rules: The rule set, see `moves`.
        changes: int64[owns]: the largest change in each row, here and in the last sweep.
        close: Rows with no larger change in the last sweep are left out.
    """
    closed = closed_in(rules)
    first = starts[part[0], part[1]]
    for row in range(rows[1] - 1, rows[0] - 1, -1):
        if changes[row] <= close:
            continue
        own = spread(owns[row], closed)
        at = first + (row + 1) * len(opponents)
        largest = 0
        for column in range(len(opponents) - 1, -1, -1):
            at -= 1
            opponent = spread(opponents[column], closed | own)
            largest = max(largest, update(own, opponent, at, rules, values, starts))
        changes[row] = largest


@compiled
def update(own: int, opponent: int, at: int, rules: int, values: Values, starts: Starts) -> int:
    """Solve a position and its mirror image, given their successors.

    Args:
        own: The houses of the player about to throw.
        opponent: The houses of the other player.
        at: The index of the position.
        rules: The rule set, see `moves`.
        values: As for `sweep`.
        starts: From `ranking.starts_of`.

    Returns:
        The larger change; 0 if this position is updated with its mirror image, which has as many
        dancers on either side.
    """
    if opponent > own and count_of(opponent) == count_of(own):
        return 0
    mirror = number_of(opponent, own, rules, starts)
    moving, passes = _by_moving(own, opponent, rules, values, starts)
    opponent_moving, opponent_passes = _by_moving(opponent, own, rules, values, starts)
    # 16 x = moving + passes * (1 - y) and
    # 16 y = opponent_moving + opponent_passes * (1 - x), solved for x.
    numerator = 16 * (moving + passes * CERTAIN)
    numerator -= passes * (opponent_moving + opponent_passes * CERTAIN)
    denominator = 256 - passes * opponent_passes
    value = (numerator + denominator // 2) // denominator
    opponent_value = (opponent_moving + opponent_passes * (CERTAIN - value) + 8) // 16
    change = abs(value - np.int64(values[at]))
    opponent_change = abs(opponent_value - np.int64(values[mirror]))
    values[at], values[mirror] = value, opponent_value
    return max(change, opponent_change)  # type: ignore[return-value]


@compiled
def _by_moving(
    own: int, opponent: int, rules: int, values: Values, starts: Starts
) -> tuple[int, int]:
    """16 times the contribution of throws with a move, and the falls that lead to a pass."""
    total = passes = 0
    for steps in range(1, 6):
        moving = movers(own, opponent, steps, rules)
        if moving:
            total += _FALLS[steps] * _best_move(own, opponent, steps, moving, rules, values, starts)
        else:
            passes += _FALLS[steps]
    return total, passes


@compiled
def _best_move(
    own: int, opponent: int, steps: int, moving: int, rules: int, values: Values, starts: Starts
) -> int:
    """The value after the best move of the dancers in ``moving``."""
    best: Any = 0
    backward, dancers = moving & BACKWARD, moving & BOARD
    while dancers:
        start = dancers & -dancers
        dancers ^= start
        end = end_of(own, opponent, start, steps, backward, rules)
        own_after, opponent_after = play(own, opponent, start, end)
        if not own_after:
            return CERTAIN
        if throws_again(steps, end, rules):
            value = np.int64(values[number_of(own_after, opponent_after, rules, starts)])
        else:
            value = CERTAIN - np.int64(values[number_of(opponent_after, own_after, rules, starts)])
        best = max(best, value)
    return best  # type: ignore[no-any-return]


CLOSE: Final = 8
"""The largest change of a number in the last sweep, 2e-9 as a probability."""
SLOWEST: Final = 10.0
"""What all further sweeps would change, as a multiple of the change in the last one."""

DUE: Final = CERTAIN
"""The change of a row that must be updated."""
_USUAL_SWEEPS: Final = 45
"""The typical number of sweeps of a group of parts."""
_ALMOST: Final = 0.99
_PROBED: Final = 0.2
"""Seconds for measuring the speed."""
_CHUNK: Final = 1 << 20

_KEY: Final = "boardgames_endings_work"


class SenetSolver:
    """Computes the winning probability of every position with few dancers per side.

    Args:
        game: The rulebook.
        up_to: The maximum number of dancers per side.
        workers: The number of threads; by default one per core.
    """

    moment: ClassVar = 200_000
    """Positions per thread and call of `work`, about a tenth of a second."""
    close: ClassVar = CLOSE
    """A group is finished once no number changes by more in a complete sweep."""

    def __init__(self, game: Senet, up_to: int, workers: int | None = None) -> None:
        self._game = game
        self._layout = TableLayout(game.rules, up_to)
        self._rules = RULES[game.rules]
        self._starts = starts_of(self._layout)
        self._groups = _groups(self._layout)
        self._values = self.first_values(self._layout.size)
        self.total = self._layout.size
        self.workers = workers or core_count()
        self._pool = ThreadPoolExecutor(self.workers, "senet-solver")
        self._changes: Any
        self._row: int  # the rows before it are left in this sweep
        self._begin(0)

    @property
    def is_finished(self) -> bool:
        """Whether the values of all positions have converged."""
        return self._group == len(self._groups)

    @property
    def stage(self) -> str:
        """The numbers of dancers, and the largest change in the last sweep."""
        if self.is_finished:
            return "done"
        part = self._groups[self._group][0]
        change = self._change / CERTAIN
        return f"{part.own} against {part.opponent}, sweep {self._sweeps + 1}, change {change:.1e}"

    @property
    def done(self) -> int:
        """The work done so far, in positions."""
        if self.is_finished:
            return self.total
        parts = self._groups[self._group]
        share = min(_ALMOST, self._sweeps / _USUAL_SWEEPS)
        return parts[0].start + round(share * sum(part.size for part in parts))

    @property
    def memory(self) -> int:
        """The size of its arrays, in bytes."""
        return self._values.nbytes

    def seconds(self) -> float:
        """An estimate of the time for the rest of the work, by the speed in the largest part."""
        part = self._layout.parts[-1]
        owns, opponents = self.masks(part)
        changes = np.full(len(owns), DUE, dtype=np.int64)
        row = len(owns) // 2  # with its mirror images, half of the opponents are updated
        self.sweep(part, (row, row + 1), changes)  # compiles
        rows, began = 0, time.thread_time()
        while rows < row and time.thread_time() - began < _PROBED:
            self.sweep(part, (row - rows - 1, row - rows), changes)
            rows += 1
        pace = (time.thread_time() - began) / max(1, rows * len(opponents))
        return (self.total - self.done) * _USUAL_SWEEPS * pace / self.workers

    def work(self) -> None:
        """Sweep over some positions; a group is done when a complete sweep changes little."""
        part = self._groups[self._group][0]  # the other part holds the mirror images
        step = max(1, self.moment // self._layout.columns(part))
        last = self._row
        blocks = [
            (max(0, row - step), row)
            for row in range(last, max(0, last - step * self.workers), -step)
        ]
        for _ in self._pool.map(lambda rows: self.sweep(part, rows, self._changes), blocks):
            pass
        self._row = blocks[-1][0]
        if self._row == 0:
            self._end_sweep()

    def sweep(self, part: Part, rows: tuple[int, int], changes: Masks) -> None:
        """Update some rows of a part once; see the function `sweep`."""
        owns, opponents = self.masks(part)
        sweep(
            self._values,
            self._starts,
            (part.own, part.opponent),
            owns,
            opponents,
            rows,
            self._rules,
            changes,
            self.close,
        )

    def first_values(self, size: int) -> Values:
        """uint32[positions]: any numbers to start from."""
        return np.full(size, CERTAIN // 2, dtype=np.uint32)

    def changes_due(self, part: Part) -> Any:
        """int64[rows]: the changes of all rows of a part, each of which must be updated."""
        return np.full(len(self.masks(part)[0]), DUE, dtype=np.int64)

    def masks(self, part: Part) -> tuple[Masks, Masks]:
        """The masks of both sides of a part, as for the function `sweep`."""
        houses = self._layout.houses
        return masks_of(houses, part.own), masks_of(houses - part.own, part.opponent)

    def _end_sweep(self) -> None:
        self._sweeps += 1
        self._change = int(self._changes.max())
        self._row = len(self._changes)
        if self._change > self.close:
            self._is_complete = False
        elif self._is_complete:
            self._begin(self._group + 1)
        else:
            # Rows at rest may move again with their successors, so all are tried once more.
            self._changes[:] = DUE
            self._is_complete = True

    def _begin(self, group: int) -> None:
        self._group, self._sweeps, self._change = group, 0, DUE
        self._is_complete = True
        self._changes = () if self.is_finished else self.changes_due(self._groups[group][0])
        self._row = len(self._changes)

    def values(self) -> Values:
        """uint32[positions]: the current values, with `CERTAIN` for a certain win."""
        return self._values

    def table(self) -> EndingsTable:
        """The table of the values; replaces them, so that the solver can't be used any more.

        Returns:
            Its numbers are a memoryview of format H.
        """
        assert self.is_finished
        unit = CERTAIN // SCALE
        numbers = self._values.view(np.uint16)[: self.total]
        # In place: a number lies before all values that are yet to be read.
        for start in range(0, self.total, _CHUNK):
            part = self._values[start : start + _CHUNK].astype(np.int64)
            numbers[start : start + _CHUNK] = (part + unit // 2) // unit
        return self.table_of(numbers)

    def table_of(self, numbers: npt.NDArray[np.uint16]) -> EndingsTable:
        """The table of numbers, rounded to 16 bits, with the error of this solver."""
        error = len(self._groups) * SLOWEST * self.close / CERTAIN
        info = self._game.info
        return EndingsTable(
            info.id, info.rules_version, self._game.rules, self._layout.up_to, error, numbers.data
        )

    def save(self) -> tuple[bytes, memoryview]:
        """The current values as the content of a file."""
        reached = self._groups[min(self._group, len(self._groups) - 1)][-1]
        data = self._values[: reached.start + reached.size].data.cast("B")
        progress = {"group": self._group, "sweeps": self._sweeps}
        header = self._identity() | progress | {"sha256": _digest(data)}
        return json.dumps(header).encode() + b"\n", data

    def restore(self, file: BinaryIO) -> bool:
        """Resume saved values; False if they are damaged or for another table."""
        try:
            header = json.loads(file.readline(_CHUNK))
        except ValueError:
            return False
        if not isinstance(header, dict):
            return False
        group, digest = header.pop("group", None), header.pop("sha256", None)
        sweeps = header.pop("sweeps", 0)
        if header != self._identity() or not is_whole(group) or not is_whole(sweeps):
            return False
        if not 0 <= group < len(self._groups) or sweeps < 0:
            return False
        reached = self._groups[group][-1]
        data = self._values[: reached.start + reached.size].data.cast("B")
        if file.readinto(data) != len(data) or file.read(1) or _digest(data) != digest:  # type: ignore[attr-defined]
            return False
        self._begin(group)
        self._sweeps = sweeps
        return True

    def _identity(self) -> dict[str, Any]:
        info = self._game.info
        return {
            _KEY: 2,
            "game": info.id,
            "rules_version": info.rules_version,
            "rules": self._game.rules,
            "up_to": self._layout.up_to,
        }


def _groups(layout: TableLayout) -> list[list[Part]]:
    """The parts grouped with their mirror images, which depend on each other."""
    groups: dict[frozenset[int], list[Part]] = {}
    for part in layout.parts:
        groups.setdefault(frozenset({part.own, part.opponent}), []).append(part)
    return list(groups.values())


def _digest(data: memoryview) -> str:
    return hashlib.sha256(data).hexdigest()
