"""Completion in the shells themselves, installed as people install it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.screens import Terminal, environment

pytestmark = pytest.mark.second_try("a busy shell may read a tab as text before it is ready")

SHELLS = {
    "bash": ("bash", "--noprofile", "-i"),
    "zsh": ("zsh", "-i"),
    "fish": ("fish", "-i"),
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    """A shell in which completion has been installed, with its prompt."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    bin = tmp_path / "bin"
    bin.mkdir()
    program = bin / "boardgames"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m boardgames_cli "$@"\n')
    program.chmod(0o755)
    path = f"{bin}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        [program, "--install-completion", name],
        env=environment(tmp_path, HOME=str(tmp_path), PATH=path),
        check=True,
    )
    terminal = Terminal(tmp_path, program=SHELLS[name], HOME=str(tmp_path), PATH=path)
    terminal.wait_for(r"[#$>%] *$")
    yield terminal
    terminal.child.close(force=True)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("boardgames play se", "boardgames play senet"),
        ("boardgames play senet -s ha", r"-s hard\b(?! hard)"),
        ("boardgames play senet --rules ", r"kendall.*skyruk"),
    ],
)
def test_the_first_tab_completes(shell: Terminal, typed: str, shown: str) -> None:
    shell.send(f"{typed}\t")
    if shown.startswith("kendall"):
        shell.wait_for(f"{typed.rstrip()}")
        shell.pump(1.0)
        shell.send("\t")  # bash shows a choice at the second one
    shell.wait_for(shown)
