"""Log files for what programs write to their standard error."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import Final

LOG_VARIABLE: Final = "BOARDGAMES_AGENT_LOG"
"""Names a file that is used instead of one for each program."""

_MOST_FILES: Final = 50
_MOST_BYTES: Final = 1 << 20


def log_folder() -> Path:
    """The folder of these files."""
    import platformdirs  # imported here: most commands never need it

    return Path(platformdirs.user_log_path("boardgames", appauthor=False)) / "agents"


class ProcessLog:
    """The log of one program. Only its owner can read it: a program may tell its hand.

    Args:
        title: What the program is called.
    """

    def __init__(self, title: str) -> None:
        self._written = 0
        self._is_own = False
        self.path: Path | None = None
        """The file; None if none can be written."""
        variable = os.environ.get(LOG_VARIABLE)
        if variable:
            self.path = Path(variable)
            return
        with contextlib.suppress(OSError):
            folder = log_folder()
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder)
            plain = re.sub(r"[^\w.-]", "_", title)
            number, name = tempfile.mkstemp(".log", f"{plain}-", folder)
            os.close(number)
            self.path, self._is_own = Path(name), True

    def write(self, text: str) -> None:
        """Add a line, as long as there is room."""
        line = f"{text}\n".encode(errors="replace")
        self._written += len(line)
        if self.path is not None and self._written <= _MOST_BYTES:
            with contextlib.suppress(OSError), self.path.open("ab") as file:
                file.write(line)

    def close(self) -> None:
        """Remove the file if nothing was written."""
        if self._is_own and self.path is not None:
            with contextlib.suppress(OSError):
                if not self.path.stat().st_size:
                    self.path.unlink()


def _prune(folder: Path) -> None:
    """Remove the oldest files, so that they don't become more and more."""
    files = []
    for path in folder.glob("*.log"):
        with contextlib.suppress(OSError):
            files.append((path.stat().st_mtime, path))
    for _, path in sorted(files)[: -_MOST_FILES or None]:
        with contextlib.suppress(OSError):
            path.unlink()
