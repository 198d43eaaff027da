"""The solver for a GPU finds the tables that come with the program.

Its code is compiled as C++, and `Processor` stands in for CuPy.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")

from boardgames_cli.algorithms.endings import EndingsTable
from boardgames_cli.games.senet.ending_tables import Endings, _data
from boardgames_cli.games.senet.rules import Senet

BENCHMARKS = Path(__file__).parents[2] / "lab"
SCRIPT = BENCHMARKS / "senet_full_game.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


def assert_is_bundled(table: EndingsTable, rules: str) -> None:
    bundled = Endings.load(rules).table.numbers
    assert max(abs(one - other) for one, other in zip(table.numbers, bundled, strict=False)) <= 1


class There(np.ndarray[Any, Any]):
    """An array of the GPU."""

    def get(self, out: npt.NDArray[Any]) -> None:
        out[:] = self

    def set(self, values: npt.NDArray[Any]) -> None:
        self[:] = values


class Processor:
    """What the script uses of CuPy; the GPU's code runs as C++."""

    cuda = SimpleNamespace(runtime=SimpleNamespace(memGetInfo=lambda: (1 << 33, 1 << 33)))
    folder: Path

    def is_available(self) -> bool:
        return True

    def asarray(self, values: npt.NDArray[Any]) -> There:
        return np.ascontiguousarray(values).view(There)

    def empty(self, size: int, dtype: Any) -> There:
        return np.empty(size, dtype).view(There)

    def full(self, size: int, value: int, dtype: Any) -> There:
        return np.full(size, value, dtype).view(There)

    def RawModule(  # noqa: N802
        self, code: str, options: tuple[str, ...]
    ) -> SimpleNamespace:
        source, library = self.folder / "full.cc", self.folder / "full.so"
        source.write_text(code)
        compiler = [str(shutil.which("g++")), "-O2", "-shared", "-fPIC", "-Wall", "-Werror"]
        subprocess.run([*compiler, *options, source, "-o", library], check=True)
        function = ctypes.CDLL(str(library)).sweep_part

        def call(blocks: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
            kinds = {np.int64: ctypes.c_int64, np.int32: ctypes.c_int32, np.uint32: ctypes.c_uint32}
            given = [
                ctypes.c_void_p(one.ctypes.data)
                if isinstance(one, np.ndarray)
                else kinds[type(one)](int(one))
                for one in arguments
            ]
            function(*given, ctypes.c_int64(blocks[0]))

        return SimpleNamespace(get_function=lambda _: call)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_the_code_of_the_gpu_finds_the_same_table(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    script = importlib.import_module(SCRIPT.stem)
    processor = Processor()
    processor.folder = tmp_path
    monkeypatch.setattr(script, "cupy", processor)
    solver = script.CudaSolver(Senet(rules), 2)
    assert solver.seconds() > 0
    while not solver.is_finished:
        solver.work()
    assert_is_bundled(solver.table(), rules)


def test_positions_are_written_with_the_values_of_a_table_that_is_there(tmp_path: Path) -> None:
    path, positions = tmp_path / "table", tmp_path / "positions.npz"
    path.write_bytes(_data("kendall.endings").read_bytes())
    done = run("--out", str(path), "--positions", str(positions), "--count", "5")
    assert (done.returncode, done.stderr) == (0, "")
    endings = Endings.load("kendall")
    with np.load(positions) as file:
        for own, opponent, value in zip(*(file[key] for key in file), strict=True):
            chance = endings.exact.chance(int(own), int(opponent))
            assert chance == pytest.approx(value / 65_535)


def test_without_a_gpu_it_says_so() -> None:
    if importlib.util.find_spec("cupy") is not None:
        pytest.skip("there may be a GPU")
    done = run("--out", "nowhere")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == (
        "error: there is no CUDA GPU, or no CuPy.   Small tables: lab/senet_solver.py\n"
    )
