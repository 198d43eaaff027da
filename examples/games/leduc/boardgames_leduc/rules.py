"""The rules of Leduc poker.

F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings and C. Rayner, "Bayes' Bluff:
Opponent Modelling in Poker", 2005. RULES.md has the rules for people.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final, TypeAlias

from boardgames_cli import (
    CHANCE,
    Game,
    GameInfo,
    Hidden,
    Longest,
    Observation,
    PositionError,
    Seat,
    Step,
    Whole,
    option,
    redacted,
)

from boardgames_leduc import GAME

HIDDEN: Final = 0
"""A card that the viewer may not see."""
RANKS: Final = (1, 2, 3)
"""Jack, queen and king; the deck has two of each."""
LETTERS: Final = "?JQK"
ANTE: Final = 1
RAISES: Final = (2, 4)
"""What a raise adds in each round."""
MOST_RAISES: Final = 2
"""The number of raises in a round."""


class Action(StrEnum):
    """What a seat can do; to call where there is nothing to call is to check."""

    FOLD = "fold"
    CALL = "call"
    RAISE = "raise"


class Deal(StrEnum):
    """A chance outcome: the next card."""

    J = "deal J"
    Q = "deal Q"
    K = "deal K"


RANK_OF: Final = dict(zip(Deal, RANKS, strict=True))
Card: TypeAlias = Annotated[int, Whole(1, 3), Hidden(HIDDEN)]
Line: TypeAlias = Annotated[tuple[Action, ...], Longest(2 + MOST_RAISES)]
"""The betting of a round; the seat that begins the hand begins each round."""


def is_folded(line: Line) -> bool:
    """Whether somebody has folded."""
    return Action.FOLD in line


def is_closed(line: Line) -> bool:
    """Whether a round is over."""
    return is_folded(line) or (len(line) > 1 and line[-1] is Action.CALL)


def faces_raise(line: Line) -> bool:
    """Whether the next to act must answer a raise."""
    return line[-1:] == (Action.RAISE,)


@dataclass(frozen=True, slots=True)
class State:
    """The cards and the betting of a hand, and the score before it.

    In a hand the players are counted in the order in which they act: 0 acts first.
    """

    cards: Annotated[tuple[Card, ...], Longest(2)] = ()
    """The cards of both players, as far as they are dealt."""
    public: Annotated[int, Whole(1, 3)] | None = None
    """The card for both, dealt between the rounds."""
    first: Line = ()
    """The betting of the first round."""
    second: Line = ()
    """The betting of the second round."""
    hand: Annotated[int, Whole(0)] = 0
    """The number of finished hands before this one."""
    won: int = 0
    """The chips that seat 0 has won in them."""

    @property
    def line(self) -> Line:
        """The betting of the present round."""
        return self.first if self.public is None else self.second

    @property
    def is_showdown(self) -> bool:
        """Whether the hand ended with both players in, so that the cards are shown."""
        return is_closed(self.second) and not is_folded(self.second)

    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
        return is_folded(self.first) or is_closed(self.second)

    def seat(self, player: int) -> Seat:
        """The seat of a player: the seats take turns to act first."""
        return (player + self.hand) % 2

    def paid(self) -> list[int]:
        """The chips that each player has put into the pot."""
        chips = [ANTE, ANTE]
        for line, size in zip((self.first, self.second), RAISES, strict=True):
            for number, action in enumerate(line):
                if action is not Action.FOLD:
                    chips[number % 2] = max(chips) + size * (action is Action.RAISE)
        return chips

    def result(self) -> int:
        """The chips that seat 0 wins in this hand; 0 while it is not over."""
        if not self.is_over:
            return 0
        strength = [(card == self.public, card) for card in self.cards]
        if is_folded(self.line):
            winner = len(self.line) % 2  # the last to act has folded
        elif strength[0] == strength[1]:
            return 0
        else:
            winner = 0 if strength[0] > strength[1] else 1
        chips = self.paid()[1 - winner]
        return chips if self.seat(winner) == 0 else -chips


@dataclass(frozen=True)
class Leduc(Game[State, Action, Deal]):
    """The rulebook; a match is a number of hands."""

    info: ClassVar[GameInfo] = GAME.info

    hands: int = option(1, "hands in a match", low=1, high=1000)

    @property
    def utility(self) -> tuple[float, float]:
        """All hands lost, or won, after every raise."""
        most = float(self.hands * (ANTE + MOST_RAISES * sum(RAISES)))
        return (-most, most)

    @property
    def longest(self) -> int:
        """Three cards and two rounds in each hand."""
        return self.hands * (3 + 2 * (2 + MOST_RAISES))

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action that can ever be legal."""
        return tuple(Action)

    def stage(self) -> Leduc:
        """One hand: a match repeats it, each time independently."""
        return Leduc()

    def place_in_stage(self, state: State) -> tuple[State, Seat, float, int]:
        """The hand alone, who begins it, what seat 0 has won before, and who begins more often."""
        hand = State(state.cards, state.public, state.first, state.second)
        later = sum(1 - 2 * (number % 2) for number in range(state.hand + 1, self.hands))
        return hand, state.seat(0), state.won, later

    def information_set(self, seen: Observation[State, Action]) -> str:
        """What the seat to act knows in its hand, such as ``K call raise / Q``."""
        state = seen.state
        own = LETTERS[state.cards[len(state.line) % 2]]
        second = () if state.public is None else ("/", LETTERS[state.public], *state.second)
        return " ".join((own, *state.first, *second))

    def initial_state(self) -> State:
        """No card is dealt yet."""
        return State()

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Chance deals to each player, then between the rounds, and again after each hand."""
        if state.is_over:
            return (CHANCE,) if state.hand + 1 < self.hands else ()
        if len(state.cards) < 2 or is_closed(state.line):
            return (CHANCE,)
        return (state.seat(len(state.line) % 2),)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """To fold needs a raise to answer, and there are at most two raises in a round."""
        fold = [Action.FOLD] if faces_raise(state.line) else []
        can_raise = state.line.count(Action.RAISE) < MOST_RAISES
        return [*fold, Action.CALL, *([Action.RAISE] if can_raise else [])]

    def apply(self, state: State, joint: Mapping[Seat, Action]) -> State:
        """The state after an action."""
        (action,) = joint.values()
        first, second = state.first, state.second
        if state.public is None:
            first = (*first, action)
        else:
            second = (*second, action)
        return State(state.cards, state.public, first, second, state.hand, state.won)

    def chance_outcomes(self, state: State) -> Sequence[tuple[Deal, float]]:
        """The cards that are left, each as likely as often as it is there."""
        left = deck_without(() if state.is_over else state.cards)
        return [
            (deal, left.count(rank) / len(left)) for deal, rank in RANK_OF.items() if rank in left
        ]

    def apply_chance(self, state: State, outcome: Deal) -> State:
        """The state after a card; the first one after a hand begins the next."""
        card = RANK_OF[outcome]
        if state.is_over:
            return State((card,), hand=state.hand + 1, won=state.won + state.result())
        if len(state.cards) < 2:
            return State((*state.cards, card), hand=state.hand, won=state.won)
        return State(state.cards, card, state.first, (), state.hand, state.won)

    def returns(self, state: State) -> tuple[float, ...]:
        """The chips won in all finished hands."""
        won = float(state.won + state.result())
        return (won, -won)

    def redact(self, state: State, seat: Seat | None) -> State:
        """Only their owner sees cards until a showdown; after a fold they stay hidden."""
        if state.is_showdown:
            return state
        return redacted(state, lambda player: state.seat(player) == seat)

    def redact_step(
        self, before: State, step: Step[Action, Deal], seat: Seat | None
    ) -> Step[Action, Deal]:
        """Only the player who is dealt a card sees it; the card between the rounds is public."""
        if not step.is_chance or (is_closed(before.first) and not before.is_over):
            return step
        # The first card of the next hand goes to who acted second in this one.
        owner = before.seat(1) if before.is_over else before.seat(len(before.cards))
        return step if seat == owner else Step.of_chance(None)

    def determinize(self, seen: Observation[State, Action], rng: random.Random) -> State:
        """Deal the hidden cards anew."""
        state = seen.state
        left = deck_without((*state.cards, state.public))
        rng.shuffle(left)
        cards = tuple(left.pop() if card == HIDDEN else card for card in state.cards)
        return State(cards, state.public, state.first, state.second, state.hand, state.won)

    def parse(self, state: State, seat: Seat, text: str) -> Action:
        """As in every game; ``check`` is ``call`` where there is no raise to answer."""
        is_check = text.strip().lower() == "check" and not faces_raise(state.line)
        return super().parse(state, seat, Action.CALL if is_check else text)

    def explain_illegal(self, state: State, seat: Seat, action: Action) -> str:
        """Why a player can't fold or raise."""
        if seat not in self.to_act(state):
            return "it is not your turn"
        if action is Action.FOLD:
            return "there is no raise to answer"
        return f"there are {MOST_RAISES} raises already"

    def check(self, state: State) -> None:
        """Refuse positions that no game leads to.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        dealt = [card for card in (*state.cards, state.public) if card]
        if any(dealt.count(rank) > 2 for rank in RANKS):
            raise PositionError("cards has a rank three times.", "There are two of each.")
        for field, line in (("first", state.first), ("second", state.second)):
            replayed: Line = ()
            for action in line:
                if is_closed(replayed) or action not in _legal_after(replayed):
                    raise PositionError(f"{field} can't go so: {', '.join(line)}.")
                replayed = (*replayed, action)
        is_second = is_closed(state.first) and not is_folded(state.first)
        if (state.first and len(state.cards) < 2) or (state.public is not None and not is_second):
            raise PositionError("cards are dealt too late or too early for the betting.")
        if state.second and state.public is None:
            raise PositionError("second needs a public card.")
        most = state.hand * Leduc().utility[1]
        if state.hand >= self.hands or abs(state.won) > most:
            raise PositionError(f"hand {state.hand} with {state.won} chips is impossible.")


def _legal_after(line: Line) -> Sequence[Action]:
    return Leduc().legal_actions(State(first=line), 0)


def deck_without(cards: Sequence[int | None]) -> list[int]:
    """The cards that are not among some others."""
    left = [rank for rank in RANKS for _ in range(2)]
    for card in cards:
        if card:
            left.remove(card)
    return left
