"""A save that is being played: appended after every step, rewritten whole after undo.

Lines are handed to the operating system one step at a time, so that killing the process loses at
most the line being written. Rewriting goes through a temporary file and `os.replace`: at every
moment the save is either the old one or the new one.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import Match
from boardgames_cli.core.record import Header, lines_after, note_line

try:
    import fcntl
except ImportError:  # not on Windows; two windows playing one save go unnoticed there
    fcntl = None  # type: ignore[assignment]


class Journal:
    """The open save of one match.

    Args:
        path: The file, which must exist.
        header: Its first line.
        written: How many steps of the match it already holds.
        notes: The notes it already holds.
    """

    def __init__(
        self, path: Path, header: Header, written: int = 0, notes: Iterable[tuple[int, str]] = ()
    ) -> None:
        self.path = path
        self.header = header
        self._written = written
        self._notes = list(notes)
        # After a failed write nobody knows what the file holds; then only a new one will do.
        self._is_behind = False
        self._file = _open_locked(path)

    @property
    def name(self) -> str:
        """What the save is called."""
        return self.path.stem

    def record(self, match: Match[Any, Any]) -> None:
        """Bring the file up to date with the match, which has gone on.

        Raises:
            StorageError: The file can't be written.
        """
        if self._is_behind:
            self.rewrite(match)
        elif match.ply > self._written:
            self._append(lines_after(match, self._written))
            self._written = match.ply

    def note(self, match: Match[Any, Any], text: str) -> None:
        """Add a remark about the present moment.

        Raises:
            StorageError: The file can't be written.
        """
        self._notes.append((match.ply, text))
        if self._is_behind:
            self.rewrite(match)
        else:
            self._append([note_line(match.ply, text)])

    def rewrite(self, match: Match[Any, Any]) -> None:
        """Write the whole file anew, after steps were taken back.

        Raises:
            StorageError: The file can't be written; the old one is unharmed.
        """
        # A note stays even if its moment was undone: a hint was seen, an agent did fail.
        notes = [note_line(ply, text) for ply, text in self._notes]
        text = "".join(f"{line}\n" for line in [self.header.line(), *notes, *lines_after(match, 0)])
        self._is_behind = True
        replace_file(self.path, text)
        self.close()
        self._file = _open_locked(self.path)
        self._written = match.ply
        self._is_behind = False

    def close(self) -> None:
        """Release the file."""
        with contextlib.suppress(OSError):  # what could not be written before can't be now
            self._file.close()

    def _append(self, lines: Iterable[str]) -> None:
        try:
            self._file.write("".join(f"{line}\n" for line in lines))
            self._file.flush()
        except OSError as error:
            self._is_behind = True
            raise StorageError(
                f"the save {self.path} can't be written ({error.strerror}).",
                "Free some space or choose another folder with --save-dir.",
            ) from error


def replace_file(path: Path, text: str) -> None:
    """Put a text in the place of a file in one step.

    Raises:
        StorageError: It can't be written; what was there is unharmed.
    """
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            _permit(file.fileno(), path)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise StorageError(
            f"{path} can't be written ({error.strerror}).",
            "Check the folder's permissions and the free space, or choose another with --save-dir.",
        ) from error


def _permit(descriptor: int, path: Path) -> None:
    """Give a temporary file the permissions of the file whose place it takes, or the usual ones."""
    if not hasattr(os, "fchmod"):  # Windows has no such permissions
        return
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.fchmod(descriptor, mode)


def remove_leftovers(path: Path) -> None:
    """Remove what a process that was killed in the middle of `replace_file` left beside a file.

    Only the owner of the file's lock may ask for it: nobody else writes there then.
    """
    for leftover in path.parent.glob(f".{path.name}.*"):
        with contextlib.suppress(OSError):
            leftover.unlink()


def create_file(path: Path, text: str) -> None:
    """Make a new file that is never seen half written.

    Raises:
        FileExistsError: There is a file of that name already.
        OSError: It can't be written.
    """
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}."
    ) as file:
        file.write(text)
        file.flush()
        _permit(file.fileno(), path)
        # A link fails if the name is taken; a rename would silently win over another process.
        os.link(file.name, path)


def _open_locked(path: Path) -> IO[str]:
    try:
        file = path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise StorageError(
            f"the save {path} can't be opened for writing ({error.strerror}).",
            "Check its permissions, or choose another folder with --save-dir.",
        ) from error
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise StorageError(
                f"the game {path.stem} is open in another window.",
                "Go on there, or close it first.",
            ) from None
        except OSError:
            pass  # some network folders have no locks; playing matters more
    return file
