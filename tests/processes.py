"""Looking after processes in tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:  # it has ended meanwhile, or this system has no such files
        return not Path("/proc/self/stat").exists()
    return status.rpartition(")")[2].split()[0] != "Z"


def open_files() -> int:
    """How many files this process has open, where the system tells."""
    folder = Path("/proc/self/fd")
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens soon; the number of looks is far beyond what it takes."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came so far")
