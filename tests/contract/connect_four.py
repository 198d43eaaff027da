"""Connect Four, with boards that show all, the last disc, or a few rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game, GameInfo, NoChance, Observation, Seat, Step, Traits
from boardgames_cli.core.presentation.view import RenderContext, Size, View
from boardgames_cli.core.text import Glyphs, Picture

COLUMNS, ROWS = 7, 6
Discs = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    moves: Discs = ()

    @property
    def discs(self) -> dict[tuple[int, int], int]:
        """The seat that owns the disc at (column, row)."""
        heights = dict.fromkeys("abcdefg", 0)
        owners = {}
        for number, column in enumerate(self.moves):
            owners["abcdefg".index(column), heights[column]] = number % 2
            heights[column] += 1
        return owners

    @property
    def winner(self) -> int | None:
        discs = self.discs
        for (column, row), seat in discs.items():
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(discs.get((column + n * right, row + n * up)) == seat for n in range(4)):
                    return seat
        return None


@dataclass(frozen=True)
class ConnectFour(Game[Board, str, NoChance]):
    """Four in a row win."""

    info: ClassVar[GameInfo] = GameInfo("four", "Connect Four", (2,), Traits.ZERO_SUM, 1)

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def longest(self) -> int:
        return COLUMNS * ROWS

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple("abcdefg")

    def initial_state(self) -> Board:
        return Board()

    def to_act(self, state: Board) -> tuple[Seat, ...]:
        if state.winner is not None or len(state.moves) == COLUMNS * ROWS:
            return ()
        return (len(state.moves) % 2,)

    def legal_actions(self, state: Board, seat: Seat) -> Sequence[str]:
        return [column for column in self.actions if state.moves.count(column) < ROWS]

    def apply(self, state: Board, joint: Mapping[Seat, str]) -> Board:
        return Board((*state.moves, *joint.values()))

    def returns(self, state: Board) -> tuple[float, ...]:
        if state.winner is None:
            return (0.0, 0.0)
        return (1.0, -1.0) if state.winner == 0 else (-1.0, 1.0)

    def check(self, state: Board) -> None:
        if any(m not in self.actions or state.moves.count(m) > ROWS for m in state.moves):
            raise PositionError("moves are not columns a to g with room for them.")


class FullBoard(View[ConnectFour, Board, str, NoChance]):
    """All discs, each with the number of its move: the state holds their order too."""

    def shows(self, board: Board, column: int, row: int) -> bool:
        return True

    def picture(
        self,
        seen: Observation[Board, str],
        size: Size,
        context: RenderContext[str, NoChance],
    ) -> Picture:
        discs = list(seen.state.discs)
        cells = [
            [
                f"{discs.index((column, row)) + 1:3}"
                if (column, row) in discs and self.shows(seen.state, column, row)
                else "  ."
                for column in range(COLUMNS)
            ]
            for row in range(ROWS)
        ]
        lines = ["".join(row)[: size.width] or " " for row in reversed(cells)]
        return Picture.of(lines[: size.height])

    def narrate(
        self,
        before: Board,
        step: Step[str, NoChance],
        after: Board,
        context: RenderContext[str, NoChance],
    ) -> list[str]:
        return [f"{context.name(seat)}: {column}" for seat, column in step.joint.items()]

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["odd numbers are the discs of seat 0"])
