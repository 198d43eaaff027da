"""Solves all of Senet with five dancers a side on a CUDA GPU with 64 GB of memory or more.

It is the work of `senet_solver.py` in the same order, layer by layer (a layer is a pair of
numbers of dancers), with one thread for a few positions of a sweep; the GPU's code is
``senet_full_game.cu``. Needs CuPy (`pip install cupy-cuda13x`) and the extra `fast`.

These are 8.6 thousand million positions with Kendall's rules, and 12.5 with Skyruk's. In the table
each has 16 bits (17 or 25 GB). While they are solved each has 32 on the GPU (34 or 50 GB): with 16
the sweeps would come to rest too early. On one core of a processor that would take some 90 or 130
hours. Ctrl+C keeps the work done, in a file of 34 or 50 GB, and the same command continues. Then
reviews and agents find the table (reading it takes twice its size in memory), and all choices of a
game can be compared with perfect play.

    python lab/senet_full_game.py --rules kendall
    python lab/level_mistakes.py senet --games 200

With ``--positions`` it also writes positions with their values, from games as `boardgames train`
plays them, for `senet_learning.py`.
"""

from __future__ import annotations

import time
from importlib import import_module
from math import comb
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from senet_learner import Manner
from senet_learning import chosen_of, most_dancers, positions_of_games
from senet_solver import CERTAIN, DUE, SenetSolver, Values, rounded, solve_unless_there

from boardgames_cli.algorithms.endings import EndingsTable, parse_table
from boardgames_cli.core.errors import GameError
from boardgames_cli.games.senet.ending_tables import (
    MOST,
    Endings,
    Part,
    TableLayout,
)
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.search import network_of, number_of, starts_of
from boardgames_cli.games.senet.heuristic import bundled_model
from boardgames_cli.games.senet.rules import Senet

cupy: Any
try:
    cupy = import_module("cupy")
except ImportError:
    cupy = None

SOURCE: Final = Path(__file__).with_suffix(".cu")
TILE: Final = 512
"""Columns of a tile, as in the GPU's code."""
THREADS: Final = 512
"""Threads of a block of the GPU, which has one tile."""
SWEEPS: Final = {"kendall": 100, "skyruk": 250}
"""The typical number of sweeps of a layer."""
CHUNK: Final = 1 << 28
"""Positions that are converted at once."""
RANKED: Final = 10
"""The number of houses that the GPU ranks at once."""


def chunk_ranks() -> npt.NDArray[np.int32]:
    """The sum in `search.rank` for each chunk of houses, dancers before it, and mask in it.

    Before the first chunk there are none, and after `MOST` of them none follow: the last row is
    read with an empty chunk only, as is the row before which `MOST` would stand. So the ranks fit
    into the 48 kB that a block of threads shares.
    """
    befores = [(0, 0), *((chunk, before) for chunk in (1, 2) for before in range(MOST)), (2, MOST)]
    ranks = np.zeros((len(befores), 1 << RANKED), dtype=np.int32)
    for row, mask in np.ndindex(ranks.shape):
        chunk, before = befores[row]
        found = [house for house in range(RANKED) if mask >> house & 1]
        if before + len(found) <= MOST:
            ranks[row, mask] = sum(
                comb(chunk * RANKED + house, dancers)
                for dancers, house in enumerate(found, start=before + 1)
            )
    return ranks


class CudaSolver(SenetSolver):
    """The solver of `senet_solver.py`, with the sweeps on a GPU.

    Raises:
        GameError: There is no GPU, or its memory is too small.
    """

    close = 128

    def __init__(self, game: Senet, up_to: int) -> None:
        if cupy is None or not cupy.is_available():
            raise GameError(
                "there is no CUDA GPU, or no CuPy.", "Small tables: lab/senet_solver.py"
            )
        layout = TableLayout(game.rules, up_to)
        free, needed = cupy.cuda.runtime.memGetInfo()[0], 4 * layout.size
        if free < needed:
            raise GameError(
                f"the GPU has {free / 1e9:.1f} GB free; {needed / 1e9:.1f} GB are needed.",
                "Solve fewer dancers: --up-to 4",
            )
        options = (f"-DRULES={RULES[game.rules]}", "--std=c++17")
        module = cupy.RawModule(code=SOURCE.read_text(encoding="ascii"), options=options)
        self._sweep_part = module.get_function("sweep_part")
        columns = np.zeros((MOST + 1, MOST + 1), dtype=np.int32)
        for part in layout.parts:
            columns[part.own, part.opponent] = layout.columns(part)
        self._shape = tuple(map(cupy.asarray, (chunk_ranks(), starts_of(layout), columns)))
        super().__init__(game, up_to, workers=1)

    def first_values(self, size: int) -> Values:
        """Room for the values; those on the GPU are set."""
        self._there = cupy.empty(size, dtype=np.uint32)
        for start in range(0, size, CHUNK):
            self._there[start : start + CHUNK] = CERTAIN // 2
        return np.empty(size, dtype=np.uint32)

    def changes_due(self, part: Part) -> Any:
        """uint32[1]: the largest change of a sweep, which leaves out no row."""
        return cupy.full(1, DUE, dtype=np.uint32)

    def work(self) -> None:
        """Sweep over a part once."""
        part = self._groups[self._group][0]
        self._sweep_rows(part, (0, part.size // self._layout.columns(part)))
        self._end_sweep()

    def _sweep_rows(self, part: Part, rows: tuple[int, int]) -> None:
        """Update some rows of a part."""
        owns, opponents = self.masks(part)
        columns = len(opponents)
        tiles = -(-columns // TILE)
        given = (owns[slice(*rows)], opponents)
        there = [cupy.asarray(masks.astype(np.uint32)) for masks in given]
        first = np.int64(part.start + rows[0] * columns)
        self._changes[:] = 0
        sizes = (np.int32(columns), np.int32(tiles), self._changes)
        blocks = (rows[1] - rows[0]) * tiles
        arguments = (self._there, *self._shape, first, *there, *sizes)
        self._sweep_part((blocks,), (THREADS,), arguments)

    def seconds(self) -> float:
        """An estimate of the time for the rest of the work, by rows in the largest part."""
        part = self._layout.parts[-1]
        rows = part.size // self._layout.columns(part)
        tried = max(1, rows // 16)
        first = (rows - tried) // 2  # with its mirror images, half of the opponents are updated
        for _ in range(2):  # the first call compiles
            began = time.perf_counter()
            self._sweep_rows(part, (first, first + tried))
            int(self._changes.max())  # waits
        pace = (time.perf_counter() - began) / (tried * self._layout.columns(part))
        return (self.total - self.done) * SWEEPS[self._game.rules] * pace

    def save(self) -> tuple[bytes, memoryview]:
        """The current values as the content of a file."""
        self._there.get(out=self.values())
        return super().save()

    def restore(self, file: BinaryIO) -> bool:
        """Resume saved values; False if they are damaged or for another table."""
        is_restored = super().restore(file)
        if is_restored:
            self._there.set(self.values())
        return is_restored

    def table(self) -> EndingsTable:
        """The table of the values, rounded on the GPU."""
        numbers: npt.NDArray[np.uint16] = np.empty(self.total, dtype=np.uint16)
        for start in range(0, self.total, CHUNK):
            there: Any = rounded(self._there[start : start + CHUNK])
            there.get(out=numbers[start : start + CHUNK])
        return self.table_of(numbers)


def write_positions(endings: Endings, count: int, path: Path) -> None:
    """Write positions of games with their values, in units of 1 / `SCALE`."""
    rules, up_to = endings.table.rules, endings.up_to
    network = network_of(bundled_model().networks[rules])
    # Some of them have more dancers.
    found = positions_of_games(network, rules, 3 * count, Manner(0.5, 0.4, 0.4), seed=77)
    small = np.flatnonzero(most_dancers(found.own, found.opponent) <= up_to)[:count]
    own, opponent, _ = chosen_of(found, small)
    starts, kind = starts_of(endings.layout), RULES[rules]
    pairs = zip(own.tolist(), opponent.tolist(), strict=True)
    at = np.array([number_of(*pair, kind, starts) for pair in pairs], dtype=np.int64)
    value = np.frombuffer(endings.table.numbers, np.uint16)[at]
    kept_own, kept_opponent = own.astype(np.uint32), opponent.astype(np.uint32)
    with path.open("wb") as file:
        np.savez_compressed(file, own=kept_own, opponent=kept_opponent, value=value)


def main() -> None:
    """Solve, unless there is such a table, and write positions.

    Raises:
        SystemExit: The work was stopped.
    """
    parser = Parser(__doc__)
    parser.add_argument("--rules", choices=RULES, default="kendall", help="whose rules to play")
    parser.add_count("--up-to", MOST, "dancers a side")
    parser.add_argument("--out", type=Path, help="the file (default: senet-RULES.endings)")
    parser.add_argument("--positions", type=Path, help="a file for positions with their values")
    parser.add_count("--count", 1_400_000, "positions to write there")
    given = parser.parse_args()
    game = Senet(given.rules)
    path = given.out or Path(f"senet-{given.rules}.endings")
    solve_unless_there(lambda: CudaSolver(game, given.up_to), path)
    if given.positions:
        endings = Endings(parse_table(path.read_bytes(), path.name, game))
        write_positions(endings, given.count, given.positions)


if __name__ == "__main__":
    run_main(main)
