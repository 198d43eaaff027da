"""What agents do, and the layout that chance gives, with their notations."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.pommerman.board import (
    FIRST_AGENT,
    GROUND,
    MOVE_NAMES,
    POWERS,
    RIGID,
    WOOD,
    WORDS,
)
from boardgames_cli.games.pommerman.state import SILENCE, Words


@dataclass(frozen=True, slots=True)
class Move:
    """What an agent does in one step, and by radio the two words that it says."""

    code: int
    """0 to 5, by the numbers that learners use: stop, up, down, left, right, bomb."""
    words: Words = SILENCE
    text: str = ""
    """The notation; made by `make_move`."""

    def __str__(self) -> str:
        return self.text


@functools.cache
def make_move(code: int, first: int = 0, second: int = 0) -> Move:
    """The move with a code and two words; 0 0 is silence."""
    name = MOVE_NAMES[code]
    return Move(code, (first, second), f"{name} {first} {second}" if first else name)


MOVES: Final = tuple(make_move(code) for code in range(len(MOVE_NAMES)))
"""The six moves without words, by code."""

_MOVE_COUNT: Final = len(MOVE_NAMES)
_SPOKEN: Final = _MOVE_COUNT * WORDS * WORDS

RADIO_MOVES: Final = (
    *(
        make_move(code, first, second)
        for first, second in itertools.product(range(1, WORDS + 1), repeat=2)
        for code in range(_MOVE_COUNT)
    ),
    *MOVES,
)
"""All moves by radio by their ids: code + 6 * (8 * (w1 - 1) + (w2 - 1)), then the silent ones."""


def radio_id(given: Move) -> int:
    """The id of a move by radio: its place in `RADIO_MOVES`."""
    first, second = given.words
    if not first:
        return _SPOKEN + given.code
    return given.code + _MOVE_COUNT * (WORDS * (first - 1) + (second - 1))


_SHORT: Final = {
    "u": 1, "d": 2, "l": 3, "r": 4, "b": 5, "w": 0, "s": 0, ".": 0, "wait": 0, "stay": 0,
}  # fmt: skip
_BY_WORD: Final = {name: move for move, name in enumerate(MOVE_NAMES)} | _SHORT


def read_move(text: str, has_radio: bool) -> Move:
    """The move that a text stands for, such as ``left``, ``l`` or, by radio, ``l 3 7``.

    Raises:
        UnknownActionError: It is none; the message says which part is wrong.
    """
    parts = text.lower().split()
    todo = "Moves: u d l r b w"
    todo += ", then two words 1 to 8." if has_radio else "."
    move = _BY_WORD.get(parts[0]) if parts else None
    if move is None:
        raise UnknownActionError(f'"{text}" is not a move.', todo)
    if len(parts) == 1:
        return MOVES[move]
    if not has_radio:
        raise UnknownActionError(f'"{text}" says words, but there is no radio in this mode.', todo)
    if len(parts) != 3:
        raise UnknownActionError(f'"{text}" has {len(parts) - 1} radio words, not two.', todo)
    for number, word in enumerate(parts[1:], start=1):
        if not (word.isascii() and word.isdigit() and len(word) == 1 and 1 <= int(word) <= WORDS):
            raise UnknownActionError(f'radio word {number} is "{word}".', "Words are 1 to 8.")
    return make_move(move, int(parts[1]), int(parts[2]))


_SIGN_OF: Final = {GROUND: ".", RIGID: "#", WOOD: "+"}
_CELL_OF: Final = {sign: cell for cell, sign in _SIGN_OF.items()}
_AGENT_SIGNS: Final = "abcd"


@dataclass(frozen=True, slots=True)
class Layout:
    """A fresh board, as chance lays it out."""

    board: tuple[int, ...]
    """What each cell holds, row by row: ground, rigid, wood, or 10 + seat."""
    items: tuple[tuple[int, int], ...]
    """(cell, power-up) under wood, ascending."""

    @property
    def size(self) -> int:
        """Cells in a row."""
        return int(len(self.board) ** 0.5)

    def __str__(self) -> str:
        items = dict(self.items)
        signs = []
        for cell, value in enumerate(self.board):
            if cell in items:
                signs.append(str(items[cell]))
            elif value >= FIRST_AGENT:
                signs.append(_AGENT_SIGNS[value - FIRST_AGENT])
            else:
                signs.append(_SIGN_OF[value])
        size = self.size
        rows = ("".join(signs[row * size : (row + 1) * size]) for row in range(size))
        return f"layout {'/'.join(rows)}"


def read_layout(text: str) -> Layout:
    """The layout that a text stands for: rows of ``.#+678abcd`` with slashes between them.

    6, 7 and 8 are wood that hides an extra bomb, an extra range or a kick.

    Raises:
        UnknownActionError: It is no such text.
    """
    todo = "A layout is: layout ROW/ROW/..., with . ground, # rigid, + wood, 6 7 8 wood hiding "
    todo += "a power-up, a b c d the agents."
    parts = text.lower().split()
    if len(parts) != 2 or parts[0] != "layout":
        raise UnknownActionError("that is not a layout.", todo)
    rows = parts[1].split("/")
    board: list[int] = []
    items: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        if len(row) != len(rows):
            raise UnknownActionError(
                f"row {number} of the layout has {len(row)} cells, not {len(rows)}.", todo
            )
        for column, sign in enumerate(row):
            if sign in _CELL_OF:
                board.append(_CELL_OF[sign])
            elif sign in _AGENT_SIGNS:
                board.append(FIRST_AGENT + _AGENT_SIGNS.index(sign))
            elif sign.isascii() and sign.isdigit() and int(sign) in POWERS:
                items.append((len(board), int(sign)))
                board.append(WOOD)
            else:
                raise UnknownActionError(f'r{number}c{column} of the layout is "{sign}".', todo)
    return Layout(tuple(board), tuple(items))
