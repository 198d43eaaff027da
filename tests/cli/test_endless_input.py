"""Devices and pipes without an end, where a file or a line is expected."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(folder: Path, *words: str, stdin: str) -> tuple[int, str]:
    home = {"HOME": str(folder), "BOARDGAMES_CONFIG": str(folder / "none.toml")}
    with Path(stdin).open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-m", "boardgames_cli", *words],
            cwd=folder,
            env={**os.environ, **home},
            stdin=source,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    return done.returncode, done.stderr


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
@pytest.mark.parametrize("words", [("play", "kuhn", "--plain"), ("puzzle", "kuhn", "--plain")])
def test_a_line_without_an_end_is_not_read(
    tmp_path: Path, device: str, words: tuple[str, ...]
) -> None:
    code, message = run(tmp_path, *words, stdin=device)
    assert code == 2
    assert "a line of more than 10,000 characters" in message
