"""Messages on a stream of bytes: a length of four bytes, the highest first, then the message."""

from __future__ import annotations

import struct
from typing import Final

from boardgames_cli.agents.pieces import MessageReader

LONGEST: Final = 2**20
"""Bytes of the longest message that is taken from a stranger."""

_LENGTH: Final = struct.Struct("!I")


def frame(message: bytes) -> bytes:
    """A message with its length before it."""
    return _LENGTH.pack(len(message)) + message


class FrameReader(MessageReader):
    """Reads messages that begin with their length.

    Args:
        longest: Bytes of the longest message that is taken.
    """

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__()
        self._longest = longest

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
