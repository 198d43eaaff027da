"""Too many second tries, and those without a reason, are refused in words, in workers as well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MANY = """import pytest

@pytest.mark.second_try("the machine is busy")
@pytest.mark.parametrize("number", range(1000))
def test_it(number):
    pass
"""
NO_REASON = """import pytest

@pytest.mark.second_try
def test_it():
    pass
"""


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    ("tests", "why"),
    [
        (MANY, "1000 tests have a second try, only "),
        (NO_REASON, "test_them.py::test_it: no second try here, or without a reason"),
    ],
)
def test_the_closing_lines_say_why_nothing_was_run(
    tests: str, why: str, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_them.py").write_text(tests, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)
    words = ["-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "-n", str(workers)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, f"--rootdir={tmp_path}"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: nothing was run: {why}" in done.stdout
    assert "passed" not in done.stdout
