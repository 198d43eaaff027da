"""The solver of large tables: it stops and goes on, and writes the rounded tables."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")

import numpy as np
import senet_solver

from boardgames_cli.algorithms.endings import EndingsTable, parse_table
from boardgames_cli.games.senet.ending_tables import (
    ROUNDED_ERROR,
    Endings,
    TableLayout,
)
from boardgames_cli.games.senet.rules import Senet


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_it_remakes_the_bundled_table_whose_bounds_were_proven(rules: str) -> None:
    solver = senet_solver.SenetSolver(Senet(rules), 2)
    while not solver.is_finished:
        solver.work()
    table = solver.table()
    bundled = np.frombuffer(Endings.load(rules).table.numbers, np.uint16).astype(int)
    assert table.error <= 1e-6
    gaps = abs(np.asarray(table.numbers) - bundled)
    assert gaps.max() <= 1
    assert gaps.sum() < 0.002 * len(gaps), "one unit more or less where a value lies between two"


def test_work_that_is_stopped_goes_on_and_damaged_work_starts_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = [0]

    class Interrupted(senet_solver.SenetSolver):
        def work(self) -> None:
            calls[0] += 1
            super().work()
            if calls[0] == 10:
                signal.raise_signal(signal.SIGINT)

    path, unfinished = tmp_path / "own" / "table", tmp_path / "own" / "table.unfinished"

    def solve() -> int:
        code: int = senet_solver.solve_into(Interrupted(Senet(), 1), path)
        return code

    assert solve() == 130
    assert capsys.readouterr().err == "Stopped. To continue, repeat the command.\n"
    assert list(path.parent.iterdir()) == [unfinished]
    kept = unfinished.read_bytes()
    assert solve() == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("Resuming at ")
    assert "1 a side at the start: the side that begins wins 53.34 %" in printed.out
    assert list(path.parent.iterdir()) == [path]
    assert len(parse_table(path.read_bytes(), path.name, Senet()).numbers) == 812
    unfinished.write_bytes(kept[:-1])
    assert solve() == 0
    assert "is damaged, or for another table. Starting over." in capsys.readouterr().err


def test_a_rounded_table_has_all_values_within_its_error(tmp_path: Path) -> None:
    size, path = TableLayout("kendall", 3).size, tmp_path / "kendall.rounded"
    exact = np.random.default_rng(1).integers(0, 65_536, size, dtype=np.uint16)
    senet_solver.write_rounded(EndingsTable("senet", 1, "kendall", 3, 1e-7, exact.data), path)
    line, values = path.read_bytes().split(b"\n", 1)
    assert (len(line) + 1) % 64 == 0
    header = json.loads(line)
    assert header["positions"] == len(values) == size - TableLayout("kendall", 2).size
    gaps = np.frombuffer(values, np.uint8) / 255 - exact[-len(values) :] / 65_535
    assert 0.9 * ROUNDED_ERROR < abs(gaps).max() <= ROUNDED_ERROR < header["error"]
