"""Bytes as they come out of a pipe: in pieces that end anywhere."""

from __future__ import annotations

from abc import ABC, abstractmethod


class MessageReader(ABC):
    """Puts messages together from whatever pieces they come in."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take a piece."""
        self._bytes += data

    @property
    def has_more(self) -> bool:
        """Whether a piece of another message has come."""
        return bool(self._bytes)

    @abstractmethod
    def next(self) -> bytes | None:
        """The next whole message, or None until there is one.

        Raises:
            ValueError: It is longer than a message may be.
        """
