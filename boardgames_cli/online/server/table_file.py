"""What a server must remember of a table besides the save of its game.

A file of lines that is only appended to: the table as it was opened, who took a seat, the clocks.
Every line is handed to the system before anybody is told, so that killing the server loses nothing
that was acknowledged; what must not be torn apart stands in one line. Tokens are kept as hashes.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.derived import codec_of, object_codec, read_entries
from boardgames_cli.codec.json_reader import JsonReader, read_regular
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import Seat
from boardgames_cli.online.server.people import Player
from boardgames_cli.storage.files import LockedFile, changing
from boardgames_cli.storage.journal import SUFFIX as SAVE_SUFFIX
from boardgames_cli.storage.journal import claim, prefix_of
from boardgames_cli.storage.reading import LARGEST_SAVE

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
    """The code for spectators; tables of 0.2 may have none."""
    clock: str = ""
    move_time: str = ""
    tick: float | None = None
    is_private: bool = False
    """Whether it is in no list."""
    created: float = 0.0
    """The time in seconds since 1970."""
    opening: str = ""
    """The words with which the owner of the server opened it, and finds it again."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that a client may call it: its id and its codes."""
        return tuple(filter(None, (self.id, self.code, self.watch_code)))


@dataclass(slots=True)
class TableRecord:
    """A table as its file tells it."""

    settings: TableSettings
    secret: str = ""
    """The end of the chain of the server's secrets; see `fair_dice.secret_of`."""
    seated: dict[Seat, Player] = field(default_factory=dict)
    """Who sits on which seat."""
    saves: list[str] = field(default_factory=list)
    """The names of the saves of the games so far, the last one being played."""
    clocks: tuple[float, ...] = ()
    chosen: list[tuple[int, Seat, str]] = field(default_factory=list)
    """Plies, seats and actions that were chosen in joint steps since the last undo."""
    ended: Mapping[str, Any] | None = None
    """How the last game ended, as `core.game.Ending.saved` tells it; None if it did not."""


class TableFile:
    """The file of one table."""

    def __init__(self, file: LockedFile, size: int = 0) -> None:
        self._file = file
        self._size = size

    @classmethod
    def create(cls, folder: Path, settings: TableSettings, secret: str) -> TableFile:
        """Create the file of a new table."""
        line = _line({"table": object_codec(TableSettings).write(settings), "secret": secret})
        with changing(f"the folder {folder}", "Choose another with --save-dir."):
            folder.mkdir(parents=True, exist_ok=True)
            return cls(LockedFile.create(table_path(folder, settings.id), line), len(line))

    @property
    def is_own(self) -> bool:
        return self._file.is_in_place

    @property
    def is_taken(self) -> bool:
        """Whether another process has taken it over, and it was not only deleted."""
        return not self.is_own and self._file.path.exists()

    def append(self, **fields: Any) -> None:
        """Add a line.

        Raises:
            StorageError: It can't be written; nothing may be acknowledged then.
        """
        line = _line(fields)
        if self._size + len(line) > _LARGEST:  # it could not be read again
            raise StorageError("too much has happened at this table.", "Open another one.")
        with changing("the table", "Free some space on the server."):
            try:
                self._file.append(line)
            except OSError:
                self._file.truncate(self._size)  # else the next line would be part of a torn one
                raise
            if not self.is_own:
                raise StorageError("another server has this table now.", "Come back to it there.")
        self._size += len(line)

    def discard(self) -> None:
        """Delete the file: nobody can come back to the table."""
        try:
            with changing("the table", how="deleted"):
                self._file.unlink()
        finally:
            self.close()

    def close(self) -> None:
        self._file.close()


def table_path(folder: Path, name: str) -> Path:
    """The file of a table."""
    return folder / f"{name}{SUFFIX}"


def open_tables(
    folder: Path, taken: Collection[str] | None = None
) -> Iterator[tuple[TableFile, TableRecord]]:
    """Open the tables that an earlier server left, oldest first; broken ones are passed over.

    An incomplete last line, as a killed server may leave it, is cut off.

    Args:
        folder: Their folder.
        taken: The tables that are taken from a process that hangs; None opens all that no other
            process has.
    """
    found = []
    paths = folder.glob(f"*{SUFFIX}") if taken is None else (table_path(folder, n) for n in taken)
    for path in sorted(paths):
        try:
            file = LockedFile.open(path) if taken is None else LockedFile.take_over(path, _LARGEST)
        except (OSError, ValueError):
            continue  # another server has it
        try:
            record, size = _read(file)
            table = TableFile(file, size)
            if taken is not None and record.saves:
                _move_save(folder, table, record)
            found.append((table, record))
        except (GameError, OSError, LookupError, UnicodeDecodeError):
            file.close()
    yield from sorted(found, key=lambda one: one[1].settings.created)


def _move_save(folder: Path, table: TableFile, record: TableRecord) -> None:
    # The process that hangs may have been stopped while it replaces the save, and does so later.
    name = record.saves[-1]
    old = folder / f"{name}{SAVE_SUFFIX}"
    copy = claim([folder], prefix_of(name), read_regular(old, LARGEST_SAVE))
    copy.close()
    record.saves[-1] = copy.path.stem
    table.append(moved=copy.path.stem)
    with contextlib.suppress(OSError):  # it is a leftover then
        old.unlink()


def _read(file: LockedFile) -> tuple[TableRecord, int]:
    data = file.read(_LARGEST)
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        file.truncate(len(whole))
    lines = [
        _READER.check_object(_READER.parse(line, "the table"), "the table")
        for line in whole.decode().split("\n")[:-1]
    ]
    opened = lines[0]["table"]
    # Tables of 0.2 had passwords.
    opened = {"is_private": bool(opened.get("password")), **opened}
    record = TableRecord(read_entries(TableSettings, opened, _wrong))
    for line in lines:
        _take(record, line)
    return record, len(whole)


def _take(record: TableRecord, line: Mapping[str, Any]) -> None:
    def read(key: str, kind: Any) -> Any:
        return codec_of(kind).read(line[key], key)

    if "secret" in line:
        record.secret = read("secret", str)
    match line:
        case {"seat": _}:
            player = read_entries(Player, line, _wrong)
            record.seated[player.seat] = player
        case {"left": _}:
            record.seated.pop(read("left", Seat), None)
        case {"save": _}:
            record.saves.append(read("save", str))
            record.ended, record.clocks = None, ()
            record.chosen.clear()
            if "seats" in line:  # a rematch
                record.seated = {one.seat: one for one in read("seats", tuple[Player, ...])}
        case {"moved": _}:
            record.saves[-1] = read("moved", str)
        case {"chosen": _}:
            record.chosen.append((read("ply", int), read("by", Seat), read("chosen", str)))
        case {"undone": _}:
            record.chosen.clear()
        case {"clocks": _}:
            record.clocks = read("clocks", tuple[float, ...])
        case {"ended": {"reason": str(), "loser": int() | None} as ended}:
            record.ended = ended
        case {"ended": _}:
            raise _wrong("ended")


def _wrong(key: str) -> StorageError:
    return StorageError(f'"{key}" is missing or wrong in the file of a table.')


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, allow_nan=False).encode() + b"\n"
