"""The log of internal errors."""

from __future__ import annotations

import datetime
import sys
import traceback
from pathlib import Path

from boardgames_cli import __version__
from boardgames_cli.storage.paths import log_file


def log_error(error: BaseException) -> Path:
    """Append an error with its traceback, the version and the command line.

    Returns:
        The file.

    Raises:
        OSError: It can't be written.
    """
    path = log_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    # A message may quote a name that is not text.
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{now} boardgames {__version__} {' '.join(sys.argv[1:])}\n")
        traceback.print_exception(error, file=file)
        file.write("\n")
    return path
