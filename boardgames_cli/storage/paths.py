"""The locations of files."""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
import traceback
from pathlib import Path
from typing import Final

from boardgames_cli import __version__

SAVES_VARIABLE: Final = "BOARDGAMES_SAVES"
CONFIG_VARIABLE: Final = "BOARDGAMES_CONFIG"
SERVER_VARIABLE: Final = "BOARDGAMES_SERVER"
"""Where visitors of `boardgames serve` find its server: host and port, the same for others, and the
visitor's pass, with spaces between."""


def save_folders(chosen: Path | None = None) -> tuple[Path, ...]:
    """The folders in which saves are looked for, the one for new saves first; it may not exist yet.

    The first of: the one chosen, the environment variable ``BOARDGAMES_SAVES``, the platform's
    folder for user data. Behind this, ``./saves`` is looked through as well, if there is such a
    folder: earlier versions saved there.
    """
    if chosen is not None:
        return (chosen,)
    variable = os.environ.get(SAVES_VARIABLE)
    if variable:
        return (Path(variable),)
    home, here = data_folder() / "saves", Path("saves")
    return (home, here) if here.is_dir() else (home,)


def samples_folder() -> Path:
    """The games that come with the program; a checkout has them in its own folder."""
    package = Path(__file__).parents[1]
    installed = package / "samples"
    return installed if installed.is_dir() else package.parent / "saves"


def data_folder() -> Path:
    """The platform's folder for the user's data of this program."""
    return _folder("data")


def cache_folder() -> Path:
    """The platform's folder for what can be made again."""
    return _folder("cache")


def _folder(kind: str) -> Path:
    import platformdirs  # imported late: most commands never need it

    return Path(getattr(platformdirs, f"user_{kind}_path")("boardgames", appauthor=False))


def config_file() -> Path:
    """The file of the user's preferences; it need not exist yet.

    The environment variable ``BOARDGAMES_CONFIG`` overrides the platform's location.
    """
    variable = os.environ.get(CONFIG_VARIABLE)
    if variable:
        return Path(variable)
    return _folder("config") / "config.toml"


def results_file() -> Path:
    """The file with the results of people's games; it may not exist yet."""
    return data_folder() / "results.jsonl"


def puzzle_progress_file() -> Path:
    """The file with the progress in puzzles; it may not exist yet."""
    return data_folder() / "puzzles.json"


def drill_file() -> Path:
    """The deck of the drill; it may not exist yet."""
    return data_folder() / "drill.json"


def log_file() -> Path:
    """The log of internal errors."""
    return _folder("log") / "errors.log"


def note_error(error: BaseException) -> None:
    """Log an error where nobody could be told that this failed, too, such as on a full disk."""
    with contextlib.suppress(OSError):
        log_error(error)


def log_error(error: BaseException) -> Path:
    """Append an error with its traceback, the version and the command line; return the file."""
    path = log_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    # A message may quote a name that is not text.
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{now} boardgames {__version__} {' '.join(sys.argv[1:])}\n")
        traceback.print_exception(error, file=file)
        file.write("\n")
    return path
