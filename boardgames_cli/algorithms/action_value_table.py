"""Q-tables and their files.

A file is text with one JSON document per line: a header, then one row for each position. Nothing in
it is executed, every value is checked, and the header holds a checksum of the rest, so that a
truncated or edited file is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.learned_file import Count, LearnedFile, LearnedFileError, is_count
from boardgames_cli.codec.fields import is_number
from boardgames_cli.core.text import percent

LARGEST_VALUE: Final = 1e6

Row = dict[str, tuple[float, int]]
"""By the position after each action: the action's Q-value and its number of visits."""


_CHOOSE: Final = "Choose another file, or train one: boardgames train GAME --out FILE"

_FILE: Final = LearnedFile("boardgames q-table", "Q-table", 64_000_000, _CHOOSE)
TABLES: Final = _FILE.reader
check_table: Final = _FILE.check_game


@dataclass(frozen=True, slots=True)
class QTable:
    """The learned value of every action in every position of a game.

    Positions are keyed by name (`boardgames_cli.algorithms.position_graph.position_key`), actions
    by the name of the position they lead to, so that equivalent actions share their value. Values
    are those of the side to move.
    """

    game: str
    rules_version: Count
    rows: Mapping[str, Row]
    episodes: Count
    """The number of training games; 0 if unknown."""
    shared: bool
    settings: Mapping[str, Any]
    command: str
    """The command that repeats the training, or the program that it was made by."""
    curve: tuple[Mapping[str, Any], ...] = ()
    """The learning curve: measurements after some numbers of games."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of positions, and the total number of values."""
        return len(self.rows), sum(map(len, self.rows.values()))

    def facts(self) -> list[tuple[str, str]]:
        """Facts about it as (name, value) pairs."""
        tries = sum(visits for row in self.rows.values() for _, visits in row.values())
        games = f"{self.episodes:,} games, " if self.episodes else ""
        facts = [
            ("game", f"{self.game}, rules version {self.rules_version}"),
            ("size", f"{self.shape[0]} positions, {self.shape[1]} values"),
            ("learned from", f"{games}{tries:,} moves"),
        ]
        match self.curve[-1] if self.curve else {}:
            case {"kept": int(kept), "positions": int(positions), "score": float(score)}:
                facts.append(("exact value kept", f"in {kept} of {positions} positions"))
                facts.append(("against random", f"{percent(score, 1)} of the points"))
        return [*facts, ("made by", self.command)]

    def text(self) -> str:
        rows = "".join(
            _dump([key, {after: list(entry) for after, entry in row.items()}]) + "\n"
            for key, row in self.rows.items()
        )
        keys = (_FILE.key, "game", "rules_version", "shape")
        header = dict.fromkeys(keys) | _FILE.entries(self, "rows") | {"shape": list(self.shape)}
        return f"{_dump({**header, 'checksum': _checksum(header, rows)})}\n{rows}"


def _dump(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _checksum(header: Mapping[str, Any], rows: str) -> str:
    return hashlib.sha256(f"{_dump(header)}\n{rows}".encode()).hexdigest()


def read_table(
    path: str | Path, theirs: Callable[[Path, str], QTable | None] | None = None
) -> QTable:
    """Read a table from a file.

    `theirs` reads the tables of another program from their file and its text; None if it is none.

    Raises:
        LearnedFileError: The file can't be read or is not a complete, valid Q-table.
    """
    text = TABLES.read_text(path)
    try:
        found = None if theirs is None else theirs(Path(path), text)
        return parse_table(text) if found is None else found
    except LearnedFileError as error:
        raise LearnedFileError(f"{TABLES.subject(path)}: {error.message}", error.todo) from error


def parse_table(text: str) -> QTable:
    """Read a table from the text of a file.

    Raises:
        LearnedFileError: It is not a complete, valid Q-table.
    """
    first, _, rows = text.replace("\r\n", "\n").partition("\n")
    header = _FILE.header(TABLES.parse(first, "line 1"), "it")
    checksum = header.pop("checksum", None)
    if checksum != _checksum(header, rows):
        raise _FILE.error("it is damaged: the checksum is not the one of its contents.")
    lines = rows.removesuffix("\n").split("\n") if rows else []
    return _table(header, [_row(line, number) for number, line in enumerate(lines, 2)])


def _is_curve(curve: list[Any]) -> bool:
    return all(
        isinstance(point, dict)
        and point.keys() == curve[0].keys()
        and all(map(is_number, point.values()))
        for point in curve
    )


def _row(line: str, number: int) -> tuple[str, Row]:
    match TABLES.parse(line, f"line {number}"):
        case [str(key), dict(entries)] if entries and all(map(_is_entry, entries.values())):
            return key, {after: (float(q), visits) for after, (q, visits) in entries.items()}
    raise _FILE.error(f"line {number} is not a row of a Q-table.")


def _is_entry(entry: Any) -> bool:
    match entry:
        case [int() | float() as q, visits] if not isinstance(q, bool) and is_count(visits):
            return abs(q) <= LARGEST_VALUE
    return False


def _table(header: Mapping[str, Any], rows: list[tuple[str, Row]]) -> QTable:
    curve = header.get("curve")
    if not isinstance(curve, list) or not _is_curve(curve):
        raise _FILE.error('it is damaged: "curve" is wrong.')
    table = _FILE.read(QTable, header, "it", rows=dict(rows), curve=tuple(curve))
    if list(table.shape) != header.get("shape") or len(rows) != len(table.rows):
        raise _FILE.error(
            f"it has {table.shape[0]} positions and {table.shape[1]} values, but should have "
            f"{header.get('shape')}."
        )
    return table
