"""The save of a match in progress: appended after every step, rewritten after undo.

Lines are written to the operating system after every step, so that killing the process loses at
most the line being written. Rewriting is atomic: the save is always either the old or the new one.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import Header, lines_after, note_line, record_text
from boardgames_cli.storage.files import LockedFile, changing, encoded, reason_of

SUFFIX: Final = ".jsonl"


class SaveGoneError(StorageError):
    """The save was removed, or replaced by another file, while it was being played."""


class SaveUnwritableError(StorageError):
    """The save can't be written."""

    def __init__(self, path: Path, error: OSError | ValueError) -> None:
        self.reason = reason_of(error)
        """The system's reason, such as ``No space left on device``."""
        super().__init__(
            f"the save {path} can't be written ({self.reason}).",
            "Free some space, or save it somewhere else when you leave.",
        )


class Journal:
    """The open save of one match.

    What writes raises `SaveGoneError` if the file is gone (`recreate` makes a new one), and
    `SaveUnwritableError` if it can't be written; a failed `move` or `discard` is a `StorageError`.
    """

    def __init__(
        self,
        file: LockedFile,
        header: Header,
        written: int = 0,
        notes: Iterable[tuple[int, str]] = (),
    ) -> None:
        self.header = header
        self.is_behind = False
        """Whether the file is incomplete. After a failed write its content is unknown, so that it
        must be rewritten."""
        self._file = file
        self._written = written
        self._notes = list(notes)

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def name(self) -> str:
        return self.path.stem

    def missing(self, match: AnyMatch) -> int:
        """The number of steps that are not in the file."""
        return match.ply - min(self._written, match.ply)

    def record(self, match: AnyMatch) -> None:
        """Append the new steps of the match to the file."""
        if self.is_behind:
            self.rewrite(match)
        elif match.ply > self._written:
            self._append(lines_after(match, self._written))
            self._written = match.ply

    def note(self, match: AnyMatch, text: str) -> None:
        """Add a remark at the current ply."""
        self._notes.append((match.ply, text))
        if self.is_behind:
            self.rewrite(match)
        else:
            self._append([note_line(match.ply, text)])

    def rewrite(self, match: AnyMatch) -> None:
        """Rewrite the whole file, after steps were undone."""
        self.is_behind = True
        self._written = min(self._written, match.ply)
        self._write(lambda: self._file.replace(self.data(match)))
        self._caught_up(match)

    def recreate(self, match: AnyMatch) -> None:
        """Create a new save after the old one was removed, under its name or the next free one."""
        old, data = self._file.path, self.data(match)
        try:
            old.parent.mkdir(parents=True, exist_ok=True)
            try:
                file = LockedFile.create(old, data)
            except FileExistsError:
                file = claim([old.parent], prefix_of(old.stem), data)
        except OSError as error:
            raise SaveUnwritableError(old, error) from error
        self._take(file, match)

    def move(self, match: AnyMatch, path: Path) -> None:
        """Continue in a new file; the old one keeps its content."""
        try:
            file = LockedFile.create(path, self.data(match))
        except FileExistsError:
            raise StorageError(f"{path} already exists.", "Choose another name.") from None
        except (OSError, ValueError) as error:  # the name has a null byte
            reason = SaveUnwritableError(path, error).message
            raise StorageError(reason, "Choose another place.") from error
        self._take(file, match)

    def data(self, match: AnyMatch) -> bytes:
        """The content of a complete save of the match."""
        # Notes stay even if their step was undone: the hint was seen, the agent did fail.
        return encoded(record_text(self.header, match, self._notes))

    def discard(self) -> None:
        """Delete the save, if it still exists, and close it."""
        with changing(self.path, how="deleted"):
            self._file.unlink()
        self.close()

    def close(self) -> None:
        self._file.close()

    def _append(self, lines: Iterable[str]) -> None:
        data = encoded("".join(f"{line}\n" for line in lines))
        self._write(lambda: self._file.append(data))

    def _write(self, write: Callable[[], None]) -> None:
        self._check_in_place()
        try:
            write()
        except OSError as error:
            self.is_behind = True
            raise SaveUnwritableError(self.path, error) from error
        self._check_in_place()  # another process may have taken it over meanwhile

    def _check_in_place(self) -> None:
        if not self._file.is_in_place:
            self.is_behind = True
            raise SaveGoneError(f"the save {self.path} was removed or replaced by another program.")

    def _take(self, file: LockedFile, match: AnyMatch) -> None:
        self._file.close()
        self._file = file
        self._caught_up(match)

    def _caught_up(self, match: AnyMatch) -> None:
        self._written = match.ply
        self.is_behind = False


def is_plain(name: str) -> bool:
    """Whether a name can't lead out of its folder."""
    return name not in ("", ".", "..") and "\0" not in name and Path(name).name == name


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
