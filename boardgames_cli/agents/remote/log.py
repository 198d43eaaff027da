"""Log files for the standard error of programs."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import Final

LOG_VARIABLE: Final = "BOARDGAMES_AGENT_LOG"
"""The environment variable that names one file for the output of all agents."""

_MOST_FILES: Final = 50
_MOST_BYTES: Final = 1 << 20


def log_folder() -> Path:
    """The folder of the log files."""
    import platformdirs  # imported late: most commands never need it

    return Path(platformdirs.user_log_path("boardgames", appauthor=False)) / "agents"


class ProcessLog:
    """The log of one program. Only the user can read it: a program may log hidden cards."""

    def __init__(self, title: str) -> None:
        self._written = 0
        self._is_own = False
        self.path: Path | None = None
        """The file; None if it can't be written."""
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
        """Add a line, up to the size limit."""
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
    files = []
    for path in folder.glob("*.log"):
        with contextlib.suppress(OSError):
            files.append((path.stat().st_mtime, path))
    for _, path in sorted(files)[: -_MOST_FILES or None]:
        with contextlib.suppress(OSError):
            path.unlink()
