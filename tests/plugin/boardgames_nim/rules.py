"""The rules of Nim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from boardgames_cli.codec.fields import Whole
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game, GameInfo, NoChance, Seat
from boardgames_cli.core.options import option
from boardgames_nim import GAME

HEAPS = {"3-5-7": (3, 5, 7), "1-3-5-7": (1, 3, 5, 7)}


@dataclass(frozen=True, slots=True)
class Take:
    """Take some matches from one heap."""

    heap: int
    count: int

    def __str__(self) -> str:
        return f"{'ABCD'[self.heap]}{self.count}"


ALL_TAKES = tuple(Take(heap, count) for heap in range(4) for count in range(1, 8))


@dataclass(frozen=True, slots=True)
class NimState:
    """How many matches each heap has, and whose turn it is."""

    heaps: tuple[int, ...]
    turn: Annotated[Seat, Whole(0, 1)]


@dataclass(frozen=True)
class Nim(Game[NimState, Take, NoChance]):
    """The rulebook of Nim."""

    info: ClassVar[GameInfo] = GAME.info

    heaps: str = option("3-5-7", "matches in each heap at the start", choices=tuple(HEAPS))
    misere: bool = option(False, "who takes the last match loses")

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def longest(self) -> int:
        return sum(HEAPS[self.heaps])

    @property
    def actions(self) -> tuple[Take, ...]:
        return ALL_TAKES

    def initial_state(self) -> NimState:
        return NimState(HEAPS[self.heaps], 0)

    def to_act(self, state: NimState) -> tuple[Seat, ...]:
        return (state.turn,) if any(state.heaps) else ()

    def legal_actions(self, state: NimState, seat: Seat) -> Sequence[Take]:
        return [
            Take(heap, count)
            for heap, size in enumerate(state.heaps)
            for count in range(1, size + 1)
        ]

    def apply(self, state: NimState, joint: Mapping[Seat, Take]) -> NimState:
        take = joint[state.turn]
        heaps = list(state.heaps)
        heaps[take.heap] -= take.count
        return NimState(tuple(heaps), 1 - state.turn)

    def returns(self, state: NimState) -> tuple[float, ...]:
        if any(state.heaps):
            return (0.0, 0.0)
        # The turn has passed on from whoever took the last match.
        winner = state.turn if self.misere else 1 - state.turn
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def explain_illegal(self, state: NimState, seat: Seat, action: Take) -> str:
        size = state.heaps[action.heap] if action.heap < len(state.heaps) else 0
        return f"heap {'ABCD'[action.heap]} has {size} matches"

    def check(self, state: NimState) -> None:
        most = HEAPS[self.heaps]
        if len(state.heaps) != len(most):
            raise PositionError(f"heaps has {len(state.heaps)} sizes.", f"It has {len(most)}.")
        for size, limit in zip(state.heaps, most, strict=True):
            if not 0 <= size <= limit:
                raise PositionError(f"heaps has {size!r}.", f"The sizes are 0 to {most}.")
