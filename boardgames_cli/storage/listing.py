"""Summaries of saves for lists, which read no more of a file than needed."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import os
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Final

from boardgames_cli.codec.json_reader import open_regular
from boardgames_cli.core.agent import HUMAN, split_agent
from boardgames_cli.core.errors import GameError, RecordError
from boardgames_cli.core.game import Ending, Seat, read_ending, winners
from boardgames_cli.core.record import Header, Record, read_lines
from boardgames_cli.storage.reading import LARGEST_SAVE, make_game, parse, unreadable

_BLOCK: Final = 1 << 16
"""The number of bytes read at each end of a long save."""

_NO_STEPS: Final = (b'{"note"', b'{"digest"', b'{"result"')
_NO_TIME: Final = datetime.datetime.fromtimestamp(0, datetime.UTC)
_END_OF_TIME: Final = datetime.datetime(9999, 12, 30, tzinfo=datetime.UTC)


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


class Kind(Enum):
    """The kind of a file, by its first line."""

    SAVE = auto()
    DAMAGED = auto()
    """Not JSON; it may have been a save."""
    FOREIGN = auto()
    """Other JSON."""


def summarize(path: Path) -> SaveSummary:
    """Summarize a save. Problems with the file are reported in the summary, never raised."""
    modified = _NO_TIME
    try:
        descriptor = open_regular(path)
        with os.fdopen(descriptor, "rb") as file:
            modified = _moment(os.fstat(descriptor).st_mtime)
            outline = _outline(file, path)
        make_game(outline.header)
    except GameError as error:
        return SaveSummary(path.stem, path, modified, problem=str(error))
    except OSError as error:
        return SaveSummary(path.stem, path, modified, problem=str(unreadable(path, error)))
    except Exception as error:  # a plug-in's rules may raise anything
        problem = f"{path.name} can't be set up ({type(error).__name__}: {error})."
        return SaveSummary(path.stem, path, modified, problem=problem)
    plies = outline.plies or 0
    return SaveSummary(path.stem, path, modified, outline.header, plies, outline.result)


def kind_of(descriptor: int) -> Kind:
    """What an open file is."""
    first = os.read(descriptor, _BLOCK).partition(b"\n")[0]
    try:
        data = json.loads(first.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError, MemoryError):
        return Kind.DAMAGED
    return Kind.SAVE if isinstance(data, dict) and "boardgames" in data else Kind.FOREIGN


def is_foreign(path: Path) -> bool:
    """Whether a file is other JSON than a save, such as a Q-table."""
    with contextlib.suppress(OSError), os.fdopen(open_regular(path)) as file:
        return kind_of(file.fileno()) is Kind.FOREIGN
    return False


def _moment(seconds: float) -> datetime.datetime:
    try:
        return datetime.datetime.fromtimestamp(seconds).astimezone()
    except (ValueError, OverflowError, OSError):
        return _END_OF_TIME if seconds > 0 else _NO_TIME


def _outline(file: io.BufferedReader, path: Path) -> Record:
    size = os.fstat(file.fileno()).st_size
    if size > LARGEST_SAVE:
        raise RecordError(f"{path.name} is larger than {LARGEST_SAVE // 1_000_000} MB.")
    if size <= 2 * _BLOCK:
        return parse(file.read(2 * _BLOCK), path)
    header, newline, _ = file.read(_BLOCK).partition(b"\n")
    if not newline:
        raise RecordError(f"{path.name}, line 1: this is longer than any header.")
    file.seek(size - _BLOCK)
    tail = file.read(_BLOCK).partition(b"\n")[2]
    outline = _ends(header, tail, path)
    if outline.plies is not None:
        return outline
    file.seek(0)
    steps = sum(bool(line.strip()) and not line.startswith(_NO_STEPS) for line in file) - 1
    return replace(outline, plies=steps)


def _ends(header: bytes, tail: bytes, path: Path) -> Record:
    lines = io.StringIO(tail.decode("utf-8", "replace"), newline="\n")
    try:
        return read_lines([header.decode("utf-8-sig", "replace"), *lines], has_gap=True)
    except RecordError as error:
        where = f"line {error.line}: "
        what = error.message.removeprefix(where)
        place = where if error.line == 1 else "near its end: "
        raise RecordError(f"{path.name}, {place}{what}", error.todo) from error
