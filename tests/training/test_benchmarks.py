"""The benchmarks of TapnSwap run; what they measure is not tested, it depends on the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize(
    ("script", "arguments", "expected"),
    [
        ("tapnswap_rules.py", ["0.02"], "games/s"),
        ("tapnswap_training.py", ["500"], "exact value kept in"),
        ("tapnswap_levels.py", ["4"], "perfect - hard"),
    ],
)
def test_benchmarks_run(script: str, arguments: list[str], expected: str) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / script, *arguments], capture_output=True, text=True, check=True
    )
    assert expected in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("tapnswap_rules.py", ["nan"]),
        ("pommerman_speed.py", ["inf"]),
        ("agent_strength.py", ["senet", "random", "random", "--seconds", "nan"]),
    ],
)
def test_numbers_that_are_not_finite_are_refused(script: str, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / script, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "invalid finite_number value" in done.stderr
