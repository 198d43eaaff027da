"""The Q-tables of the project TapnSwap-RL.

A table is text: 625 lines of 8 numbers, separated by commas (semicolons are read, too). A line is a
position: the fingers of the side to move (left, right), then those of the other side, in the order
of `_PAIRS`. The numbers are the values of its moves: four taps, by own and tapped hand, and four
swaps, by the hand that gives and whether it gives one or two fingers. Of the swaps that lead to
the same two hands the project has one, which gives the fewest fingers, if possible with the left
hand. A won game is worth 10. A second file in the folder ``data`` has how often each was tried.

Source of the format: https://github.com/JRConti/TapnSwap-RL
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from boardgames_cli.algorithms.action_value_table import LARGEST_VALUE, TABLES, QTable
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.position_graph import position_key
from boardgames_cli.core.options import finite_number
from boardgames_cli.games.tapnswap.actions import (
    DEAD,
    EVERY_HANDS,
    LEFT,
    LEGAL,
    RIGHT,
    TAPS,
    Hands,
    Tap,
    TapnSwapAction,
)
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState

_WIN: Final = 10.0
"""The value of a won game there; 1 here."""

_PAIRS: Final = sorted((DEAD, *EVERY_HANDS), key=lambda hands: hands[LEFT] == hands[RIGHT])
"""All pairs of hands, those with equal hands last."""
_LINES: Final = tuple(itertools.product(_PAIRS, repeat=2))
_GIFTS: Final = (1, 2)
_WIDTH: Final = len(TAPS) + 2 * len(_GIFTS)

_TODO: Final = "It has 625 lines of 8 numbers; docs/file-formats.md describes it."
_GAME: Final = TapnSwap()


def column_of(own: Hands, action: TapnSwapAction) -> int:
    """The column of a legal move of the side with these hands; mirrored swaps share one."""
    if isinstance(action, Tap):
        return 2 * action.own + action.opponent
    wanted = sorted((action.left, action.right))
    return next(
        len(TAPS) + len(_GIFTS) * giving + count - 1
        for count, giving in itertools.product(_GIFTS, (LEFT, RIGHT))
        if sorted((own[giving] - count, own[1 - giving] + count)) == wanted
    )


def _cells() -> Iterator[tuple[int, int, str, str]]:
    for line, (own, opponent) in enumerate(_LINES):
        state = TapnSwapState((own, opponent), 0)
        for action in LEGAL.get((own, opponent), ()):
            before, after = (
                position_key(_GAME, place, shared=False)
                for place in (state, _GAME.apply(state, {0: action}))
            )
            yield line, column_of(own, action), before, after


def read_rl_table(path: Path, text: str) -> QTable | None:
    """A table with a row for each of the 576 positions in which both sides live.

    How often each move was tried is in a file of the same form, ``data/count_NAME`` beside it.

    Args:
        path: The file of the table.
        text: Its text; if the first line has not eight numbers, it is no such table.

    Raises:
        LearnedFileError: It has another form.
    """
    first = text.partition("\n")[0]
    if len(_split(first)) != _WIDTH or first.startswith("{"):
        return None
    values = _numbers(text, LARGEST_VALUE)
    beside = path.parent / "data" / f"count_{path.name}"
    counts = _numbers(TABLES.read_text(beside), 1e15) if beside.exists() else None
    rows: dict[str, dict[str, tuple[float, int]]] = {}
    for line, column, before, after in _cells():
        count = 0 if counts is None else round(counts[line][column])
        if count < 0:
            raise LearnedFileError(f"line {line + 1} has a negative number of visits.", _TODO)
        # Two taps may kill the same hand; the project learns their values apart.
        row, entry = rows.setdefault(before, {}), (values[line][column] / _WIN, count)
        row[after] = max(entry, row.get(after, entry))
    info = _GAME.info
    return QTable(info.id, info.rules_version, rows, 0, False, {}, "TapnSwap-RL")


def _split(line: str) -> list[str]:
    return line.split(";" if ";" in line else ",")


def _numbers(text: str, most: float) -> list[list[float]]:
    lines = text.rstrip().splitlines()
    if len(lines) != len(_LINES):
        raise LearnedFileError(f"it has {len(lines)} lines, not {len(_LINES)}.", _TODO)
    numbers = []
    for place, line in enumerate(lines, 1):
        row = [_number(word, place) for word in _split(line)]
        if len(row) != _WIDTH or max(map(abs, row)) > most:
            raise LearnedFileError(f"line {place} is not {_WIDTH} numbers up to {most:g}.", _TODO)
        numbers.append(row)
    return numbers


def _number(word: str, place: int) -> float:
    try:
        return finite_number(word)
    except ValueError:
        raise LearnedFileError(
            f'line {place}: "{word[:20]}" is not a finite number.', _TODO
        ) from None
