"""Rounded tables of Senet's endings, small enough to come with the program.

Neighbouring positions of a table have similar values. Each part of a table is a matrix with a row
for each mask of the player about to throw and a column for each of the other player. A value minus
its neighbour above, minus the same difference one column before, is close to 0; these residuals
are compressed.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add, sub
from typing import Final

from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.games.senet.table_layout import Part, TableLayout

BITS: Final = 10
"""The size of a rounded value."""

_LOW, _HIGH = (0, 1) if sys.byteorder == "little" else (1, 0)
"""The indices of the two bytes of a code."""
_TOP: Final = (1 << BITS) - 1
_WIDE: Final = array("H", [round(number * SCALE / _TOP) for number in range(_TOP + 1)])
"""The number in a table for each rounded value."""
_SIGNED: Final = [-(code + 1) // 2 if code % 2 else code // 2 for code in range(4 << BITS)]
"""The residual for each code: 0, -1, 1, -2, 2 and so on."""

ROUNDED_ERROR: Final = 0.5 / _TOP
"""The largest error of a rounded value, as a probability."""


def pack(table: EndingsTable, after: int) -> bytes:
    """Round a table.

    Args:
        table: All endings of a rule set up to some size.
        after: Parts with up to so many dancers a side are left out.

    Returns:
        The content of a file: a line of JSON, and the compressed residuals of all other parts.
    """
    layout = TableLayout(table.rules, table.up_to)
    codes = array("H")
    for part in layout.parts:
        if max(part.own, part.opponent) > after:
            codes.extend(_codes(table.numbers[part.start : part.start + part.size], part, layout))
    raw = codes.tobytes()
    data = zlib.compress(raw[_LOW::2] + raw[_HIGH::2], 9)  # low bytes, then high bytes
    header = {
        "boardgames_rounded_endings": 1,
        "game": table.game,
        "rules_version": table.rules_version,
        "rules": table.rules,
        "up_to": table.up_to,
        "after": after,
        "bits": BITS,
        "error": table.error + ROUNDED_ERROR,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    return json.dumps(header).encode() + b"\n" + data


def _codes(numbers: Sequence[int], part: Part, layout: TableLayout) -> Iterator[int]:
    width = layout.columns(part)
    above = [0] * width
    for start in range(0, part.size, width):
        row = [round(number * _TOP / SCALE) for number in numbers[start : start + width]]
        down = list(map(sub, row, above))
        for residual in map(sub, down, [0, *down[:-1]]):
            yield -2 * residual - 1 if residual < 0 else 2 * residual
        above = row


def unpack(content: bytes, subject: str, game: AnyGame, smaller: EndingsTable) -> EndingsTable:
    """Restore a table from the content of a file made by `pack`.

    Args:
        content: The content of the file.
        subject: The name of the file in messages.
        game: The rulebook for which it must have been made.
        smaller: A table with the parts that were left out.

    Raises:
        LearnedFileError: The file was made for another game or other rules, or is damaged.
    """
    line, _, data = content.partition(b"\n")
    header = json.loads(line)
    info = game.info
    made_for = (header["game"], header["rules_version"], header["rules"], header["after"])
    if made_for != (info.id, info.rules_version, smaller.rules, smaller.up_to):
        raise LearnedFileError(f"{subject} is for other rules of the game.")
    if header["bits"] != BITS or hashlib.sha256(data).hexdigest() != header["sha256"]:
        raise LearnedFileError(f"{subject} is damaged: its checksum is wrong.")
    layout = TableLayout(smaller.rules, header["up_to"])
    planes = zlib.decompress(data)
    raw = bytearray(len(planes))
    half = len(planes) // 2
    raw[_LOW::2], raw[_HIGH::2] = planes[:half], planes[half:]
    codes = memoryview(raw).cast("H")
    numbers = array("H", smaller.numbers)
    for part in layout.parts:
        if max(part.own, part.opponent) > smaller.up_to:
            first = part.start - len(smaller.numbers)
            _restore(codes[first : first + part.size], layout.columns(part), numbers)
    return EndingsTable(
        info.id,
        info.rules_version,
        smaller.rules,
        layout.up_to,
        header["error"],
        memoryview(numbers),
    )


def _restore(codes: memoryview, width: int, numbers: array[int]) -> None:
    """Append the numbers of one part."""
    above = [0] * width
    for start in range(0, len(codes), width):
        residuals = map(_SIGNED.__getitem__, codes[start : start + width])
        above = list(map(add, above, accumulate(residuals)))
        numbers.extend(map(_WIDE.__getitem__, above))
