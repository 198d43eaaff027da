"""Solves Senet's endings on all cores, and makes the rounded tables that come with the program.

A table for up to three dancers a side takes minutes, with four it takes hours: 1.8 or 2.4 GB of
memory, and files of 0.9 or 1.2 GB. Ctrl+C keeps the work done, and the same command continues::

    python lab/senet_solver.py --rules kendall
    python lab/senet_solver.py --rules kendall --rounded boardgames_cli/games/senet/data

Without ``--out`` the table is where agents and reviews look for one. ``--rounded`` writes into a
folder what the bundled table of two dancers a side lacks, with 8 bits a position. Five dancers take
a GPU: `senet_full_game.py`.

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

import functools
import hashlib
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main

from boardgames_cli.agents.remote.process_pool import core_count
from boardgames_cli.algorithms.endings import ROUNDING, SCALE, EndingsTable, ordered, parse_table
from boardgames_cli.algorithms.fast.jit import Compiler
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import long_work
from boardgames_cli.codec.derived import object_codec
from boardgames_cli.codec.fields import is_whole
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import percent
from boardgames_cli.games.senet.actions import FALLS
from boardgames_cli.games.senet.ending_tables import (
    BUNDLED,
    ENDINGS,
    LEVELS,
    ROUNDED_ERROR,
    ROUNDED_UP_TO,
    Part,
    TableLayout,
)
from boardgames_cli.games.senet.fast import moves
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    Masks,
    count_of,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.search import Starts, closed_in, number_of, starts_of
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.files import remove_leftovers, replace_file

MOST: Final = 4
"""The maximum number of dancers a side; with five a table has 17 or 25 GB."""
UNFINISHED: Final = ".unfinished"

_USUAL_SWEEPS: Final = 45
"""The typical number of sweeps of a group of parts."""
_ALMOST: Final = 0.99
_PROBED: Final = 0.2
"""Seconds for measuring the speed."""
_CHUNK: Final = 1 << 20
_LINE: Final = 64
"""The rounded values start at a multiple of it."""

_KEY: Final = "boardgames_endings_work"
_SAVE_EVERY: Final = 120.0
_SAVE_EVERY_GB: Final = 60.0
"""The interval in seconds at which the work, which is large, is saved; for each GB, if longer."""
_LONG: Final = 60.0
"""Seconds of work from which on an estimate is given."""
_POINTS: Final = 20
"""The number of progress lines without a bar."""

compiled = Compiler(Path(moves.__file__).parent, Path(__file__))


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
        starts: From `search.starts_of`.
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
        starts: From `search.starts_of`.

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


@compiled
def spread(mask: int, closed: int) -> int:
    """Expand a mask that counts only the houses that are not closed."""
    while closed:
        lowest = closed & -closed
        low = mask & (lowest - 1)
        mask = low | ((mask ^ low) << 1)
        closed ^= lowest
    return mask


@functools.lru_cache(maxsize=8)
def masks_of(houses: int, dancers: int) -> Masks:
    """All masks with a number of dancers on consecutive houses, by rank."""
    chosen = combinations(range(houses), dancers)
    return np.array(sorted(sum(1 << house for house in one) for one in chosen), dtype=np.int64)


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
        self._groups = groups_of(self._layout)
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
        return masks_of_part(self._layout, part)

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
        numbers = self._values.view(np.uint16)[: self.total]
        # In place: a number lies before all values that are yet to be read.
        for start in range(0, self.total, _CHUNK):
            numbers[start : start + _CHUNK] = rounded(self._values[start : start + _CHUNK])
        return self.table_of(numbers)

    def table_of(self, numbers: npt.NDArray[np.uint16]) -> EndingsTable:
        """The table of numbers that this solver found."""
        return table_with(self._game, self._layout, numbers, self.close)

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


def groups_of(layout: TableLayout) -> list[list[Part]]:
    """The parts grouped with their mirror images, which are solved with the first of a group."""
    groups: dict[frozenset[int], list[Part]] = {}
    for part in layout.parts:
        groups.setdefault(frozenset({part.own, part.opponent}), []).append(part)
    return list(groups.values())


def masks_of_part(layout: TableLayout, part: Part) -> tuple[Masks, Masks]:
    """The masks of both sides of a part, as for `sweep`."""
    return masks_of(layout.houses, part.own), masks_of(layout.houses - part.own, part.opponent)


def rounded(values: Values) -> npt.NDArray[np.uint16]:
    """Values as the numbers of a table."""
    unit = CERTAIN // SCALE
    return ((values.astype(np.int64) + unit // 2) // unit).astype(np.uint16)


def table_with(
    game: Senet, layout: TableLayout, numbers: npt.NDArray[np.uint16], close: int
) -> EndingsTable:
    """The table of numbers that were solved until a sweep changed none by more than ``close``."""
    error = len(groups_of(layout)) * SLOWEST * close / CERTAIN
    info = game.info
    return EndingsTable(info.id, info.rules_version, game.rules, layout.up_to, error, numbers.data)


def _digest(data: bytes | memoryview) -> str:
    return hashlib.sha256(data).hexdigest()


def content_of(table: EndingsTable) -> tuple[bytes, memoryview]:
    """The content of the table's file: its first line, and the numbers."""
    data = ordered(table.numbers.cast("B"))
    header = {
        "boardgames_endings": 1,
        **object_codec(EndingsTable, "numbers").write(table),
        "positions": len(table.numbers),
        "sha256": _digest(data),
    }
    line = json.dumps(header).encode()
    # The numbers start at an aligned offset, so that compiled code can read them in place.
    return line.ljust(-(-(len(line) + 1) // _LINE) * _LINE - 1) + b"\n", data


def solve_unless_there(make: Callable[[], SenetSolver], path: Path) -> None:
    """Solve into a file, unless there is one already.

    Raises:
        SystemExit: The work was stopped.
    """
    if path.exists():
        print(f"{path} is there already; to solve it anew, remove it.")
    elif code := solve_into(make(), path):
        raise SystemExit(code)


def solve_into(solver: SenetSolver, path: Path) -> int:
    """Solve to the end, or until a signal arrives; return the exit code.

    Work that was stopped is kept in a file beside the table's, and continued.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent)
    unfinished = path.with_name(path.name + UNFINISHED)
    _resume(solver, unfinished)
    seconds = solver.seconds()
    if seconds >= _LONG:
        notify(
            f"{solver.total:,} positions: about {seconds / 60:,.0f} minutes with {solver.workers} "
            f"threads, {solver.memory / 1e9:.2f} GB of memory, and a file of "
            f"{solver.total * 2 / 1e9:.2f} GB. Ctrl+C keeps the work done."
        )
    started = saved = time.monotonic()
    before, step = solver.done, max(1, solver.total // _POINTS)
    interval = max(_SAVE_EVERY, _SAVE_EVERY_GB * solver.memory / 1e9)
    with long_work(False) as work:
        while not solver.is_finished:
            solver.work()
            now = time.monotonic()
            rate = (solver.done - before) / (now - started)
            line = f"{solver.done // step * step:,} positions done; {solver.stage}"
            work.report(Progress(solver.done, solver.total, "positions", rate, solver.stage, line))
            if now - saved > interval:
                _save(unfinished, solver.save())
                saved = now
    if work.stop is not None:
        _save(unfinished, solver.save())
        notify("Stopped. To continue, repeat the command.")
        return work.stop.exit_code
    table = solver.table()
    _save(path, content_of(table))
    unfinished.unlink(missing_ok=True)
    print(f"{path}: {len(table.numbers):,} positions, off by at most {table.error + ROUNDING:.1e}")
    for dancers, chance in enumerate(ENDINGS.start_chances(table), start=1):
        print(f"{dancers} a side at the start: the side that begins wins {percent(chance, 2)}")
    return 0


def _resume(solver: SenetSolver, unfinished: Path) -> None:
    try:
        with unfinished.open("rb") as file:
            is_restored = solver.restore(file)
    except OSError:
        return
    if is_restored:
        notify(f"Resuming at {percent(solver.done / solver.total)}.")
    else:
        notify(f"note: {unfinished} is damaged, or for another table. Starting over.")


def _save(path: Path, content: tuple[bytes, memoryview]) -> None:
    replace_file(path, b"".join(content))


def write_rounded(table: EndingsTable, path: Path) -> None:
    """Write what `ending_tables.Endings.rounded` reads: a line of JSON, and a byte a position.

    Raises:
        GameError: The table is smaller.
    """
    if table.up_to < ROUNDED_UP_TO:
        raise GameError(f"the table has only {table.up_to} dancers a side.", "Solve a larger one.")
    start, end = (TableLayout(table.rules, up_to).size for up_to in (BUNDLED, ROUNDED_UP_TO))
    exact = np.frombuffer(table.numbers, np.uint16)[start:end]
    data = np.rint(exact * (LEVELS / SCALE)).astype(np.uint8).tobytes()
    header = {
        "boardgames_rounded_endings": 2,
        "game": table.game,
        "rules_version": table.rules_version,
        "rules": table.rules,
        "up_to": ROUNDED_UP_TO,
        "after": BUNDLED,
        "positions": len(data),
        "error": table.error + ROUNDING + ROUNDED_ERROR,
        "sha256": _digest(data),
    }
    line = json.dumps(header).encode()
    path.write_bytes(line.ljust(-(-(len(line) + 1) // _LINE) * _LINE - 1) + b"\n" + data)


def main() -> None:
    """Solve, unless there is such a table, and write the rounded table.

    Raises:
        SystemExit: The work was stopped.
    """
    parser = Parser(__doc__)
    parser.add_argument("--rules", choices=RULES, default="kendall", help="whose rules to play")
    parser.add_argument(
        "--up-to",
        type=int,
        choices=range(1, MOST + 1),
        default=ROUNDED_UP_TO,
        help="dancers a side",
    )
    parser.add_argument("--out", type=Path, help="the file (default: senet-RULES.endings)")
    parser.add_argument("--rounded", type=Path, help="a folder for the rounded table")
    given = parser.parse_args()
    game = Senet(given.rules)
    path = given.out or Path(f"senet-{given.rules}.endings")
    solve_unless_there(lambda: SenetSolver(game, given.up_to), path)
    if given.rounded:
        table = parse_table(path.read_bytes(), path.name, game)
        write_rounded(table, given.rounded / f"{given.rules}.rounded")


if __name__ == "__main__":
    run_main(main)
