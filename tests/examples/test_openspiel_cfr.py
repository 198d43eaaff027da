"""The example with OpenSpiel's CFR does what it says."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from tests.games.kuhn import spiel

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_cfr.py"


def test_it_comes_near_the_value_of_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spiel.load()
    monkeypatch.setattr(sys, "argv", ["openspiel_cfr.py", "--iterations", "128"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    *rows, last = capsys.readouterr().out.splitlines()
    assert [int(row.split()[0]) for row in rows] == [1, 2, 4, 8, 16, 32, 64, 128]
    weaknesses = [float(row.split()[3]) for row in rows]
    assert weaknesses[0] > 0.3
    assert weaknesses[-1] < 0.02
    assert float(rows[-1].split()[5]) == pytest.approx(-1 / 18, abs=0.01)
    assert last.endswith("-0.05556")
