"""The folders of saves: create, list, load, delete."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.record import Header, Record
from boardgames_cli.core.text import shortened
from boardgames_cli.storage.files import (
    PRIVATE_MODE,
    LockedFile,
    changing,
    create_file,
    reason_of,
    remove_leftovers,
)
from boardgames_cli.storage.journal import SUFFIX, Journal, claim, is_plain
from boardgames_cli.storage.paths import cache_folder, samples_folder, save_folders
from boardgames_cli.storage.reading import (
    LARGEST_SAVE,
    SaveSummary,
    is_foreign,
    is_save,
    parse,
    restore,
    summarize,
)

_REVIEW_SUFFIX: Final = ".review.json"
_LONGEST_NAME: Final = 80
_NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{_LONGEST_NAME - 1}}}")
_QUOTED: Final = 24
"""Characters of a wrong name that a message quotes, so that the rest of it can be read."""


def new_header(game: AnyGame, *, seed: int, seats: tuple[str, ...], **more: Any) -> Header:
    """The header of a new save, with more of the fields of `Header`."""
    return Header(
        game.info.id,
        game.info.rules_version,
        option_values(game),
        seed,
        seats,
        created=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        program=__version__,
        **more,
    )


class Store:
    """All saves of a folder, and of others that are looked through after it.

    The first folder is created with the first save. All methods raise `StorageError` for a save
    that can't be found, read, written or removed, or is in use, and `RecordError` for a damaged
    one.
    """

    def __init__(self, folder: Path, *others: Path) -> None:
        self.folder = folder
        self.folders = (folder, *others)

    @classmethod
    def at(cls, chosen: Path | None = None) -> Store:
        """The saves of a chosen folder, or those that every command finds; see `save_folders`."""
        return cls(*save_folders(chosen))

    def review_file(self, path: Path) -> Path:
        """Where the review of a save is kept.

        Next to saves in the save folders; in the cache folder for other files, whose folders are
        not ours.
        """
        name, place = path.name.removesuffix(SUFFIX), path.resolve()
        if place.parent in [folder.resolve() for folder in self.folders]:
            return path.with_name(name + _REVIEW_SUFFIX)
        digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
        return cache_folder() / "reviews" / f"{name[:100]}-{digest}{_REVIEW_SUFFIX}"

    def create(self, header: Header) -> Journal:
        """Create a save with a new name, of a game that has not begun."""
        remove_leftovers(self.folder)
        todo = "Choose another with --save-dir, or play without saving: --no-save."
        return Journal(self._claim(header.game, f"{header.line()}\n".encode(), todo), header)

    def resume(self, name: str) -> tuple[AnyMatch, Journal, Record]:
        """Open a save to continue it.

        It is locked before it is read, so that nothing written by another process is missed. An
        incomplete last line is removed.
        """
        path = self.find(name)
        todo = "Check its permissions, or choose another folder with --save-dir."
        failure = f"the save {path} can't be opened for writing"
        file = _open(path, os.O_RDWR | os.O_APPEND, failure, todo)
        try:
            with changing(path, how="read"):
                data = file.read(LARGEST_SAVE)
            record = parse(data, path)
            match = restore(record, path)
        except BaseException:
            file.close()
            raise
        remove_leftovers(path.parent)
        journal = Journal(file, record.header, match.ply, record.notes)
        if record.unterminated:
            # On a full disk it stays incomplete, and is rewritten as soon as possible.
            with contextlib.suppress(StorageError):
                journal.rewrite(match)
        return match, journal, record

    def find(self, name: str) -> Path:
        """The file of a save, given by name or path."""
        inside = self._inside(name)
        if inside is not None:
            return inside
        path = Path(name)
        # Only saves: other files in this folder must not be found.
        if path.suffix == SUFFIX and not is_confined() and _is_file(path):
            return path
        known = " ".join(itertools.islice(self.names(), 8)) or "none yet"
        raise StorageError(f'there is no save "{name}" in {self.place}.', f"Saves: {known}")

    @property
    def place(self) -> str:
        return " or ".join(map(str, self.folders))

    def name_of(self, path: Path) -> str:
        """What `find` finds a save by: its name, or its path if that names another one or none."""
        return path.stem if self._inside(path.stem) == path else str(path)

    def _inside(self, name: str) -> Path | None:
        folders = (*self.folders, samples_folder()) if is_plain(name) else ()
        return next(filter(_is_file, (folder / f"{name}{SUFFIX}" for folder in folders)), None)

    def names(self, prefix: str = "") -> Iterator[str]:
        """The names of all saves that begin like this, most recently used first."""
        names = ((path, self.name_of(path)) for path in self._paths())
        return (name for path, name in names if name.startswith(prefix) and not is_foreign(path))

    def summaries(self) -> list[SaveSummary]:
        """All saves, most recently used first; those that can't be read say why."""
        return list(self._summaries())

    def latest(self) -> SaveSummary | None:
        """The most recently played unfinished game of people."""
        return next((summary for summary in self._summaries() if summary.can_go_on), None)

    def latest_finished(self) -> str:
        """The name of the last finished game."""
        for summary in self._summaries():
            if summary.is_finished and not summary.problem:
                return summary.name
        raise StorageError(
            f"there is no finished game in {self.place}.",
            "Play one: boardgames play senet, or see one: boardgames replay sample-senet",
        )

    def check_deletable(self, name: str) -> Path:
        """The file of a save that can be deleted."""
        path = self.find(name)
        with self._held(path):
            return path

    def delete(self, name: str) -> None:
        path = self.find(name)
        with self._held(path), changing(path, how="deleted"):
            path.unlink()
        with contextlib.suppress(OSError):
            self.review_file(path).unlink()

    def rename(self, name: str, new: str) -> None:
        """Give a save another name; its review comes along."""
        path = self.find(name)
        with self._held(path), changing(path, how="renamed"):
            times, target = path.stat(), self.keep(new, path.read_bytes())
            os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
            path.unlink()
        with contextlib.suppress(OSError):
            self.review_file(path).rename(self.review_file(target))

    def add(self, prefix: str, data: bytes) -> str:
        """Write a whole save under the next free name, and return the name."""
        file = self._claim(prefix, data, "Choose another with --save-dir.")
        file.close()
        return file.path.stem

    def _claim(self, prefix: str, data: bytes, todo: str) -> LockedFile:
        with changing(f"the save folder {self.folder}", todo):
            return claim(self.folders, prefix, data)

    def keep(self, name: str, data: bytes) -> Path:
        """Write a whole save under a new name."""
        if not _NAME.fullmatch(name):
            raise StorageError(
                f'"{shortened(name, _QUOTED)}" can\'t be the name of a save.',
                f"Use at most {_LONGEST_NAME} letters, digits, dots, dashes and underscores.",
            )
        target = self.folder / f"{name}{SUFFIX}"
        remove_leftovers(self.folder)
        with changing(target):
            try:
                create_file(target, data, PRIVATE_MODE)
            except FileExistsError:
                message = f'there is a save "{name}" already.'
                raise StorageError(message, "Choose another name.") from None
        return target

    @contextlib.contextmanager
    def _held(self, path: Path) -> Iterator[None]:
        file = _open(path, os.O_RDONLY, f"{path} can't be read")
        try:
            is_ours = is_save(file.descriptor)
            is_inside = path.parent.resolve() in [one.resolve() for one in self.folders]
            if path.parent == samples_folder() and not is_inside:
                raise StorageError(
                    f"{path.stem} comes with the program, so it was not deleted.",
                    "boardgames saves lists yours.",
                )
            if not (is_inside if is_ours is None else is_ours):  # a damaged file was one, we assume
                raise StorageError(
                    f"{path} is not a save of boardgames, so it was not deleted.",
                    "boardgames saves lists all saves.",
                )
            yield
        finally:
            file.close()

    def _summaries(self) -> Iterator[SaveSummary]:
        for path in itertools.filterfalse(is_foreign, self._paths()):
            yield replace(summarize(path), name=self.name_of(path))

    def _paths(self) -> list[Path]:
        found = []
        # Another process may delete a save at any moment.
        for folder in self.folders:
            with contextlib.suppress(OSError):
                for path in folder.glob(f"*{SUFFIX}"):
                    with contextlib.suppress(OSError):
                        if path.is_file():
                            found.append((-path.stat().st_mtime, path.name, path))
        return [path for _, _, path in sorted(found)]


def _open(path: Path, flags: int, failure: str, todo: str = "") -> LockedFile:
    try:
        return LockedFile.open(path, flags)
    except BlockingIOError:
        message = f"the game {path.stem} is open in another window."
        raise StorageError(message, "Go on there, or close it first.") from None
    except (OSError, ValueError) as error:  # the name has a null byte
        raise StorageError(f"{failure} ({reason_of(error)}).", todo) from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # for example if the name is too long
        return False
