"""Framed messages: a four-byte big-endian length, then the message."""

from __future__ import annotations

import struct
from typing import Final

from boardgames_cli.agents.message_reader import MessageReader

LONGEST: Final = 2**20
"""The maximum message size from an untrusted process, in bytes."""

_LENGTH: Final = struct.Struct("!I")


def frame(message: bytes) -> bytes:
    """A message with its length prefix."""
    return _LENGTH.pack(len(message)) + message


class FrameReader(MessageReader):
    """Reads messages with a length prefix.

    Args:
        longest: The maximum message size in bytes.
    """

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__()
        self._longest = longest

    def next(self) -> bytes | None:
        """The next complete message; None if there is none yet.

        Raises:
            ValueError: The announced length exceeds the limit.
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
