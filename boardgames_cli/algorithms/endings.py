"""Tables of exact endings: the file that holds one, where it lies, and what a game says of them.

A table has the chance of winning in every position with few pieces, as numbers of 16 bits in an
order that the game knows. The file is one line of JSON, with what the table is for and a checksum,
and after it the bare numbers, so that reading one is a copy and looking one up is an index.
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
from typing import Any, ClassVar, Final, Protocol

from boardgames_cli.algorithms.learned_file import LearnedFile
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.json_reader import JsonReader
from boardgames_cli.core.position import is_number

FOLDER_VARIABLE: Final = "BOARDGAMES_TABLES"

SCALE: Final = 65535
"""The number that stands for a certain win; 0 is a certain loss."""

ROUNDING: Final = 0.5 / SCALE
"""The most by which a number of a table differs from the chance that it was rounded from."""

_REMEDY: Final = "Remake it: boardgames solve GAME --force"
_WIDTH: Final = 2
_LINE: Final = 64


class EndingsError(GameError):
    """A table of endings is missing, damaged, or made for another game or other rules."""

    exit_code: ClassVar[int] = EXIT_FILE


class EndingsWarning(UserWarning):
    """A table of endings is left out; the message says why."""


TABLES: Final = JsonReader(
    what="the table of endings", limit=500_000_000, error=EndingsError, remedy=_REMEDY
)
_FILE: Final = LearnedFile("boardgames_endings", "table of endings", TABLES)


@dataclass(frozen=True, slots=True)
class EndingsTable:
    """The chances of winning in all positions with few pieces, under one rule set."""

    game: str
    rules_version: int
    rules: str
    up_to: int
    """The most pieces that a side has in these positions."""
    error: float
    """The most by which a chance can be wrong, rounding left out."""
    numbers: memoryview
    """0 to `SCALE`, in the game's order; its format is H."""

    def to_bytes(self) -> bytes:
        """The table as the content of a file."""
        data = _little_endian(self.numbers)
        header = {
            _FILE.key: _FILE.format,
            "game": self.game,
            "rules_version": self.rules_version,
            "rules": self.rules,
            "up_to": self.up_to,
            "positions": len(self.numbers),
            "error": self.error,
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        line = json.dumps(header).encode()
        # The numbers begin at a round place, so that compiled code can read them where they lie.
        return line.ljust(-(-(len(line) + 1) // _LINE) * _LINE - 1) + b"\n" + data


def read_table(path: Path, game: AnyGame) -> EndingsTable:
    """Read a table from a file.

    Raises:
        EndingsError: It can't be read, is damaged, or was made for another game or other rules.
    """
    return parse_table(TABLES.read_bytes(path), TABLES.subject(path), game)


def parse_table(content: bytes, subject: str, game: AnyGame) -> EndingsTable:
    """Read a table.

    Args:
        content: What the file holds.
        subject: What to call the file in messages.
        game: The game that the table must be made for, with the version of its rules.

    Raises:
        EndingsError: It is damaged, or was made for another game or other rules.
    """
    line, found, _ = content.partition(b"\n")
    if not found or not line.startswith(b"{"):
        raise EndingsError(f"{subject} is no table of endings of boardgames.", _REMEDY)
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        raise EndingsError(f"{subject} is damaged: its first line is no text.", _REMEDY) from None
    header = _FILE.header(TABLES.parse(text, subject), subject)
    _FILE.check_fields(header, subject, {"rules": str, "up_to": int, "positions": int})
    _FILE.check_game(game, header["game"], header["rules_version"])
    data = memoryview(content)[len(line) + 1 :]
    is_whole = len(data) == _WIDTH * header["positions"] and is_number(header.get("error"))
    if not is_whole or hashlib.sha256(data).hexdigest() != header.get("sha256"):
        raise EndingsError(f"{subject} is damaged: its checksum is wrong.", _REMEDY)
    return EndingsTable(
        header["game"],
        header["rules_version"],
        header["rules"],
        header["up_to"],
        float(header["error"]),
        _native(data),
    )


def _little_endian(numbers: memoryview) -> bytes:
    return _swapped(numbers) if sys.byteorder == "big" else numbers.tobytes()


def _native(data: memoryview) -> memoryview:
    return memoryview(_swapped(data)).cast("H") if sys.byteorder == "big" else data.cast("H")


def _swapped(data: memoryview) -> bytes:
    numbers = array("H", data.tobytes())
    numbers.byteswap()
    return numbers.tobytes()


def tables_folder() -> Path:
    """Where the tables lie that users make; it need not exist yet.

    The environment variable ``BOARDGAMES_TABLES`` names another one than the platform's.
    """
    variable = os.environ.get(FOLDER_VARIABLE)
    if variable:
        return Path(variable)
    import platformdirs  # imported here: few commands need it

    return Path(platformdirs.user_data_path("boardgames", appauthor=False)) / "endings"


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table that there is, or should be."""

    rules: str
    path: Path | None
    """None if it comes with the program."""
    table: EndingsTable | None
    problem: str = ""
    """Why it can't be used; empty if it can."""


class GameEndings(Protocol):
    """What a game says of its endings; `GameSpec.endings` names the object."""

    sizes: Sequence[int]
    """Up to how many pieces a side a table can have."""
    pieces: str
    """What the pieces are called, such as "dancers"."""
    solver: str
    """``package.module:Class`` of the `EndingsSolver`; may need an extra."""

    def games(self) -> Sequence[AnyGame]:
        """A rulebook for every table that there can be: one of each rule set."""
        ...

    def path(self, game: AnyGame) -> Path:
        """Where the table lies that users make for a game."""
        ...

    def tables(self, game: AnyGame) -> Sequence[TableFacts]:
        """The tables there are for a game: the one that comes with it, the one of the user."""
        ...

    def judge(self, game: AnyGame, state: Any) -> tuple[float, Mapping[str, float]] | None:
        """The exact chances of the player to act: of the position, and after each action.

        Returns:
            None if no table has the position. Before a throw of chance there are no actions.
        """
        ...


class EndingsSolver(Protocol):
    """Works out one table. It is made with the game and the size of the table."""

    total: int
    """How many positions there are."""

    @property
    def done(self) -> int:
        """About how many positions' worth of work is done."""
        ...

    @property
    def stage(self) -> str:
        """What it is at, for people."""
        ...

    @property
    def is_finished(self) -> bool:
        """Whether all positions are known closely enough."""
        ...

    def work(self) -> None:
        """Work for a moment: a fraction of a second."""
        ...

    def table(self) -> EndingsTable:
        """The table, once it is finished."""
        ...

    def save(self) -> bytes:
        """The work as it stands, for the content of a file."""
        ...

    def restore(self, content: bytes) -> bool:
        """Go on with work that was saved; False if it is damaged or other work."""
        ...
