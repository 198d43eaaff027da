"""Endgame tables: their files, where these are stored, and what a game provides for them.

A table holds the winning probability of every position with few pieces, as 16-bit numbers in an
order defined by the game. The file starts with one line of JSON, which describes the table and
holds a checksum. The raw numbers follow, so that a lookup is an index.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from boardgames_cli.algorithms.learned_file import Count, LearnedFile
from boardgames_cli.core.game import AnyGame

FOLDER_VARIABLE: Final = "BOARDGAMES_TABLES"

SCALE: Final = 65535
"""The number that stands for a certain win; 0 is a certain loss."""

ROUNDING: Final = 0.5 / SCALE
"""The largest rounding error of a number in a table, as a probability."""

_REMEDY: Final = "Remove it, or make it anew."
_WIDTH: Final = 2
_LINE: Final = 64


class EndingsWarning(UserWarning):
    """A table of endings is ignored; the message says why."""


_FILE: Final = LearnedFile("boardgames_endings", "table of endings", 30_000_000_000, _REMEDY)
TABLES: Final = _FILE.reader


@dataclass(frozen=True, slots=True)
class EndingsTable:
    """The winning probabilities of all positions with few pieces, for one rule set."""

    game: str
    rules_version: Count
    rules: str
    up_to: Count
    """The maximum number of pieces per side."""
    error: float
    """The largest error of a probability, not counting rounding."""
    numbers: memoryview
    """0 to `SCALE`, in the game's order; its format is H."""

    def content(self) -> tuple[bytes, memoryview]:
        """The content of the table's file: its first line, and the numbers."""
        data = _ordered(self.numbers.cast("B"))
        header = {
            **_FILE.entries(self, "numbers"),
            "positions": len(self.numbers),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        line = json.dumps(header).encode()
        # The numbers start at an aligned offset, so that compiled code can read them in place.
        return line.ljust(-(-(len(line) + 1) // _LINE) * _LINE - 1) + b"\n", data


def read_table(path: Path, game: AnyGame) -> EndingsTable:
    """Read a table from a file.

    Raises:
        LearnedFileError: The file can't be read, is damaged, or was made for another game or other
            rules.
    """
    return parse_table(TABLES.read_bytes(path), TABLES.subject(path), game)


def parse_table(content: bytes, subject: str, game: AnyGame) -> EndingsTable:
    """Read a table.

    Args:
        content: The content of the file.
        subject: The name of the file in messages.
        game: The game for which the table must have been made, with the same rules version.

    Raises:
        LearnedFileError: The file is damaged, or was made for another game or other rules.
    """
    end = content.find(b"\n")  # a partition would copy gigabytes
    line = content[: max(0, end)]
    if end < 0 or not line.startswith(b"{"):
        raise _FILE.error(f"{subject} is not a table of endings of boardgames.")
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        raise _FILE.error(f"{subject} is damaged: its first line is not text.") from None
    header = _FILE.header(TABLES.parse(text, subject), subject)
    data = memoryview(content)[len(line) + 1 :]
    is_whole = header.get("positions") == len(data) / _WIDTH
    if not is_whole or hashlib.sha256(data).hexdigest() != header.get("sha256"):
        raise _FILE.error(f"{subject} is damaged: its checksum is wrong.")
    table = _FILE.read(EndingsTable, header, subject, numbers=_ordered(data).cast("H"))
    _FILE.check_game(table, game)
    return table


def _ordered(data: memoryview) -> memoryview:
    """The bytes of native numbers as little-endian ones, and the other way round."""
    if sys.byteorder == "little":
        return data
    numbers = array("H", data.tobytes())
    numbers.byteswap()
    return memoryview(numbers).cast("B")


def tables_folder() -> Path:
    """The folder for tables computed by users; it may not exist yet.

    The environment variable ``BOARDGAMES_TABLES`` overrides the platform's folder.
    """
    variable = os.environ.get(FOLDER_VARIABLE)
    if variable:
        return Path(variable)
    import platformdirs  # imported late: few commands need it

    return Path(platformdirs.user_data_path("boardgames", appauthor=False)) / "endings"


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table that exists or could exist."""

    rules: str
    path: Path | None
    """Its file; None if the table is bundled with the program."""
    table: EndingsTable | None
    problem: str = ""
    """Why it can't be used; empty if it can."""


class GameEndings(Protocol):
    """What a game provides for tables of endings; `GameSpec.endings` names the object."""

    pieces: str
    """What the pieces are called, such as "dancers"."""

    def tables(self, game: AnyGame) -> Sequence[TableFacts]:
        """The tables for a game: the bundled one and the user's own."""
        ...

    def start_chances(self, table: EndingsTable) -> Sequence[float]:
        """The winning probability of the side that begins a game with 1, 2, ... pieces a side."""
        ...

    def judge(self, game: AnyGame, state: Any) -> tuple[float, Mapping[str, float]] | None:
        """The exact winning probabilities of the player to act: now, and after each action.

        Returns:
            The probability of the position, and one per action, none at a chance node; None if no
            table has the position.
        """
        ...
