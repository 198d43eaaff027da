"""The rules of Connect Four (Howard Wexler, Milton Bradley, 1974)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

from boardgames_cli import Game, GameInfo, Longest, NoChance, PositionError, Seat, Whole, option

from boardgames_connect4 import GAME

HEIGHT: Final = 6
"""Rows of the board."""
LETTERS: Final = "abcdefghi"
"""The names of the columns."""

Disc: TypeAlias = Annotated[Seat, Whole(0, 1)]
"""The seat whose disc it is."""


@dataclass(frozen=True, slots=True)
class State:
    """The discs on the board."""

    columns: tuple[Annotated[tuple[Disc, ...], Longest(HEIGHT)], ...]
    """For each column its discs, from the bottom up."""

    @property
    def player(self) -> Seat:
        """The seat that drops the next disc."""
        return sum(map(len, self.columns)) % 2

    def disc(self, column: int, row: int) -> Seat | None:
        """The seat whose disc lies in a cell; row 0 is the bottom."""
        discs = self.columns[column]
        return discs[row] if row < len(discs) else None


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a disc into a column, counted from 0 at the left."""

    column: int

    def __str__(self) -> str:
        return LETTERS[self.column]


DROPS: Final = tuple(Drop(column) for column in range(len(LETTERS)))


Line: TypeAlias = tuple[tuple[int, int], ...]
"""Four cells in a row, each as (column, row)."""


@functools.cache
def all_lines(width: int) -> tuple[Line, ...]:
    """Every four cells in a row of a board: 69 if it is 7 wide."""
    return tuple(
        tuple((column + i * right, row + i * up) for i in range(4))
        for column in range(width)
        for row in range(HEIGHT)
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        if column + 3 * right < width and 0 <= row + 3 * up < HEIGHT
    )


@functools.cache
def lines_through(width: int, column: int, row: int) -> tuple[Line, ...]:
    """The lines that a cell belongs to."""
    return tuple(line for line in all_lines(width) if (column, row) in line)


def winning_lines(state: State) -> list[Line]:
    """The lines that the last disc completed; it lies on top of some column."""
    last = 1 - state.player
    return [
        line
        for column, discs in enumerate(state.columns)
        if discs and discs[-1] == last
        for line in lines_through(len(state.columns), column, len(discs) - 1)
        if all(state.disc(*cell) == last for cell in line)
    ]


@dataclass(frozen=True)
class Rules(Game[State, Drop, NoChance]):
    """The rulebook of Connect Four."""

    info: ClassVar[GameInfo] = GAME.info

    width: int = option(7, "columns of the board", choices=(7, 9))

    @property
    def utility(self) -> tuple[float, float]:
        """-1 for a loss, 1 for a win."""
        return (-1.0, 1.0)

    @property
    def longest(self) -> int:
        """Every move fills a cell."""
        return self.width * HEIGHT

    @property
    def actions(self) -> tuple[Drop, ...]:
        """One for each column, from the left."""
        return DROPS[: self.width]

    def initial_state(self) -> State:
        """An empty board."""
        return State(((),) * self.width)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The players in turn, until there are four in a row or the board is full."""
        is_full = all(len(discs) == HEIGHT for discs in state.columns)
        return () if is_full or winning_lines(state) else (state.player,)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Drop]:
        """A drop into each column that has room."""
        return [drop for drop in self.actions if len(state.columns[drop.column]) < HEIGHT]

    def apply(self, state: State, joint: Mapping[Seat, Drop]) -> State:
        """The state with one disc more."""
        player = state.player
        columns = list(state.columns)
        columns[joint[player].column] += (player,)
        return State(tuple(columns))

    def returns(self, state: State) -> tuple[float, ...]:
        """1 for the seat with four in a row, -1 for the other; 0 for both otherwise."""
        if not winning_lines(state):
            return (0.0, 0.0)
        return (-1.0, 1.0) if state.player == 0 else (1.0, -1.0)

    def explain_illegal(self, state: State, seat: Seat, action: Drop) -> str:
        """An action of the game can only fail because its column is full."""
        if seat not in self.to_act(state):
            return "it is not your turn"
        return f"column {action} is full"

    def near_misses(self, state: State, seat: Seat) -> Sequence[Drop]:
        """Full columns: front ends list them with the reason."""
        return [drop for drop in self.actions if len(state.columns[drop.column]) == HEIGHT]

    def check(self, state: State) -> None:
        """Refuse boards that no game can lead to.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        if len(state.columns) != self.width:
            raise PositionError(
                f"columns has {len(state.columns)} columns, but this board has {self.width}.",
                "Choose the same number with --width.",
            )
        for letter, discs in zip(self.actions, state.columns, strict=True):
            if len(discs) > HEIGHT:
                raise PositionError(f"columns has {len(discs)} discs in column {letter}.")
        every = [disc for discs in state.columns for disc in discs]
        if every.count(0) - every.count(1) not in (0, 1):
            raise PositionError("columns has the wrong number of discs of a seat: they take turns.")
        lines = [line for line in all_lines(self.width) if _owner(state, line) is not None]
        tops = [(column, len(discs) - 1) for column, discs in enumerate(state.columns)]
        is_last = any(all(top in line for line in lines) for top in tops)
        if lines and not (is_last and _owner(state, lines[0]) == 1 - state.player):
            raise PositionError("columns has four in a row that did not end the game.")


def _owner(state: State, line: Line) -> Seat | None:
    """The seat whose discs lie on all of a line, if any."""
    first = state.disc(*line[0])
    return first if all(state.disc(*cell) == first for cell in line[1:]) else None
