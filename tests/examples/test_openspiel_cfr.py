"""The example with OpenSpiel's CFR does what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.kuhn import spiel

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_cfr.py"


def test_it_comes_near_the_value_of_the_game() -> None:
    spiel.load()
    command = [sys.executable, str(EXAMPLE), "--iterations", "128"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *rows, last = done.stdout.splitlines()
    assert [int(row.split()[0]) for row in rows] == [1, 2, 4, 8, 16, 32, 64, 128]
    weaknesses = [float(row.split()[3]) for row in rows]
    assert weaknesses[0] > 0.3
    assert weaknesses[-1] < 0.02
    assert float(rows[-1].split()[5]) == pytest.approx(-1 / 18, abs=0.01)
    assert last.endswith("-0.05556")
