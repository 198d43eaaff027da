"""The seats that this machine holds at tables elsewhere, so that a restarted client comes back."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import PositionError, StorageError
from boardgames_cli.storage.files import change_file
from boardgames_cli.storage.paths import data_folder

_LARGEST: Final = 1_000_000
_MOST: Final = 100
_REMEDY: Final = "Move it away: seats at tables that are still open are lost then."
_READER: Final = JsonReader("the list of seats", _LARGEST, StorageError, _REMEDY)


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """A seat at a table of a server."""

    server: str
    """Host and port."""
    code: str
    """The code with which it was taken."""
    name: str
    """The name that was asked for: several people may sit at one table from one machine."""
    table: str
    token: str
    nonce: str
    """The secret of which this side's numbers for the dice are made; see `fair_dice.nonce_of`."""


class KeptSeats:
    """The file of seats.

    Args:
        path: The file, which may not exist; by default that of this user.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = data_folder() / "seats.json" if path is None else path

    def find(self, server: str, code: str, name: str | None) -> KeptSeat | None:
        """The last seat that was taken with a code, under a name (None: any).

        Raises:
            StorageError: The file can't be read, or is damaged.
        """
        text = _READER.read_text(self._path) if self._path.exists() else ""
        for seat in reversed(self._parsed(text)):
            if (seat.server, seat.code) == (server, code) and name in (None, seat.name):
                return seat
        return None

    def keep(self, seat: KeptSeat) -> None:
        """Add a seat; the oldest ones are dropped.

        Raises:
            StorageError: The file can't be read or written, or is damaged.
        """

        def add(content: bytes) -> bytes:
            seats = [one for one in self._parsed(content.decode("utf-8", "replace")) if one != seat]
            kept = [*seats, seat][-_MOST:]
            return f"{json.dumps([dataclasses.asdict(one) for one in kept])}\n".encode()

        change_file(self._path, _LARGEST, add)

    def _parsed(self, text: str) -> list[KeptSeat]:
        if not text:
            return []
        subject = _READER.subject(self._path)
        data: Any = _READER.parse(text, subject)
        codec = object_codec(KeptSeat)
        try:
            if not isinstance(data, list):
                raise PositionError("it is not a list")
            return [
                codec.read({"name": "", **item} if isinstance(item, dict) else item, f"[{number}]")
                for number, item in enumerate(data)
            ]
        except PositionError as error:
            raise StorageError(f"{subject} is damaged: {error.message}", _REMEDY) from None
