"""The names of saves."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.text import shortened
from boardgames_cli.storage.files import LockedFile
from boardgames_cli.storage.paths import cache_folder

SUFFIX: Final = ".jsonl"

REVIEW_SUFFIX: Final = ".review.json"

_LONGEST: Final = 80
_NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{_LONGEST - 1}}}")
_QUOTED: Final = 24
"""Characters of a wrong name that a message quotes, so that the rest of it can be read."""


def check_name(name: str) -> None:
    """Refuse an invalid name for a new save."""
    if not _NAME.fullmatch(name):
        raise StorageError(
            f'"{shortened(name, _QUOTED)}" can\'t be the name of a save.',
            f"Use at most {_LONGEST} letters, digits, dots, dashes and underscores.",
        )


def is_plain(name: str) -> bool:
    """Whether a name can't lead out of its folder."""
    return name not in ("", ".", "..") and "\0" not in name and Path(name).name == name


def review_file(path: Path, folders: Sequence[Path]) -> Path:
    """Where the review of a save is kept.

    Next to saves in the save folders; in the cache folder for other files, whose folders are not
    ours.
    """
    name = path.name.removesuffix(SUFFIX)
    place = path.resolve()
    if place.parent in [folder.resolve() for folder in folders]:
        return path.with_name(name + REVIEW_SUFFIX)
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
    return cache_folder() / "reviews" / f"{name[:100]}-{digest}{REVIEW_SUFFIX}"


def claim(folders: Sequence[Path], prefix: str, data: bytes) -> LockedFile:
    """Create a save with a number in its name that is free in some folders.

    The first folder is that of the save, which is created if needed.
    """
    folders[0].mkdir(parents=True, exist_ok=True)
    pattern = re.compile(rf"{re.escape(prefix)}-(\d{{1,18}}){re.escape(SUFFIX)}")
    names: list[str] = []
    for folder in folders:
        if folder.is_dir():
            names += os.listdir(folder)  # noqa: PTH208  # paths of thousands would take long
    taken = [int(found[1]) for name in names if (found := pattern.fullmatch(name))]
    for number in itertools.count(max(taken, default=0) + 1):
        try:
            return LockedFile.create(folders[0] / f"{prefix}-{number}{SUFFIX}", data)
        except FileExistsError:  # another window was faster
            continue
    raise AssertionError("numbers don't end")


def prefix_of(name: str) -> str:
    """The part of a save's name before the number."""
    return re.sub(r"-\d+$", "", name)
