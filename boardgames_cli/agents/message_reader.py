"""Reassembling messages from the chunks of bytes read from a pipe."""

from __future__ import annotations

from abc import ABC, abstractmethod


class MessageReader(ABC):
    """Assembles messages from chunks of any size."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Add a chunk."""
        self._bytes += data

    @property
    def has_more(self) -> bool:
        """Whether part of another message has arrived."""
        return bool(self._bytes)

    @abstractmethod
    def next(self) -> bytes | None:
        """The next complete message; None if there is none yet.

        Raises:
            ValueError: The message is too long or malformed.
        """
