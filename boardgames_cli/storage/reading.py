"""Reads saves from untrusted files, replays them through the rules, and lists them."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.codec.json_reader import open_regular, read_regular
from boardgames_cli.core.agent import HUMAN, split_agent
from boardgames_cli.core.errors import GameError, RecordError, StorageError
from boardgames_cli.core.game import AnyGame, Ending, Seat, read_ending, winners
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import Header, Record, check_rules_version, read_lines
from boardgames_cli.registry import make
from boardgames_cli.storage.files import reason_of

LARGEST_SAVE: Final = 64_000_000
_BLOCK: Final = 1 << 16
"""The number of bytes in which the first line of a save must end."""

_NO_TIME: Final = datetime.datetime.fromtimestamp(0, datetime.UTC)
_END_OF_TIME: Final = datetime.datetime(9999, 12, 30, tzinfo=datetime.UTC)


def read_bytes(path: Path) -> bytes:
    """The content of a save."""
    try:
        return read_regular(path, LARGEST_SAVE)
    except (OSError, ValueError) as error:  # the name has a null byte
        raise unreadable(path, error) from error


def parse(data: bytes, path: Path) -> Record:
    """Read a record; errors name the file and the line."""
    # Invalid UTF-8 becomes replacement characters, which are invalid JSON, or at worst part of a
    # player's name.
    text = data.decode("utf-8-sig", "replace")
    with _named(path):
        return read_lines(io.StringIO(text, newline="\n"))


def load_record(path: str | Path) -> Record:
    """Read a saved or recorded game from a file.

    Args:
        path: A JSON-lines file written by boardgames.

    Returns:
        The record; ``record.restore(game)`` replays it.

    Raises:
        StorageError: The file can't be read.
        RecordError: It is damaged, not a save, or from a newer version.
    """
    path = Path(path)
    return parse(read_bytes(path), path)


def restore(record: Record, path: Path | None = None) -> AnyMatch:
    """Replay a record with the game it names.

    Raises:
        RecordError: The game or its options are unknown, or a step is illegal.
    """
    with _named(path):
        return record.restore(make_game(record.header))


@contextlib.contextmanager
def _named(path: Path | None) -> Iterator[None]:
    try:
        yield
    except RecordError as error:
        if path is None:
            raise
        name = f"{path.name}, " if error.line else f"{path.name}: "
        raise RecordError(name + error.message, error.todo) from error


def make_game(header: Header) -> AnyGame:
    """Make the rulebook of a record."""
    try:
        game = make(header.game, **dict(header.options))
    except GameError as error:
        raise RecordError(f"this game can't be set up: {error.message}", error.todo, 1) from error
    check_rules_version(header, game)
    return game


def unreadable(path: Path, error: OSError | ValueError) -> StorageError:
    """The error for a file that can't be read."""
    return StorageError(f"{path} can't be read ({reason_of(error)}).")


@dataclass(frozen=True, slots=True)
class SaveSummary:
    """One line of the list of saves."""

    name: str
    path: Path
    modified: datetime.datetime
    header: Header | None = None
    plies: int = 0
    result: tuple[float, ...] | None = None
    problem: str = ""
    """Why it can't be resumed; empty if it can."""

    @property
    def is_finished(self) -> bool:
        """Whether the game in it is over, by its rules or by its players."""
        return self._ended is not None or self.result is not None

    @property
    def winners(self) -> list[Seat] | None:
        """The seats that have won; empty for a draw, None where the game has no result."""
        if self._ended is not None:
            return self._ended.winners
        header = self.header
        was_cut = header is not None and self.plies == header.max_plies
        return None if self.result is None or was_cut else winners(self.result)

    @property
    def _ended(self) -> Ending | None:
        header = self.header
        return None if header is None else read_ending(header.ended, len(header.seats))

    @property
    def can_go_on(self) -> bool:
        """Whether it waits for a person: agents that were no longer watched wait for nobody."""
        is_open = not self.problem and not self.is_finished
        seats = () if self.header is None else self.header.seats
        return is_open and any(split_agent(seat)[0] == HUMAN for seat in seats)


def summarize(path: Path) -> SaveSummary:
    """Summarize a save. Problems with the file are reported in the summary, never raised."""
    modified = _NO_TIME
    try:
        modified = _moment(path.stat().st_mtime)
        record = parse(read_bytes(path), path)
        make_game(record.header)
    except GameError as error:
        problem = str(error)
    except OSError as error:
        problem = str(unreadable(path, error))
    except Exception as error:  # a plug-in's rules may raise anything
        problem = f"{path.name} can't be set up ({type(error).__name__}: {error})."
    else:
        header, plies = record.header, len(record.steps)
        return SaveSummary(path.stem, path, modified, header, plies, record.result)
    return SaveSummary(path.stem, path, modified, problem=problem)


def is_save(descriptor: int) -> bool | None:
    """Whether an open file is a save, by its first line; None if it is damaged, no JSON."""
    first = os.read(descriptor, _BLOCK).partition(b"\n")[0]
    try:
        data = json.loads(first.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError, MemoryError):
        return None
    return isinstance(data, dict) and "boardgames" in data


def is_foreign(path: Path) -> bool:
    """Whether a file is other JSON than a save, such as a Q-table."""
    with contextlib.suppress(OSError), os.fdopen(open_regular(path)) as file:
        return is_save(file.fileno()) is False
    return False


def _moment(seconds: float) -> datetime.datetime:
    try:
        return datetime.datetime.fromtimestamp(seconds).astimezone()
    except (ValueError, OverflowError, OSError):
        return _END_OF_TIME if seconds > 0 else _NO_TIME
