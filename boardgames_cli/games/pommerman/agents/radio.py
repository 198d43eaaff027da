"""What two agents of a team tell each other: where one of them sees an enemy.

The first word is the row and the second the column, each in eighths of the board, so that 1 1 is
the upper left corner and 8 8 the lower right one. Silence means that no enemy is in sight.
"""

from __future__ import annotations

from boardgames_cli.games.pommerman.board import UNKNOWN, WORDS
from boardgames_cli.games.pommerman.state import SILENCE, Words


def words_for(size: int, cell: int) -> Words:
    """The words that tell of an enemy on a cell."""
    row, column = divmod(cell, size)
    return row * WORDS // size + 1, column * WORDS // size + 1


def cell_meant(size: int, words: Words) -> int:
    """A cell that words may mean, `UNKNOWN` for silence; it is right or beside the right one."""
    if words == SILENCE:
        return UNKNOWN
    row, column = (-(-(word - 1) * size // WORDS) for word in words)
    return row * size + column
