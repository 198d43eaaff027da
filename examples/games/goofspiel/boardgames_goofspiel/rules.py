"""The rules of Goofspiel.

S. M. Ross, "Goofspiel: the game of pure strategy", 1971. RULES.md has the rules for people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from boardgames_cli import CHANCE, Game, GameInfo, Longest, PositionError, Seat, Whole, option

from boardgames_goofspiel import GAME

Card: TypeAlias = Annotated[int, Whole(1, 13)]
"""A card of a hand, or a prize, by its points."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a card for the prize."""

    card: int

    def __str__(self) -> str:
        return f"bid {self.card}"


@dataclass(frozen=True, slots=True)
class Prize:
    """The next prize, as chance turns it up."""

    card: int

    def __str__(self) -> str:
        return f"prize {self.card}"


@dataclass(frozen=True, slots=True)
class State:
    """The prizes so far, and what each seat has bid for them."""

    prizes: Annotated[tuple[Card, ...], Longest(13)] = ()
    """The prizes in the order in which they came; bids for the last one may be missing."""
    bids: Annotated[tuple[Annotated[tuple[Card, ...], Longest(4)], ...], Longest(13)] = ()
    """For each prize the bid of each seat."""

    @property
    def prize(self) -> int | None:
        """The prize to bid for, if one is turned up."""
        return self.prizes[-1] if len(self.prizes) > len(self.bids) else None


@dataclass(frozen=True)
class Goofspiel(Game[State, Bid, Prize]):
    """The rulebook."""

    info: ClassVar[GameInfo] = GAME.info

    bidders: int = option(2, "seats", choices=GAME.info.seats)
    cards: int = option(13, "prizes, and cards in each hand", low=3, high=13)

    @property
    def seats(self) -> int:
        """As many as the option says: the command line finds it by this."""
        return self.bidders

    @property
    def utility(self) -> tuple[float, float]:
        """Everybody pays 1 to the winner."""
        return (-1.0, self.bidders - 1.0)

    @property
    def longest(self) -> int:
        """A prize and a joint bid for each round."""
        return 2 * self.cards

    @property
    def actions(self) -> tuple[Bid, ...]:
        """A bid of each card."""
        return tuple(Bid(card) for card in range(1, self.cards + 1))

    def hand(self, state: State, seat: Seat) -> list[int]:
        """The cards that a seat has not bid yet."""
        gone = {bids[seat] for bids in state.bids}
        return [card for card in range(1, self.cards + 1) if card not in gone]

    def winner(self, state: State, number: int) -> Seat | None:
        """The seat that took a prize; None if several bid the highest card."""
        bids = state.bids[number]
        best = max(bids)
        return bids.index(best) if bids.count(best) == 1 else None

    def points(self, state: State) -> list[int]:
        """The prizes of each seat, added up."""
        points = [0] * self.bidders
        for number in range(len(state.bids)):
            winner = self.winner(state, number)
            if winner is not None:
                points[winner] += state.prizes[number]
        return points

    def initial_state(self) -> State:
        """No prize is turned up."""
        return State()

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Chance turns up a prize, then everybody bids at once."""
        if state.prize is not None:
            return tuple(range(self.bidders))
        return () if len(state.bids) == self.cards else (CHANCE,)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Bid]:
        """A bid of each card in the hand."""
        return [Bid(card) for card in self.hand(state, seat)]

    def apply(self, state: State, joint: Mapping[Seat, Bid]) -> State:
        """The state after everybody has bid."""
        bids = tuple(joint[seat].card for seat in range(self.bidders))
        return State(state.prizes, (*state.bids, bids))

    def chance_outcomes(self, state: State) -> Sequence[tuple[Prize, float]]:
        """The prizes that are left, all equally likely."""
        left = [card for card in range(1, self.cards + 1) if card not in state.prizes]
        return [(Prize(card), 1 / len(left)) for card in left]

    def apply_chance(self, state: State, outcome: Prize) -> State:
        """The state with one prize more."""
        return State((*state.prizes, outcome.card), state.bids)

    def returns(self, state: State) -> tuple[float, ...]:
        """At the end everybody pays 1; those with the most points share it."""
        if len(state.bids) < self.cards:
            return (0.0,) * self.bidders
        points = self.points(state)
        best = max(points)
        share = self.bidders / points.count(best)
        return tuple(share - 1 if each == best else -1.0 for each in points)

    def explain_illegal(self, state: State, seat: Seat, action: Bid) -> str:
        """Why a card can't be bid."""
        is_gone = seat in self.to_act(state)
        return f"your {action.card} is gone" if is_gone else "there is nothing to bid for"

    def check(self, state: State) -> None:
        """Refuse positions that no game leads to.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        if len(state.prizes) - len(state.bids) not in (0, 1):
            raise PositionError(
                f"prizes has {len(state.prizes)}.", "One for each bid, or one more."
            )
        if any(len(bids) != self.bidders for bids in state.bids):
            raise PositionError("bids has another number of seats.", f"It is {self.bidders}.")
        for name, row in (
            ("prizes", state.prizes),
            *(("bids", r) for r in zip(*state.bids, strict=True)),
        ):
            if len(set(row)) < len(row) or max(row, default=0) > self.cards:
                raise PositionError(f"{name} has a card twice, or above {self.cards}.")
