"""A position of Senet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from boardgames_cli.codec.fields import Codec, Whole, is_whole, read_list
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.games.senet.actions import SenetMove
from boardgames_cli.games.senet.board import HOUSES, bit, houses

_EXPECTED = f"Houses are 0 to {HOUSES - 1}."


class HouseMask(Codec[int]):
    """Houses as a mask, written as a list of 0-based numbers."""

    def write(self, value: int) -> list[int]:
        return [house - 1 for house in houses(value)]

    def read(self, data: Any, field: str) -> int:
        listed = read_list(data, field)
        if not all(map(is_whole, listed)):
            raise PositionError(f"{field} is not a list of whole numbers.", _EXPECTED)
        mask = 0
        for house in listed:
            if not 0 <= house < HOUSES:
                raise PositionError(f"{field} has a dancer on house {house}.", _EXPECTED)
            if mask & bit(house + 1):
                raise PositionError(f"{field} has two dancers on house {house} (0-based).")
            mask |= bit(house + 1)
        return mask


@dataclass(frozen=True, slots=True)
class SenetState:
    """A position: the dancers, the player to move, and the throw to use."""

    cones: Annotated[int, HouseMask()]
    """The houses of the cones as a mask: bit h is house h + 1."""
    spools: Annotated[int, HouseMask()]
    player: Annotated[Seat, Whole(0, 1)]
    steps: Annotated[int, Whole(1, 5)] | None
    """The throw to use; None before the throw."""

    def side(self, seat: Seat) -> int:
        """The houses of a seat's dancers as a mask."""
        return self.spools if seat else self.cones


Seen: TypeAlias = Observation[SenetState, SenetMove]
