"""Solves all of Senet with five dancers a side on a CUDA GPU with 64 GB of memory or more.

No such GPU was at hand: the kernel was simulated, and compiled and assembled for one (sm_90), but
never run. It is the work of `boardgames solve senet` in the same order, layer by layer (a layer is
a pair of numbers of dancers), with one thread for each position of a sweep; `--cpu` does it without
a GPU, for small tables. Needs the package numba-cuda (`pip install 'numba-cuda[cu13]'`) and the
extra `fast`.

These are 8.6 thousand million positions with Kendall's rules, and 12.5 with Skyruk's. In the table
each has 16 bits (17 or 25 GB). While they are solved each has 32, on the GPU and in main memory (34
or 50 GB each): with 16 the sweeps would come to rest too early. On one core of a processor that
would take some 90 or 130 hours; a GPU that updates 300 to 1,000 million positions a second, which
is a guess, needs 6 to 32 minutes. Ctrl+C keeps the work done, and the same command continues. Then
reviews and agents find the table (reading it takes twice its size in memory), and all choices of a
game can be compared with perfect play.

    python benchmarks/senet_full_game.py --rules kendall
    python benchmarks/level_mistakes.py senet --games 200
    python benchmarks/senet_full_game.py --cpu --up-to 2 --out small.endings
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from arguments import Parser, run_main

from boardgames_cli.algorithms.endings import EndingsTable
from boardgames_cli.cli.solve import EndingsArguments, solve_endings
from boardgames_cli.core.errors import GameError
from boardgames_cli.games.senet.ending_tables import MOST, Part, SenetEndings, TableLayout
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.playouts import Masks
from boardgames_cli.games.senet.fast.ranking import closed_in, spread, starts_of
from boardgames_cli.games.senet.fast.solver import CLOSE, SenetSolver, update
from boardgames_cli.games.senet.rules import Senet

cuda: Any
try:
    from numba import cuda
except ImportError:
    cuda = None

THREADS: Final = 256
"""Threads of a block of the GPU."""
SWEEPS: Final = 45
"""The typical number of sweeps of a layer."""


def update_rows(
    values: Any,
    starts: Any,
    first: int,
    rows: Any,
    owns: Any,
    opponents: Any,
    rules: int,
    changes: Any,
) -> None:
    """The kernel: update every position of some rows of a part once.

    Threads read what others write meanwhile. That is no error: every number is written as a whole,
    and sweeps come to the same values in any order.

    Args:
        values: As for `solver.sweep`, as are ``owns`` and ``opponents``.
        starts: From `ranking.starts_of`.
        first: The index of the part's first position.
        rows: int64[rows]: which of ``owns``.
        owns: The masks of the player about to throw.
        opponents: The masks of the other player.
        rules: The rule set, see `moves`.
        changes: int64[rows], in which the largest change of each row is left.
    """
    thread, columns = cuda.grid(1), len(opponents)
    if thread < len(rows) * columns:
        place, column = thread // columns, thread % columns
        closed = closed_in(rules)
        own = spread(owns[rows[place]], closed)
        opponent = spread(opponents[column], closed | own)
        at = first + rows[place] * columns + column
        change = update(own, opponent, at, rules, values, starts)
        if change > changes[place]:
            cuda.atomic.max(changes, place, change)


class CudaSolver(SenetSolver):
    """The solver of `boardgames solve senet`, with the sweeps on a GPU.

    Raises:
        GameError: There is no GPU, or its memory is too small.
    """

    moment = 400_000_000

    def __init__(self, game: Senet, up_to: int) -> None:
        if cuda is None or not cuda.is_available():
            raise GameError(
                "there is no CUDA GPU, or no package numba-cuda.", "Small tables: --cpu --up-to 2"
            )
        self._rules_number = RULES[game.rules]
        self._layout_here = TableLayout(game.rules, up_to)
        free, needed = cuda.current_context().get_memory_info().free, 4 * self._layout_here.size
        if free < needed:
            raise GameError(
                f"the GPU has {free / 1e9:.1f} GB free; {needed / 1e9:.1f} GB are needed.",
                "Solve fewer dancers: --up-to 4",
            )
        super().__init__(game, up_to, workers=1)
        self._kernel = cuda.jit(update_rows)
        self._starts = cuda.to_device(starts_of(self._layout_here))
        self._there = cuda.to_device(self.values())

    def sweep(self, part: Part, rows: tuple[int, int], changes: Masks) -> None:
        """Update those rows of a part once that are not at rest."""
        owns, opponents = self.masks(part)
        due = rows[0] + np.flatnonzero(changes[slice(*rows)] > CLOSE)
        if not len(due):
            return
        found = cuda.to_device(np.zeros(len(due), dtype=np.int64))
        self._kernel[-(-len(due) * len(opponents) // THREADS), THREADS](
            self._there,
            self._starts,
            part.start,
            cuda.to_device(due),
            cuda.to_device(owns),
            cuda.to_device(opponents),
            self._rules_number,
            found,
        )
        changes[due] = found.copy_to_host()

    def seconds(self) -> float:
        """An estimate of the time for the rest of the work, by one call in the largest part."""
        part = self._layout_here.parts[-1]
        owns, opponents = self.masks(part)
        last = min(len(owns), max(1, self.moment // len(opponents)))
        for _ in range(2):  # the first call compiles
            began = time.perf_counter()
            self.sweep(part, (0, last), np.full(len(owns), CLOSE + 1, dtype=np.int64))
        pace = (time.perf_counter() - began) / (last * len(opponents))
        return (self.total - self.done) * SWEEPS * pace

    def save(self) -> tuple[bytes, memoryview]:
        """The current values as the content of a file."""
        self._there.copy_to_host(self.values())
        return super().save()

    def restore(self, file: BinaryIO) -> bool:
        """Resume saved values; False if they are damaged or for another table."""
        is_restored = super().restore(file)
        self._there.copy_to_device(self.values())
        return is_restored

    def table(self) -> EndingsTable:
        """The table of the values; the solver can't be used any more."""
        self._there.copy_to_host(self.values())
        return super().table()


def main() -> None:
    """Solve, as `boardgames solve senet` does.

    Raises:
        SystemExit: The work was stopped.
    """
    parser = Parser(__doc__)
    parser.add_argument("--rules", choices=RULES, default="kendall", help="whose rules to play")
    parser.add_count("--up-to", MOST, "dancers a side")
    parser.add_argument("--cpu", action="store_true", help="without a GPU, for small tables")
    parser.add_argument("--out", type=Path, help="the file (default: where programs look for it)")
    given = parser.parse_args()
    known: Any = SenetEndings()
    known.sizes = tuple(range(1, MOST + 1))
    if not given.cpu:
        known.solver = f"{__name__}:CudaSolver"
    wanted = EndingsArguments(up_to=given.up_to, out=given.out)
    raise SystemExit(solve_endings(Senet(given.rules), known, wanted, False, False))


if __name__ == "__main__":
    run_main(main)
