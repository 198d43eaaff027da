"""A real process of the program behind pipes, and what it left on the disk."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.e2e.screens import PATIENCE, environment

PROGRAM = (sys.executable, "-m", "boardgames_cli")
QUIETLY = ("--plain", "--pace", "instant", "--terse")
_OTHER_LINES = {"boardgames", "note", "digest", "result"}


class Piped:
    """The program with pipes as its standard streams; looks like `tests.e2e.screens.Terminal`.

    Args:
        folder: Where it runs and saves.
        *words: The command line.
        program: What is started instead of the program.
        **variables: Changes to the environment.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        program: Sequence[str] = PROGRAM,
        **variables: str,
    ) -> None:
        self.raw = b""
        self.errors = ""
        """What stood on standard error, once it has ended; less than fills a pipe."""
        self.child = subprocess.Popen(
            [*program, *words],
            cwd=folder,
            env=environment(folder, **variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # no terminal to fall back on
        )

    def send(self, text: str) -> None:
        """Type; it does not matter whether anybody reads it still."""
        assert self.child.stdin is not None
        try:
            os.write(self.child.stdin.fileno(), text.encode())
        except BrokenPipeError:
            return

    def pump(self, seconds: float = 0.05) -> bool:
        """Read what has come; whether more can come."""
        assert self.child.stdout is not None
        stdout = self.child.stdout.fileno()
        if not select.select([stdout], [], [], seconds)[0]:
            return True
        new = os.read(stdout, 65536)
        self.raw += new
        return bool(new)

    def wait_until(self, condition: Callable[[bytes], object]) -> None:
        """Read until what was read is so, or nothing more can come."""
        deadline = time.monotonic() + PATIENCE
        while not condition(self.raw) and self.pump():
            assert time.monotonic() < deadline, f"it never came: {self.raw[-500:]!r}"

    def kill(self, number: int) -> None:
        """Send a signal; it may be too late."""
        self.child.send_signal(number)

    def close_input(self) -> None:
        """Say that nothing more is typed."""
        assert self.child.stdin is not None
        self.child.stdin.close()

    def end(self) -> int:
        """Read to the end; the exit code, or minus the signal that killed it."""
        deadline = time.monotonic() + PATIENCE
        while self.pump() and time.monotonic() < deadline:
            pass
        is_late = time.monotonic() >= deadline
        if is_late:
            self.child.kill()
        code = self.child.wait(PATIENCE)
        assert self.child.stderr is not None
        self.errors = self.child.stderr.read().decode(errors="replace")
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            assert stream is not None
            stream.close()
        assert not is_late, f"it does not end: {self.raw[-500:]!r}"
        return code


def steps_of(save: Path) -> list[dict[str, Any]]:
    """The steps in a save; a last line without its end was not written whole and is left out."""
    if not save.exists():
        return []
    lines = save.read_bytes().decode(errors="replace").split("\n")[:-1]
    parsed = [json.loads(line) for line in lines]
    return [line for line in parsed if not _OTHER_LINES & line.keys()]


def saves_in(folder: Path) -> list[Path]:
    """The saves of the program that runs in a folder."""
    return sorted((folder / "saves").glob("*.jsonl"))
