"""A save that is open in another process."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_OPEN: Final = """
import sys
from pathlib import Path
from boardgames_cli.storage.store import Store
match, journal, record = Store(Path(sys.argv[1])).resume(sys.argv[2])
print("open", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def open_elsewhere(folder: Path, name: str) -> Iterator[None]:
    """Hold a save open in another process for a while."""
    command = [sys.executable, "-c", _OPEN, str(folder), name]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        try:
            yield
        finally:
            other.communicate("")
