"""A file opened for appending by this process only."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from boardgames_cli.storage.files import (
    PRIVATE_MODE,
    create_locked,
    identity,
    is_at,
    open_locked,
    read_at_most,
    replace_locked,
    write_all,
)


class LockedFile:
    """A file with this process as its only writer.

    All methods raise `OSError` if the system refuses.

    Args:
        path: Its path; a symbolic link is kept.
        descriptor: The open and locked file; ownership is transferred.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._identity = identity(descriptor)

    @classmethod
    def open(cls, path: Path) -> LockedFile:
        """Open a file that exists.

        Raises:
            BlockingIOError: Another process has it.
            ValueError: Nothing can have such a name.
        """
        return cls(path, open_locked(path))

    @classmethod
    def create(cls, path: Path, data: bytes) -> LockedFile:
        """Create a new private file.

        Raises:
            FileExistsError: The name is taken.
        """
        return cls(path, create_locked(path, data, PRIVATE_MODE))

    @property
    def is_in_place(self) -> bool:
        """Whether the path still names this file; another process may have replaced it."""
        return is_at(self.path, self._identity)

    def read(self, limit: int) -> bytes:
        """The content; it is an error if it is longer than the limit."""
        return read_at_most(self._descriptor, limit)

    def append(self, data: bytes) -> None:
        """Append data."""
        write_all(self._descriptor, data)

    def truncate(self, size: int) -> None:
        """Truncate the file."""
        os.ftruncate(self._descriptor, size)

    def replace(self, data: bytes) -> None:
        """Replace the content atomically; the file stays locked."""
        descriptor = replace_locked(self.path, data, PRIVATE_MODE)
        self.close()
        self._descriptor = descriptor
        self._identity = identity(descriptor)

    def unlink(self) -> None:
        """Remove it, if the path still names it."""
        if self.is_in_place:
            self.path.unlink()

    def close(self) -> None:
        """Close it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with contextlib.suppress(OSError):  # a failed write was reported before
                os.close(descriptor)
