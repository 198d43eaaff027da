"""What a server must remember of a table besides the save of its game.

A file of lines that is only appended to: the table as it was opened, who took a seat, what was
said, the clocks. Every line is handed to the system before anybody is told, so that killing the
server loses nothing that was acknowledged. Tokens and passwords are kept as hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.files import LockedFile, changing

SUFFIX: Final = ".table"

_LARGEST: Final = 16 << 20
_READER: Final = JsonReader("the table", _LARGEST, StorageError)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """A table as it was opened."""

    id: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    """The holder of each seat: ``human:name=Ann``, ``open``, or an agent."""
    code: str
    """The code for open seats."""
    watch_code: str = ""
    """The code for spectators; empty if nobody may watch."""
    clock: str = ""
    move_time: str = ""
    tick: float | None = None
    password: str = ""
    """The hash of the password; empty for none."""
    created: float = 0.0
    """The time in seconds since 1970."""
    opening: str = ""
    """The words with which the owner of the server opened it, and finds it again."""


@dataclass(slots=True)
class TableRecord:
    """A table as its file tells it."""

    settings: TableSettings
    secrets: list[str] = field(default_factory=list)
    """The server's secrets for the dice of each game so far and of the next one."""
    seated: list[Mapping[str, Any]] = field(default_factory=list)
    """Who took which seat, in the order of time; later lines replace earlier ones."""
    saves: list[str] = field(default_factory=list)
    """The names of the saves of the games so far, the last one being played."""
    clocks: tuple[float, ...] = ()
    chat: list[tuple[str, str]] = field(default_factory=list)
    """Names, and what was said."""
    ended: Mapping[str, Any] | None = None
    """How the last game ended; None if it did not."""


class TableFile:
    """The file of one table.

    Args:
        file: The open file.
    """

    def __init__(self, file: LockedFile) -> None:
        self._file = file

    @classmethod
    def create(cls, folder: Path, settings: TableSettings) -> TableFile:
        """Create the file of a new table.

        Raises:
            StorageError: It can't be written.
        """
        data = {name: getattr(settings, name) for name in settings.__slots__}
        with changing(f"the folder {folder}", "Choose another with --save-dir."):
            folder.mkdir(parents=True, exist_ok=True)
            return cls(LockedFile.create(folder / f"{settings.id}{SUFFIX}", _line({"table": data})))

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._file.path.stem

    def append(self, **fields: Any) -> None:
        """Add a line.

        Raises:
            StorageError: It can't be written; nothing may be acknowledged then.
        """
        with changing("the table", "Free some space on the server."):
            self._file.append(_line(fields))

    def discard(self) -> None:
        """Delete the file: nobody can come back to the table."""
        self._file.unlink()
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_tables(folder: Path) -> Iterator[tuple[TableFile, TableRecord]]:
    """Open the tables that an earlier server left, oldest first; broken ones are passed over.

    An incomplete last line, as a killed server may leave it, is cut off.
    """
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            file = LockedFile.open(path)
        except (OSError, ValueError):
            continue  # another server has it
        try:
            found.append((TableFile(file), _read(file)))
        except (StorageError, OSError, KeyError, TypeError, ValueError):
            file.close()
    yield from sorted(found, key=lambda one: one[1].settings.created)


def _read(file: LockedFile) -> TableRecord:
    data = file.read(_LARGEST)
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        file.truncate(len(whole))
    first, *rest = whole.decode().splitlines()
    opened = _READER.check_object(_READER.parse(first, "the table"), "the table")["table"]
    record = TableRecord(
        TableSettings(**{**opened, "seats": tuple(opened["seats"])}),
    )
    for line in rest:
        _take(record, _READER.check_object(_READER.parse(line, "the table"), "the table"))
    return record


def _take(record: TableRecord, line: Mapping[str, Any]) -> None:
    match line:
        case {"secret": str(secret)}:
            record.secrets.append(secret)
        case {"seat": int()}:
            record.seated.append(line)
        case {"save": str(name)}:
            record.saves.append(name)
            record.ended, record.clocks = None, ()
        case {"clocks": list(left)}:
            record.clocks = tuple(float(seconds) for seconds in left)
        case {"said": str(text), "by": str(name)}:
            record.chat.append((name, text))
        case {"ended": dict(how)}:
            record.ended = how


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, allow_nan=False).encode() + b"\n"
