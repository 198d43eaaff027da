"""What saves are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.locked_file import LockedFile

SUFFIX: Final = ".jsonl"

REVIEW_SUFFIX: Final = ".review.json"
"""How the name of the review of a save ends, which is kept beside it."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def check_name(name: str) -> None:
    """Refuse what can't be the name of a new save.

    Raises:
        StorageError: It has letters that make trouble somewhere, or is too long.
    """
    if not _NAME.fullmatch(name):
        raise StorageError(
            f'"{name}" can\'t be the name of a save.',
            "Use letters, digits, dots, dashes and underscores.",
        )


def is_plain(name: str) -> bool:
    """Whether a text names a file in a folder and can't lead out of it."""
    return name not in ("", ".", "..") and "\0" not in name and Path(name).name == name


def review_beside(path: Path) -> Path:
    """The file that the review of a save is kept in."""
    return path.with_name(path.name.removesuffix(SUFFIX) + REVIEW_SUFFIX)


def claim(folder: Path, prefix: str, data: bytes) -> LockedFile:
    """Make a save with the next free number in its name.

    Args:
        folder: Where; it is made if there is none.
        prefix: What stands before the number.
        data: All that the save holds.

    Raises:
        OSError: It can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in _free(folder, prefix):
        try:
            return LockedFile.create(path, data)
        except FileExistsError:  # another window was faster
            continue
    raise AssertionError("numbers don't end")


def prefix_of(name: str) -> str:
    """What stands before the number in the name of a save."""
    return re.sub(r"-\d+$", "", name)


def _free(folder: Path, prefix: str) -> Iterator[Path]:
    pattern = re.compile(rf"{re.escape(prefix)}-(\d{{1,18}})")
    stems = (path.stem for path in folder.glob(f"*{SUFFIX}"))
    taken = [int(found[1]) for stem in stems if (found := pattern.fullmatch(stem))]
    number = max(taken, default=0)
    while True:
        number += 1
        yield folder / f"{prefix}-{number}{SUFFIX}"
