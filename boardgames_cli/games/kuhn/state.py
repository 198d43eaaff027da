"""The state of Kuhn poker."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from boardgames_cli.codec.fields import Codec, Hidden, Key, Whole, is_whole, read_list
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.games.kuhn.actions import (
    DECK,
    HIDDEN,
    NOT_DEALT,
    NOT_DRAWN,
    Action,
    Card,
    Line,
)


class CardCodec(Codec[Card]):
    """A card as a number, null while it is not dealt."""

    def write(self, value: Card) -> int | None:
        return None if value == NOT_DEALT else value

    def read(self, data: Any, field: str) -> Card:
        if data is None:
            return NOT_DEALT
        if not is_whole(data) or data not in DECK:
            name = field.partition("[")[0]
            raise PositionError(f"{name} has {data!r}.", "0 is the jack, 1 the queen, 2 the king.")
        return int(data)


class ChipsCodec(Codec[int]):
    """The chips seat 0 has won from seat 1, written as the winnings of both seats."""

    def write(self, value: int) -> list[int]:
        return [value, -value]

    def read(self, data: Any, field: str) -> int:
        listed = read_list(data, field)
        if len(listed) != 2 or not all(map(is_whole, listed)) or sum(listed):
            raise PositionError(
                f"{field} is {data!r}.", "It is what each seat has won of the other, as [3, -3]."
            )
        return int(listed[0])


WrittenCard: TypeAlias = Annotated[Card, CardCodec(), Hidden(HIDDEN)]


class KuhnState(NamedTuple):
    """The cards and the betting of the current hand, and the score before it.

    A named tuple rather than a dataclass, because half of the time of a hand is spent creating
    states.
    """

    cards: tuple[WrittenCard, WrittenCard]
    actions: Line
    """The betting of this hand; if complete, the hand is over."""
    first: Annotated[Seat, Whole(NOT_DRAWN, 1)]
    """The seat that acts first in this hand; `NOT_DRAWN` before chance draws it."""
    hand: Annotated[int, Whole(0)] = 0
    won: Annotated[int, Key("chips"), ChipsCodec()] = 0
    """The chips that seat 0 has won from seat 1 in those hands."""


Seen: TypeAlias = Observation[KuhnState, Action]
