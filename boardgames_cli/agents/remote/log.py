"""Log files for the standard error of programs."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Final

LOG_VARIABLE: Final = "BOARDGAMES_AGENT_LOG"
"""The environment variable that names one file for the output of all agents."""

_MOST_BYTES: Final = 1 << 20


class ProcessLog:
    """The log of the programs of one name, which is begun anew once it is long.

    Only the user can read it: a program may log hidden cards.
    """

    def __init__(self, title: str) -> None:
        import platformdirs  # imported late: most commands never need it

        self._written = 0
        self.path: Path | None = None
        """The file; None if it can't be written."""
        variable = os.environ.get(LOG_VARIABLE)
        if variable:
            self.path = Path(variable)
            return
        with contextlib.suppress(OSError):
            folder = Path(platformdirs.user_log_path("boardgames", appauthor=False)) / "agents"
            folder.mkdir(parents=True, exist_ok=True)
            plain = re.sub(r"[^\w.-]", "_", title)
            path = folder / f"{plain}.log"
            path.touch(0o600)
            if path.stat().st_size > _MOST_BYTES:
                os.truncate(path, 0)
            self.path = path

    def write(self, text: str) -> None:
        """Add a line, up to the size limit."""
        line = f"{text}\n".encode(errors="replace")
        self._written += len(line)
        if self.path is not None and self._written <= _MOST_BYTES:
            with contextlib.suppress(OSError), self.path.open("ab") as file:
                file.write(line)
