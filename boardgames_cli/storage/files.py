"""Atomic writes, and files that only one process at a time may write.

A file is first written under a temporary name in the same folder and then moved into place. Its
writer locks it from the first byte on, so that leftovers of a killed process can be told from files
being written.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from boardgames_cli.codec.json_reader import (
    FLAGS,
    check_regular,
    open_regular,
    read_at_most,
)
from boardgames_cli.core.errors import StorageError

try:
    import fcntl
except ImportError:  # not on Windows, where two processes playing one save go unnoticed
    fcntl = None  # type: ignore[assignment]

TEMPORARY_SUFFIX: Final = ".boardgames-tmp"

PUBLIC_MODE: Final = 0o666
"""The usual permissions of a new file, before the umask."""
PRIVATE_MODE: Final = 0o600

CHECK_FOLDER: Final = "Check that the folder exists and is writable, and that there is free space."

_LONGEST_NAME: Final = 255
"""The maximum length of a file name in bytes on common file systems."""

_MOST_TRIES: Final = 1000
"""Attempts to open a file that keeps being replaced."""

_LOCK_TRIES: Final = 500
_LOCK_SECONDS: Final = 0.01
"""Attempts to lock a small file, and the pause between them."""

_CHUNK: Final = 1 << 20


def reason_of(error: Exception) -> str:
    """The system's reason for an error, such as ``No space left on device``."""
    return str(getattr(error, "strerror", None) or error)


@contextlib.contextmanager
def changing(what: Path | str, todo: str = "", *, how: str = "written") -> Iterator[None]:
    """A context that turns the system's refusal to change a file into a `StorageError`.

    ``how`` is what can't be done, as a participle.
    """
    try:
        yield
    except OSError as error:
        raise StorageError(f"{what} can't be {how} ({reason_of(error)}).", todo) from error


def is_at(path: Path, file: os.stat_result) -> bool:
    """Whether a path still names a given file."""
    try:
        return os.path.samestat(path.stat(), file)
    except OSError as error:
        # Even if the folder has become unreadable, an open file can still be written.
        return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def write_all(descriptor: int, data: bytes | memoryview) -> None:
    """Write all of some data to an open file."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class LockedFile:
    """A file with this process as its only writer.

    All methods raise `OSError` if the system refuses.

    Args:
        path: Its path; a symbolic link is kept.
        descriptor: The open and locked file; ownership is transferred.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor
        self._status = os.fstat(descriptor)

    @classmethod
    def open(cls, path: Path, flags: int = os.O_RDWR | os.O_APPEND) -> LockedFile:
        """Open and lock the file that the path names, even if it is replaced meanwhile.

        Raises:
            BlockingIOError: Another process has it.
            ValueError: The name is not valid.
        """
        for _ in range(_MOST_TRIES):
            file = cls(path, open_regular(path, flags))
            try:
                _lock(file.descriptor)
                if file.is_in_place:
                    return file
            except BaseException:
                file.close()
                raise
            file.close()
        raise OSError(errno.EBUSY, "other programs replace it all the time")

    @classmethod
    def take_over(cls, path: Path, limit: int) -> LockedFile:
        """Lock a file even if another process has it, by putting a copy into its place.

        The other process finds that its own file is not in place any more, so it must check
        `is_in_place` after it has written, before it tells anybody.
        """
        old = open_regular(path)
        try:
            data = read_at_most(old, limit)
            file = cls(path, _replace(path, data, PRIVATE_MODE))
            os.lseek(old, len(data), os.SEEK_SET)
            file.append(os.read(old, _CHUNK))  # what was written before the copy was in place
            return file
        finally:
            os.close(old)

    @classmethod
    def create(cls, path: Path, data: bytes, mode: int = PRIVATE_MODE) -> LockedFile:
        """Create a file atomically.

        Raises:
            FileExistsError: The name is taken.
        """
        descriptor, temporary = _write_beside(path, data, mode)
        try:
            # link() fails if the name is taken; rename() would silently replace another process's
            # file.
            os.link(temporary, path)
        except FileExistsError:
            os.close(descriptor)
            raise
        except OSError:  # such as memory cards, which have no links
            os.close(descriptor)
            descriptor = _create_in_place(path, data, mode)
        finally:
            _remove(temporary)
        return cls(path, descriptor)

    @property
    def is_in_place(self) -> bool:
        """Whether the path still names this file; another process may have replaced it."""
        return is_at(self.path, self._status)

    def read(self, limit: int) -> bytes:
        """The content; it is an error if it is longer than the limit."""
        return read_at_most(self.descriptor, limit)

    def append(self, data: bytes) -> None:
        write_all(self.descriptor, data)

    def truncate(self, size: int) -> None:
        os.ftruncate(self.descriptor, size)

    def replace(self, data: bytes) -> None:
        """Replace the content atomically; the file stays locked."""
        descriptor = _replace(self.path, data, PRIVATE_MODE)
        self.close()
        self.descriptor = descriptor
        self._status = os.fstat(descriptor)

    def unlink(self) -> None:
        """Remove it, if the path still names it.

        It is moved aside first: another process may put its own file in place just now.
        """
        if not self.is_in_place:
            return
        if os.name != "posix":
            self.close()  # Windows moves no open files
        aside = self.path.with_name(f".{os.urandom(4).hex()}{TEMPORARY_SUFFIX}")
        self.path.rename(aside)
        if is_at(aside, self._status):
            aside.unlink()
        else:
            aside.rename(self.path)

    def close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            with contextlib.suppress(OSError):  # a failed write was reported before
                os.close(descriptor)


def create_file(path: Path, text: str | bytes, mode: int = PUBLIC_MODE) -> None:
    """Create a file atomically.

    Raises:
        FileExistsError: The file already exists.
        OSError: It can't be written.
    """
    LockedFile.create(path, encoded(text), mode).close()


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A context with a temporary folder, which takes its place once everything is in it.

    It does not exist yet, or is empty. After an exception it is as before.
    """
    temporary = path.with_name(f".{os.urandom(4).hex()}{TEMPORARY_SUFFIX}")
    temporary.mkdir()
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def replace_file(path: Path, text: str | bytes, mode: int = PUBLIC_MODE) -> None:
    """Replace the content of a file atomically; a symbolic link is kept, its target replaced.

    An existing file keeps its permissions.

    Raises:
        StorageError: It can't be written; the old content is unharmed.
    """
    with changing(path, CHECK_FOLDER):
        os.close(_replace(path, encoded(text), mode))


def change_file(path: Path, largest: int, change: Callable[[bytes], bytes | None]) -> None:
    """Change a small file while no other process changes it.

    It and its folder need not exist; only its owner can read a new one. The change returns the new
    content for the present one, which is empty if there is no file; None leaves the file as it is.

    Raises:
        StorageError: It can't be read or written, or ``change`` refuses; the old content is
            unharmed.
    """
    with changing(path, CHECK_FOLDER), _awaited(path) as file:
        new = change(file.read(largest))
        if new is not None:
            file.replace(new)


def append_line(path: Path, line: str) -> None:
    """Append a line to a private file of lines, as a whole or not at all.

    A last line that was torn, by a power cut or a full disk, is ended first, so that it swallows
    no other.
    """
    data = encoded(f"{line}\n")
    with changing(path), _awaited(path) as file:
        size = os.fstat(file.descriptor).st_size
        is_torn = size > 0 and os.pread(file.descriptor, 1, size - 1) != b"\n"
        try:
            file.append(b"\n" + data if is_torn else data)
        except OSError:
            file.truncate(size)
            raise


@contextlib.contextmanager
def _awaited(path: Path) -> Iterator[LockedFile]:
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    tries = 0
    while True:
        is_new = not path.exists()
        try:
            file = LockedFile.create(path, b"") if is_new else LockedFile.open(path)
            break
        except (BlockingIOError, FileExistsError, FileNotFoundError):
            tries += 1
            if tries == _LOCK_TRIES:
                raise
            time.sleep(_LOCK_SECONDS)
    try:
        yield file
    finally:
        if is_new and not os.fstat(file.descriptor).st_size:
            file.unlink()
        file.close()


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files left by killed processes.

    Only files with our suffix that nobody is writing.
    """
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208  # see `journal.claim`
            if name.startswith(".") and name.endswith(TEMPORARY_SUFFIX):
                _remove_if_left(folder / name)


_tidy: Final = functools.cache(remove_leftovers)
"""Removes them once in this process, before it writes to a folder."""


def _remove_if_left(path: Path) -> None:
    if fcntl is None or path.is_symlink():
        return
    with contextlib.suppress(OSError):
        descriptor = open_regular(path)
        try:
            # With a second link it is complete, and locked by the process that plays that save.
            # With one link and without locks, its writer may still be alive.
            if os.fstat(descriptor).st_nlink == 1:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)


def _replace(path: Path, data: bytes, mode: int) -> int:
    path = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):  # root could replace a device for everybody
        check_regular(path.stat().st_mode)
    descriptor, temporary = _write_beside(path, data, mode)
    try:
        os.fsync(descriptor)
        with contextlib.suppress(OSError, AttributeError):  # not all systems have such modes
            os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode) & 0o777)
        temporary.replace(path)
    except OSError:
        os.close(descriptor)
        _remove(temporary)
        raise
    return descriptor


def _write_beside(path: Path, data: bytes, mode: int) -> tuple[int, Path]:
    _tidy(path.parent)
    while True:
        token = f"{os.urandom(4).hex()}{TEMPORARY_SUFFIX}"
        name = f".{path.name}.{token}"
        temporary = path.with_name(name if len(os.fsencode(name)) <= _LONGEST_NAME else f".{token}")
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
        descriptor = os.open(temporary, flags | FLAGS, mode)
        try:
            with contextlib.suppress(BlockingIOError):
                _lock(descriptor)
                if is_at(temporary, os.fstat(descriptor)):
                    write_all(descriptor, data)
                    return descriptor, temporary
        except BaseException:
            os.close(descriptor)
            _remove(temporary)
            raise
        # Another process removed it as a leftover before it was locked.
        os.close(descriptor)


def _create_in_place(path: Path, data: bytes, mode: int) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
    descriptor = os.open(path, flags | FLAGS, mode)
    try:
        _lock(descriptor)
        write_all(descriptor, data)
    except BaseException:
        os.close(descriptor)
        _remove(path)
        raise
    return descriptor


def _lock(descriptor: int) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            pass  # some network folders have no locks; playing is more important


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def encoded(text: str | bytes) -> bytes:
    """Text as the bytes of a file; lone surrogates are written as JSON escapes."""
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
