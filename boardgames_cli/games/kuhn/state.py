"""A moment of a match of Kuhn poker."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from boardgames_cli.core.codec import Codec, Key, Whole, read_list
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.position import is_whole
from boardgames_cli.games.kuhn.actions import DECK, HIDDEN, NOT_DEALT, Card, Line

HIDDEN_MARK: Final = "?"
"""What is written for a card that the observer may not know."""


class CardCodec(Codec[Card]):
    """A card as a number, null while it is not dealt, ``?`` if it is hidden."""

    def write(self, value: Card) -> int | str | None:
        """The number, or one of the marks."""
        return {NOT_DEALT: None, HIDDEN: HIDDEN_MARK}.get(value, value)

    def read(self, data: Any, field: str) -> Card:
        """The card; a hidden one is none to play with."""
        if data is None:
            return NOT_DEALT
        name = field.partition("[")[0]
        if data == HIDDEN_MARK:
            raise PositionError(
                f"{name} has a hidden one.",
                "A game can only go on from a position with both cards.",
            )
        if not is_whole(data) or data not in DECK:
            raise PositionError(f"{name} has {data!r}.", "0 is the jack, 1 the queen, 2 the king.")
        return int(data)


class ChipsCodec(Codec[int]):
    """What seat 0 has won of seat 1, written as what each of them has won."""

    def write(self, value: int) -> list[int]:
        """The chips of both seats."""
        return [value, -value]

    def read(self, data: Any, field: str) -> int:
        """The chips of seat 0."""
        listed = read_list(data, field)
        if len(listed) != 2 or not all(map(is_whole, listed)) or sum(listed):
            raise PositionError(
                f"{field} is {data!r}.", "It is what each seat has won of the other, as [3, -3]."
            )
        return int(listed[0])


WrittenCard: TypeAlias = Annotated[Card, CardCodec()]


class KuhnState(NamedTuple):
    """A moment of a match: the cards and the betting of one hand, and the score before it.

    A named tuple and not a dataclass: half of what a hand takes is to make its states.
    """

    cards: tuple[WrittenCard, WrittenCard]
    """By seat."""
    actions: Line
    """The betting of this hand; once it is complete, the state is the end of the hand."""
    first: Annotated[Seat, Whole(0, 1)]
    """Who acts first in this hand."""
    hand: Annotated[int, Whole(0)] = 0
    """How many hands were finished before this one."""
    won: Annotated[int, Key("chips"), ChipsCodec()] = 0
    """The chips that seat 0 has won of seat 1 in those hands."""
