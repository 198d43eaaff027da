"""A save that is being played: appended after every step, rewritten whole after undo.

Lines are handed to the operating system one step at a time, so that killing the process loses at
most the line being written. Rewriting goes through a temporary file and `os.replace`: at every
moment the save is either the old one or the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import Header, lines_after, note_line
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.locked_file import LockedFile
from boardgames_cli.storage.names import claim, prefix_of


class SaveGoneError(StorageError):
    """The save was removed, or replaced by another file, while it was being played."""


class SaveUnwritableError(StorageError):
    """The system does not let us write the save.

    Args:
        path: The save.
        error: What the system says.
    """

    def __init__(self, path: Path, error: OSError | ValueError) -> None:
        self.reason = reason_of(error)
        """Why not, in a few words, such as ``No space left on device``."""
        super().__init__(
            f"the save {path} can't be written ({self.reason}).",
            "Free some space, or save it in another place when you leave.",
        )


class Journal:
    """The open save of one match.

    Args:
        file: The open file.
        header: Its first line.
        written: How many steps of the match it already holds.
        notes: The notes it already holds.
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
        """Whether the file lacks something. After a failed write nobody knows what it holds; then
        only a new one will do."""
        self._file = file
        self._written = written
        self._notes = list(notes)

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def name(self) -> str:
        """What the save is called."""
        return self.path.stem

    def missing(self, match: AnyMatch) -> int:
        """How many steps of the match the file does not hold."""
        return match.ply - min(self._written, match.ply)

    def record(self, match: AnyMatch) -> None:
        """Bring the file up to date with the match, which has gone on.

        Raises:
            SaveGoneError: It is not there any more; `recreate` makes another.
            SaveUnwritableError: The file can't be written.
        """
        if self.is_behind:
            self.rewrite(match)
        elif match.ply > self._written:
            self._append(lines_after(match, self._written))
            self._written = match.ply

    def note(self, match: AnyMatch, text: str) -> None:
        """Add a remark about the present moment.

        Raises:
            SaveGoneError: It is not there any more; `recreate` makes another.
            SaveUnwritableError: The file can't be written.
        """
        self._notes.append((match.ply, text))
        if self.is_behind:
            self.rewrite(match)
        else:
            self._append([note_line(match.ply, text)])

    def rewrite(self, match: AnyMatch) -> None:
        """Write the whole file anew, after steps were taken back.

        Raises:
            SaveGoneError: It is not there any more; `recreate` makes another.
            SaveUnwritableError: The file can't be written; the old one is unharmed.
        """
        self.is_behind = True
        self._written = min(self._written, match.ply)
        self._write(lambda: self._file.replace(self.data(match)))
        self._caught_up(match)

    def recreate(self, match: AnyMatch) -> None:
        """Make a new save after the old one has vanished, under its name or the next free one.

        Raises:
            SaveUnwritableError: It can't be written.
        """
        old, data = self._file.path, self.data(match)
        try:
            old.parent.mkdir(parents=True, exist_ok=True)
            try:
                file = LockedFile.create(old, data)
            except FileExistsError:
                file = claim(old.parent, prefix_of(old.stem), data)
        except OSError as error:
            raise SaveUnwritableError(old, error) from error
        self._take(file, match)

    def move(self, match: AnyMatch, path: Path) -> None:
        """Go on in a new file; what is in the old one stays.

        Raises:
            StorageError: There is such a file already, or it can't be written.
        """
        try:
            file = LockedFile.create(path, self.data(match))
        except FileExistsError:
            raise StorageError(f"{path} is there already.", "Choose another name.") from None
        except (OSError, ValueError) as error:  # nothing can have a name with a null byte
            reason = SaveUnwritableError(path, error).message
            raise StorageError(reason, "Choose another place.") from error
        self._take(file, match)

    def data(self, match: AnyMatch) -> bytes:
        """All that a whole save of the match holds."""
        # A note stays even if its moment was undone: a hint was seen, an agent did fail.
        notes = [note_line(ply, text) for ply, text in self._notes]
        return _encoded([self.header.line(), *notes, *lines_after(match, 0)])

    def discard(self) -> None:
        """Delete the save, if it is still there, and release it.

        Raises:
            StorageError: It can't be deleted.
        """
        try:
            self._file.unlink()
        except OSError as error:
            raise StorageError(f"{self.path} can't be deleted ({error.strerror}).") from error
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _append(self, lines: Iterable[str]) -> None:
        data = _encoded(lines)
        self._write(lambda: self._file.append(data))

    def _write(self, write: Callable[[], None]) -> None:
        if not self._file.is_in_place:
            self.is_behind = True
            raise SaveGoneError(f"the save {self.path} was removed or replaced from outside.")
        try:
            write()
        except OSError as error:
            self.is_behind = True
            raise SaveUnwritableError(self.path, error) from error

    def _take(self, file: LockedFile, match: AnyMatch) -> None:
        self._file.close()
        self._file = file
        self._caught_up(match)

    def _caught_up(self, match: AnyMatch) -> None:
        self._written = match.ply
        self.is_behind = False


def _encoded(lines: Iterable[str]) -> bytes:
    # Half a letter, as JSON can name it, is written as JSON names it.
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
