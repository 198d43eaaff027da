"""The solver for a GPU finds the tables that come with the program, with and without a GPU's work.

Numba's simulator runs the kernel, thread by thread in Python, so that only a small table is tried.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")

from boardgames_cli.games.senet.ending_tables import Endings, read_own

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "senet_full_game.py"


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (["--cpu", "--up-to", "2"], {}),
        (["--up-to", "1"], {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}),
    ],
    ids=["processor", "simulated-gpu"],
)
def test_its_table_is_the_one_that_comes_with_the_program(
    words: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "small.endings"
    done = run(*words, "--rules", "skyruk", "--out", str(path), **environment)
    assert (done.stderr, done.returncode) == ("", 0)
    table, bundled = read_own(path, "skyruk").numbers, Endings.load("skyruk").table.numbers
    assert max(abs(one - other) for one, other in zip(table, bundled, strict=False)) <= 1
    assert "the side that begins wins" in done.stdout


def test_without_a_gpu_it_says_so() -> None:
    cuda = pytest.importorskip("numba.cuda")
    if cuda.is_available():
        pytest.skip("there is a GPU")
    done = run("--out", "nowhere")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == (
        "error: there is no CUDA GPU, or no package numba-cuda.   Small tables: --cpu --up-to 2\n"
    )
