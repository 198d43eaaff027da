"""Files that are never seen half written, and that one process at a time may write.

A whole file is first written beside its place, under a name that only this program uses, and then
moved there. Its writer holds a lock on it from its first byte on, so what a killed process left
behind can be distinguished from what somebody is just writing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import StorageError

try:
    import fcntl
except ImportError:  # not on Windows; two windows playing one save go unnoticed there
    fcntl = None  # type: ignore[assignment]

TEMPORARY_SUFFIX: Final = ".boardgames-tmp"
"""How the names of temporary files end; no other program's do."""

PUBLIC_MODE: Final = 0o666
"""The permissions of a new file as they are usual; the process's mask takes some away."""
PRIVATE_MODE: Final = 0o600
"""The permissions of a file that only its owner may read."""

_LONGEST_NAME: Final = 255
"""Bytes that common file systems allow for a name."""

_MOST_TRIES: Final = 1000
"""Opening a file fails if it is replaced so often meanwhile, which never happens."""

_CHUNK: Final = 1 << 20
_FLAGS: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# Without waiting: the other end of a pipe may never come.
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)

Identity = tuple[int, int]
"""The identity of a file, whatever its name: its device and its number there."""


def reason_of(error: Exception) -> str:
    """Why the system refuses something, in a few words, such as ``No space left on device``."""
    return str(getattr(error, "strerror", None) or error)


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a file, but neither a device, which may be endless, nor a pipe.

    Returns:
        The descriptor.

    Raises:
        OSError: It can't be opened, or is not a regular file.
        ValueError: Nothing can have such a name.
    """
    _check_regular(path.stat().st_mode)  # opening a device may already do something
    descriptor = os.open(path, flags | _FLAGS | _NO_WAIT)
    try:
        _check_regular(os.fstat(descriptor).st_mode)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _check_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")


def open_locked(path: Path, flags: int = os.O_RDWR | os.O_APPEND) -> int:
    """Open a file and lock it, so that no other process can until it is closed.

    Returns:
        The descriptor of the file that the path names now: a faster process may have put
        another in its place before the lock was ours.

    Raises:
        BlockingIOError: Another process has it.
        OSError: It can't be opened, or is not a regular file.
        ValueError: Nothing can have such a name.
    """
    for _ in range(_MOST_TRIES):
        descriptor = open_regular(path, flags)
        try:
            _lock(descriptor)
            if is_at(path, identity(descriptor)):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise OSError(errno.EBUSY, "other programs replace it all the time")


def identity(descriptor: int) -> Identity:
    """The identity of an open file."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def is_at(path: Path, file: Identity) -> bool:
    """Whether a path still names a certain file."""
    try:
        status = path.stat()
    except OSError as error:
        # Where one may not look any more, an open file can still be written.
        return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
    return (status.st_dev, status.st_ino) == file


def read_at_most(descriptor: int, limit: int) -> bytes:
    """All that an open file holds.

    Raises:
        OSError: It can't be read, or is larger than the limit; no more than that is read.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    chunks, missing = [], limit + 1
    while missing and (chunk := os.read(descriptor, min(missing, _CHUNK))):
        chunks.append(chunk)
        missing -= len(chunk)
    if not missing:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1_000_000} MB")
    return b"".join(chunks)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to an open file.

    Raises:
        OSError: Not everything could be written.
    """
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def create_locked(path: Path, data: bytes, mode: int) -> int:
    """Make a new file that is never seen half written, and keep it open and locked.

    Args:
        path: The file.
        data: All that it holds.
        mode: Its permissions, of which the process's mask takes some away.

    Returns:
        The descriptor.

    Raises:
        FileExistsError: There is a file of that name already.
        OSError: It can't be written.
    """
    descriptor, temporary = _write_beside(path, data, mode)
    try:
        # A link fails if the name is taken; a rename would silently win over another process.
        os.link(temporary, path)
    except FileExistsError:
        os.close(descriptor)
        raise
    except OSError:  # such as memory cards, which have no links
        os.close(descriptor)
        descriptor = _create_in_place(path, data, mode)
    finally:
        _remove(temporary)
    return descriptor


def replace_locked(path: Path, data: bytes, mode: int) -> int:
    """Put new contents in the place of a file in one step, and keep it open and locked.

    A link stays one: the file that it leads to is replaced.

    Args:
        path: The file.
        data: All that it holds from now on.
        mode: The permissions if there is no file yet; otherwise they stay as they are.

    Returns:
        The descriptor.

    Raises:
        OSError: It can't be written; what was there is unharmed.
    """
    path = Path(os.path.realpath(path))
    descriptor, temporary = _write_beside(path, data, mode)
    try:
        os.fsync(descriptor)
        with contextlib.suppress(OSError, AttributeError):  # not everywhere are there such modes
            os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode) & 0o777)
        temporary.replace(path)
    except OSError:
        os.close(descriptor)
        _remove(temporary)
        raise
    return descriptor


def create_file(path: Path, text: str | bytes, mode: int = PUBLIC_MODE) -> None:
    """Make a new file that is never seen half written.

    Raises:
        FileExistsError: There is a file of that name already.
        OSError: It can't be written.
    """
    os.close(create_locked(path, _bytes(text), mode))


def replace_file(path: Path, text: str | bytes) -> None:
    """Put a text, or bytes, in the place of a file in one step.

    Raises:
        StorageError: It can't be written; what was there is unharmed.
    """
    try:
        os.close(replace_locked(path, _bytes(text), PUBLIC_MODE))
    except OSError as error:
        raise StorageError(
            f"{path} can't be written ({error.strerror}).",
            "Check the folder's permissions and the free space, or choose another with --save-dir.",
        ) from error


def remove_leftovers(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote a file there.

    Only files that nobody is writing and whose names are our own.
    """
    with contextlib.suppress(OSError):
        for leftover in folder.glob(f".*{TEMPORARY_SUFFIX}"):
            _remove_if_left(leftover)


def _remove_if_left(path: Path) -> None:
    if fcntl is None or path.is_symlink():
        return
    with contextlib.suppress(OSError):
        descriptor = open_regular(path)
        try:
            # With a second name it is complete, and locked by the process that plays that save.
            # With one, and without locks, nobody knows whether its writer lives.
            if os.fstat(descriptor).st_nlink == 1:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)


def _write_beside(path: Path, data: bytes, mode: int) -> tuple[int, Path]:
    """A temporary file in the folder of another: its descriptor and its path."""
    while True:
        token = f"{os.urandom(4).hex()}{TEMPORARY_SUFFIX}"
        name = f".{path.name}.{token}"
        temporary = path.with_name(name if len(os.fsencode(name)) <= _LONGEST_NAME else f".{token}")
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
        descriptor = os.open(temporary, flags | _FLAGS, mode)
        try:
            with contextlib.suppress(BlockingIOError):
                _lock(descriptor)
                if is_at(temporary, identity(descriptor)):
                    write_all(descriptor, data)
                    return descriptor, temporary
        except BaseException:
            os.close(descriptor)
            _remove(temporary)
            raise
        # A process that cleans up took it for a leftover before it was locked.
        os.close(descriptor)


def _create_in_place(path: Path, data: bytes, mode: int) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
    descriptor = os.open(path, flags | _FLAGS, mode)
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
            pass  # some network folders have no locks; playing matters more


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _bytes(text: str | bytes) -> bytes:
    # Half a letter, as JSON can name it, is written as JSON names it.
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
