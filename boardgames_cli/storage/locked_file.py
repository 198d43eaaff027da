"""A file that is open for appending, here and nowhere else."""

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
    """A file of which this process is the only writer.

    All methods raise `OSError` where the system refuses.

    Args:
        path: What names it; a link stays one.
        descriptor: The open and locked file, which is taken over.
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
        """Make a new file that only its owner may read.

        Raises:
            FileExistsError: The name is taken.
        """
        return cls(path, create_locked(path, data, PRIVATE_MODE))

    @property
    def is_in_place(self) -> bool:
        """Whether the path still names this file; another may have removed or replaced it."""
        return is_at(self.path, self._identity)

    def read(self, limit: int) -> bytes:
        """All that it holds; more bytes than the limit are an error."""
        return read_at_most(self._descriptor, limit)

    def append(self, data: bytes) -> None:
        """Write at its end."""
        write_all(self._descriptor, data)

    def truncate(self, size: int) -> None:
        """Cut the file off after a number of bytes."""
        os.ftruncate(self._descriptor, size)

    def replace(self, data: bytes) -> None:
        """Write it anew: at every moment it is either the old one or the new one, and locked."""
        descriptor = replace_locked(self.path, data, PRIVATE_MODE)
        self.close()
        self._descriptor = descriptor
        self._identity = identity(descriptor)

    def unlink(self) -> None:
        """Remove it, if it is still in its place."""
        if self.is_in_place:
            self.path.unlink()

    def close(self) -> None:
        """Let go of it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with contextlib.suppress(OSError):  # what could not be written before can't be now
                os.close(descriptor)
