"""Endgame tables and their files.

A table holds the winning probability of every position with few pieces, as 16-bit numbers in an
order defined by the game. The file starts with one line of JSON, which describes the table and
holds a checksum. The raw numbers follow, so that a lookup is an index.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from dataclasses import dataclass
from typing import Final

from boardgames_cli.algorithms.learned_file import Count, LearnedFile
from boardgames_cli.core.game import AnyGame

SCALE: Final = 65535
"""The number that stands for a certain win; 0 is a certain loss."""

ROUNDING: Final = 0.5 / SCALE
"""The largest rounding error of a number in a table, as a probability."""

_WIDTH: Final = 2


_FILE: Final = LearnedFile(
    "boardgames_endings", "table of endings", 30_000_000_000, "Make it anew."
)


@dataclass(frozen=True, slots=True)
class EndingsTable:
    """The winning probabilities of all positions with few pieces, for one rule set."""

    game: str
    rules_version: Count
    rules: str
    up_to: Count
    error: float
    """The largest error of a probability, not counting rounding."""
    numbers: memoryview
    """0 to `SCALE`, in the game's order; its format is H."""


def parse_table(content: bytes, subject: str, game: AnyGame) -> EndingsTable:
    """Read a table that was made for this game from the content of a file.

    Raises:
        LearnedFileError: The file is damaged, or was made for another game or other rules.
    """
    end = content.find(b"\n")  # a partition would copy gigabytes
    line = content[: max(0, end)].decode("ascii", "replace")
    header = _FILE.header(_FILE.reader.parse(line, subject), subject)
    data = memoryview(content)[end + 1 :]
    is_whole = header.get("positions") == len(data) / _WIDTH
    if not is_whole or hashlib.sha256(data).hexdigest() != header.get("sha256"):
        raise _FILE.error(f"{subject} is damaged: its checksum is wrong.")
    table = _FILE.read(EndingsTable, header, subject, numbers=ordered(data).cast("H"))
    _FILE.check_game(table, game)
    return table


def ordered(data: memoryview) -> memoryview:
    """The bytes of native numbers as little-endian ones, and the other way round."""
    if sys.byteorder == "little":
        return data
    numbers = array("H", data.tobytes())
    numbers.byteswap()
    return memoryview(numbers).cast("B")
