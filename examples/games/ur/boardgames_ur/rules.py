"""The rules of the Royal Game of Ur, as read by I. Finkel.

I. L. Finkel, "On the Rules for the Royal Game of Ur", in Ancient Board Games in Perspective, 2007.
RULES.md has the rules for people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

from boardgames_cli import (
    CHANCE,
    Game,
    GameInfo,
    Longest,
    PositionError,
    Seat,
    Whole,
    option,
)

from boardgames_ur import GAME

START: Final = 0
"""Where pieces wait that have not entered."""
HOME: Final = 15
"""Where pieces are that have left the board."""
ROSETTES: Final = (4, 8, 14)
"""Squares that give another throw."""
SAFE: Final = 8
"""The rosette in the middle, where nobody is sent back."""
SHARED: Final = range(5, 13)
"""The squares that both seats use; the others are each seat's own."""

Square: TypeAlias = Annotated[int, Whole(START, HOME)]
"""A square on the way of a seat, from 1 to 14; also `START` and `HOME`."""
Pieces: TypeAlias = Annotated[tuple[Square, ...], Longest(7)]
"""Where the pieces of a seat are, in ascending order."""


@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.start}>{self.end}"


@dataclass(frozen=True, slots=True)
class Throw:
    """The four dice as chance throws them: how many fall with the mark up."""

    pips: int

    def __str__(self) -> str:
        return f"throw {self.pips}"


MOVES: Final = tuple(
    Move(start, start + pips) for start in range(HOME) for pips in (1, 2, 3, 4)
    if start + pips <= HOME
)  # fmt: skip
THROWS: Final = tuple((Throw(pips), ways / 16) for pips, ways in enumerate((1, 4, 6, 4, 1)))
"""Every outcome with its probability."""


@dataclass(frozen=True, slots=True)
class State:
    """Where the pieces are, whose turn it is, and the throw."""

    pieces: tuple[Pieces, Pieces]
    player: Annotated[Seat, Whole(0, 1)] = 0
    pips: Annotated[int, Whole(1, 4)] | None = None
    """Squares to move, or None while the dice are to be thrown."""

    @property
    def winner(self) -> Seat | None:
        """The seat whose pieces are all home."""
        return next((seat for seat in (0, 1) if self.pieces[seat][0] == HOME), None)


def moves(state: State, pips: int) -> list[Move]:
    """The legal moves of the player with a throw."""
    own, other = state.pieces[state.player], state.pieces[1 - state.player]
    ends = {start: start + pips for start in own if pips and start + pips <= HOME}
    return [
        Move(start, end)
        for start, end in ends.items()
        if end == HOME or not (end in own or (end == SAFE and end in other))
    ]


@dataclass(frozen=True)
class Ur(Game[State, Move, Throw]):
    """The rulebook."""

    info: ClassVar[GameInfo] = GAME.info

    pieces: int = option(7, "pieces of each seat", low=1, high=7)

    @property
    def utility(self) -> tuple[float, float]:
        """A loss and a win."""
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[Move, ...]:
        """Every move, from the start of the way to its end."""
        return MOVES

    def initial_state(self) -> State:
        """All pieces wait, and seat 0 throws."""
        return State(((START,) * self.pieces, (START,) * self.pieces))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Chance throws, then the player moves, until one has all pieces home."""
        if state.winner is not None:
            return ()
        return (CHANCE,) if state.pips is None else (state.player,)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """A move for each piece that can use the throw."""
        return moves(state, state.pips or 0)

    def apply(self, state: State, joint: Mapping[Seat, Move]) -> State:
        """The state after a move, which may send a piece back or give another throw."""
        player, move = state.player, joint[state.player]
        own, other = list(state.pieces[player]), state.pieces[1 - player]
        own[own.index(move.start)] = move.end
        if move.end in SHARED and move.end in other:
            other = tuple(sorted(START if square == move.end else square for square in other))
        rows = (tuple(sorted(own)), other)
        next_player = player if move.end in ROSETTES else 1 - player
        return State(rows if player == 0 else rows[::-1], next_player)

    def chance_outcomes(self, state: State) -> Sequence[tuple[Throw, float]]:
        """Four dice, half of whose corners are marked."""
        return THROWS

    def apply_chance(self, state: State, outcome: Throw) -> State:
        """The state after a throw; one that can't be used passes the turn."""
        if moves(state, outcome.pips):
            return State(state.pieces, state.player, outcome.pips)
        return State(state.pieces, 1 - state.player)

    def returns(self, state: State) -> tuple[float, ...]:
        """1 for the seat whose pieces are home, -1 for the other."""
        winner = state.winner
        return (0.0, 0.0) if winner is None else (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def explain_illegal(self, state: State, seat: Seat, action: Move) -> str:
        """Why a piece can't move so."""
        if seat not in self.to_act(state):
            return "it is not your turn"
        if action.start not in state.pieces[seat]:
            return f"you have no piece on {action.start}"
        if action.end - action.start != state.pips:
            return f"the throw is {state.pips}"
        if action.end in state.pieces[seat]:
            return f"your own piece is on {action.end}"
        return f"the rosette {SAFE} is taken, and safe"

    def check(self, state: State) -> None:
        """Refuse positions that no game leads to.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        for row in state.pieces:
            if len(row) != self.pieces or list(row) != sorted(row):
                raise PositionError(
                    f"pieces has {list(row)}.", f"{self.pieces} squares in ascending order."
                )
        on_board = [
            (square, seat if square not in SHARED else None)
            for seat, row in enumerate(state.pieces)
            for square in row
            if START < square < HOME
        ]
        if len(set(on_board)) < len(on_board) or state.pieces[0][0] == state.pieces[1][0] == HOME:
            raise PositionError("pieces has two on one square, or two winners.")
        if state.pips and not moves(state, state.pips):
            raise PositionError(f"pips is {state.pips}, but no piece can move.", "Then it is null.")
