"""A game given as a list of its moves, for solvers and learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game, GameInfo, NoChance, Seat, Traits
from boardgames_cli.core.options import option

ENDS = {"first wins": (1.0, -1.0), "second wins": (-1.0, 1.0), "nobody wins": (0.0, 0.0)}

MAPS: dict[str, dict[str, tuple[int, list[str]]]] = {
    # The last to take one or two of five stones wins; only the number of stones is in the name.
    "stones": {
        f"{'ab'[seat]}{left}": (
            seat,
            [
                f"{'ab'[1 - seat]}{left - taken}"
                if left > taken
                else ("first wins" if seat == 0 else "second wins")
                for taken in (1, 2)
                if taken <= left
            ],
        )
        for seat in (0, 1)
        for left in range(1, 6)
    },
    # Whoever leaves the circle loses; staying in it goes on for ever.
    "circle": {
        "a5": (0, ["b5", "second wins"]),
        "b5": (1, ["a5", "first wins"]),
    },
    # The first seat moves twice, then the second has a choice between losing late and at once.
    "double": {
        "a5": (0, ["a6", "nobody wins"]),
        "a6": (0, ["b6", "second wins"]),
        "b6": (1, ["b7", "first wins"]),
        "b7": (1, ["first wins"]),
    },
    # Nobody has a choice.
    "lane": {"a5": (0, ["b5"]), "b5": (1, ["second wins"])},
}


@dataclass(frozen=True)
class Walk(Game[str, str, NoChance]):
    """Go from place to place; the action is the place to go to."""

    info: ClassVar[GameInfo] = GameInfo("walk", "Walk", (2,), Traits.ZERO_SUM, 1)
    map: str = option("stones", "which map", choices=tuple(MAPS))

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[str, ...]:
        return (*MAPS[self.map], *ENDS)

    def initial_state(self) -> str:
        return "a5"

    def to_act(self, state: str) -> tuple[Seat, ...]:
        return () if state in ENDS else (MAPS[self.map][state][0],)

    def legal_actions(self, state: str, seat: Seat) -> Sequence[str]:
        return MAPS[self.map][state][1]

    def apply(self, state: str, joint: Mapping[Seat, str]) -> str:
        (after,) = joint.values()
        return after

    def returns(self, state: str) -> tuple[float, ...]:
        return ENDS.get(state, (0.0, 0.0))

    def to_json(self, state: str) -> dict[str, Any]:
        return {"place": state}

    def from_json(self, data: Mapping[str, Any]) -> str:
        place = data.get("place")
        if place not in self.actions:
            raise PositionError(f"place is {place!r}.")
        assert isinstance(place, str)
        return place


@dataclass(frozen=True)
class Grid(Game[tuple[int, ...], str, NoChance]):
    """Go up in one of seven ways, 30 times each: too many positions to solve."""

    info: ClassVar[GameInfo] = GameInfo("grid", "Grid", (2,), Traits.ZERO_SUM, 1)

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple("abcdefg")

    def initial_state(self) -> tuple[int, ...]:
        return (0,) * 7

    def to_act(self, state: tuple[int, ...]) -> tuple[Seat, ...]:
        return (sum(state) % 2,) if self.legal_actions(state, 0) else ()

    def legal_actions(self, state: tuple[int, ...], seat: Seat) -> Sequence[str]:
        return [way for way, steps in zip(self.actions, state, strict=True) if steps < 30]

    def apply(self, state: tuple[int, ...], joint: Mapping[Seat, str]) -> tuple[int, ...]:
        way = self.actions.index(joint[sum(state) % 2])
        return (*state[:way], state[way] + 1, *state[way + 1 :])

    def returns(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (0.0, 0.0) if self.to_act(state) else (1.0, -1.0)

    def to_json(self, state: tuple[int, ...]) -> dict[str, Any]:
        return {"steps": list(state)}

    def from_json(self, data: Mapping[str, Any]) -> tuple[int, ...]:
        return tuple(data["steps"])
