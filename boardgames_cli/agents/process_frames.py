"""Messages on a stream of bytes: a length of four bytes, the highest first, then the message."""

from __future__ import annotations

import struct
from typing import Final

LONGEST: Final = 2**20
"""Bytes of the longest message that is taken from a stranger."""

_LENGTH: Final = struct.Struct("!I")


def frame(message: bytes) -> bytes:
    """A message with its length before it."""
    return _LENGTH.pack(len(message)) + message


class FrameReader:
    """Puts messages together from whatever pieces they come in.

    Args:
        longest: Bytes of the longest message that is taken.
    """

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take a piece."""
        self._bytes += data

    @property
    def has_more(self) -> bool:
        """Whether a piece of another message has come."""
        return bool(self._bytes)

    def next(self) -> bytes | None:
        """The next whole message, or None until there is one.

        Raises:
            ValueError: A longer one is announced than is taken.
        """
        if len(self._bytes) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._bytes)
        if length > self._longest:
            raise ValueError(f"a message of {length} bytes; at most {self._longest} are read")
        end = _LENGTH.size + length
        if len(self._bytes) < end:
            return None
        message = bytes(self._bytes[_LENGTH.size : end])
        del self._bytes[:end]
        return message
