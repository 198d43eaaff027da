"""Kuhn poker as a game in extensive form: chance deals, players check or bet.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I, 1950. RULES.md
has the rules for people. Chance deals one card at a time, first to the player who acts first:
``deal K``, then ``deal Q``. So a hand is a tree of 4 chance, 24 decision and 30 terminal nodes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.core.errors import IllegalActionError, PositionError, UnknownActionError
from boardgames_cli.core.game import CHANCE, Game, GameInfo, Seat, Step
from boardgames_cli.core.options import RANDOM, option
from boardgames_cli.games.kuhn import GAME
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    CARD_OF,
    DEALS,
    DECK,
    DRAWS,
    ENDS,
    HIDDEN,
    LETTERS,
    NOT_DEALT,
    NOT_DRAWN,
    SHOWDOWNS,
    TURN,
    Action,
    Deal,
    word,
)
from boardgames_cli.games.kuhn.state import KuhnState, Seen

_CHANCE_ACTS: Final = (CHANCE,)
_SEAT_ACTS: Final = ((0,), (1,))
_NOBODY_ACTS: Final = ()
_ACTIONS: Final = tuple(Action)
_STARTS: Final = tuple(KuhnState((NOT_DEALT, NOT_DEALT), (), first) for first in (0, 1, NOT_DRAWN))
_DRAW: Final = tuple((draw, 1 / 2) for draw in DRAWS)
_FIRST_CARD: Final = tuple((deal, 1 / 3) for deal in DEALS)
_SECOND_CARD: Final = tuple(
    tuple((DEALS[card], 1 / 2) for card in DECK if card != taken) for taken in DECK
)
"""The chance outcomes for the second player, by the first player's card."""
_SEEN: Final = {
    seat: {
        cards: tuple(
            card if card == NOT_DEALT or owner == seat else HIDDEN
            for owner, card in enumerate(cards)
        )
        for cards in itertools.product((HIDDEN, NOT_DEALT, *DECK), repeat=2)
    }
    for seat in (None, 0, 1)
}
"""The cards as a seat, or a spectator, sees them before a showdown."""
_new_tuple: Final = tuple.__new__
"""Makes a named tuple in a third of its constructor's time."""
_HAND_KEYS: Final = ("cards", "actions", "first")
_EXPECTED: Final = 'A position is like {"cards": [2, 0], "actions": ["check"], "first": 0}.'


@dataclass(frozen=True)
class Kuhn(Game[KuhnState, Action, Deal]):
    """The rulebook of Kuhn poker; a match is a number of hands, and the first player alternates."""

    info: ClassVar[GameInfo] = GAME.info
    counters: ClassVar[tuple[str, ...]] = ("hand", "won")

    hands: int = option(1, "hands in a match", low=1, high=1000)
    first: int = option(
        1, "the seat that acts first in the first hand", choices=(1, 2, RANDOM),
        words={2: "seat 2 begins", RANDOM: "a random seat begins"},
    )  # fmt: skip

    @property
    def utility(self) -> tuple[float, float]:
        most = float(self.hands * (ANTE + BET_SIZE))
        return (-most, most)

    @property
    def longest(self) -> int:
        return self.hands * (2 + max(map(len, ENDS))) + (self.first == RANDOM)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Check and bet; their ids are 0 and 1."""
        return _ACTIONS

    def initial_state(self) -> KuhnState:
        """No card is dealt yet, and with a random first seat nobody knows who begins."""
        return _STARTS[self.first - 1]

    def to_act(self, state: KuhnState) -> tuple[Seat, ...]:
        """Chance until both have a card, and again after each hand but the last."""
        if NOT_DEALT in state.cards:
            return _CHANCE_ACTS
        player = TURN.get(state.actions)
        if player is not None:
            return _SEAT_ACTS[player ^ state.first]
        return _CHANCE_ACTS if state.hand + 1 < self.hands else _NOBODY_ACTS

    def legal_actions(self, state: KuhnState, seat: Seat) -> Sequence[Action]:
        return _ACTIONS

    def chance_outcomes(self, state: KuhnState) -> Sequence[tuple[Deal, float]]:
        """Who begins, or the remaining cards for the next player."""
        if state.first == NOT_DRAWN:
            return _DRAW
        if is_half_dealt(state):
            return _SECOND_CARD[state.cards[state.first]]
        return _FIRST_CARD

    def sample_chance(self, state: KuhnState, rng: random.Random) -> Deal:
        outcomes = self.chance_outcomes(state)
        return outcomes[int(rng.random() * len(outcomes))][0]

    def apply(self, state: KuhnState, joint: Mapping[Seat, Action]) -> KuhnState:
        cards, line, first, hand, won = state
        return KuhnState(cards, (*line, *joint.values()), first, hand, won)

    def apply_chance(self, state: KuhnState, outcome: Deal) -> KuhnState:
        cards, line, first, hand, won = state
        if first == NOT_DRAWN:
            return KuhnState(cards, line, DRAWS.index(outcome), hand, won)
        card = CARD_OF[outcome]
        if line:
            first, hand, won = 1 - first, hand + 1, won + hand_result(state)
        elif cards[first] != NOT_DEALT:
            cards = (card, cards[1]) if first else (cards[0], card)
            return KuhnState(cards, (), first, hand, won)
        cards = (NOT_DEALT, card) if first else (card, NOT_DEALT)
        return KuhnState(cards, (), first, hand, won)

    def returns(self, state: KuhnState) -> tuple[float, ...]:
        won = float(state.won + hand_result(state))
        return (won, -won)

    def redact(self, state: KuhnState, seat: Seat | None) -> KuhnState:
        """Hide the cards of others until a showdown; after a fold they stay hidden."""
        cards, line, first, hand, won = state
        if line in SHOWDOWNS:
            return state
        return _new_tuple(KuhnState, (_SEEN[seat][cards], line, first, hand, won))

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if len(set(seats)) > 1 else self.redact(state, next(iter(seats), None))

    def redact_step(
        self, before: KuhnState, step: Step[Action, Deal], seat: Seat | None
    ) -> Step[Action, Deal]:
        """Only the player who is dealt a card sees it; all see who begins."""
        if not step.is_chance or before.first == NOT_DRAWN or seat == self.dealt_to(before):
            return step
        return Step.of_chance(None)

    def dealt_to(self, state: KuhnState) -> Seat:
        """The seat that gets the next card."""
        if is_half_dealt(state) or state.actions:
            return 1 - state.first
        return state.first

    def determinize(self, seen: Seen, rng: random.Random) -> KuhnState:
        state = seen.state
        left = [card for card in DECK if card not in state.cards]
        rng.shuffle(left)
        first, second = (left.pop() if card == HIDDEN else card for card in state.cards)
        return KuhnState((first, second), state.actions, state.first, state.hand, state.won)

    def stage(self) -> Kuhn:
        """The stage game of one hand; every hand of a match is an independent copy."""
        return Kuhn()

    def place_in_stage(self, state: KuhnState) -> tuple[KuhnState, Seat, float, int]:
        """The hand as if the first seat had begun it, with what is won before and to come."""
        if state.first == NOT_DRAWN:  # worth nothing: a hand as first and one as second
            return (_STARTS[0], 0, 0, -1)
        cards = state.cards[::-1] if state.first else state.cards
        # The first player alternates: of an odd number of later hands the other seat begins more.
        odd = (self.hands - 1 - state.hand) % 2
        return (
            KuhnState(cards, state.actions, 0),
            state.first,
            state.won,
            odd * (2 * state.first - 1),
        )

    def information_set(self, seen: Seen) -> str:
        """The information set of the seat to act: its card and the betting, as ``K check bet``.

        The names are the same in every hand and at either seat; there are twelve.
        """
        return " ".join((LETTERS[seen.state.cards[seen.own_seat]], *seen.state.actions))

    def parse(self, state: KuhnState, seat: Seat, text: str) -> Action:
        """As in every game; facing a bet also ``call`` and ``fold``, and prefixes of these."""
        if seat not in self.to_act(state):
            return super().parse(state, seat, text)
        wanted = " ".join(text.lower().split())
        shown = {word(state.actions, action): action for action in _ACTIONS}
        exact = {str(action): action for action in _ACTIONS} | shown
        if wanted in exact:
            return exact[wanted]
        choose = f"Choose: {', '.join(shown)}."
        if wanted in ("call", "fold"):
            raise IllegalActionError("illegal: there is no bet to answer.", choose)
        # No prefixes of the notation: "ch" for check must not fold a hand by mistake.
        begun = [action for name, action in shown.items() if wanted and name.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        raise UnknownActionError(f'"{text}" is not an action of {self.info.name}.', choose)

    def check(self, state: KuhnState) -> None:
        if not state.hand < self.hands:
            raise PositionError(
                f"hand is {state.hand}.", f"It is 0 to {self.hands - 1} in this match."
            )
        if state.actions not in TURN and state.actions not in ENDS:
            raise PositionError(f"actions can't go so: {', '.join(state.actions)}.", _EXPECTED)
        if state.first == NOT_DRAWN:
            if state != self.initial_state():
                raise PositionError("first is -1, which is before a random draw.", _EXPECTED)
            return
        one, other = state.cards
        if one == other in DECK:
            raise PositionError(f"cards has {one} twice.", "There is one card of each rank.")
        early, late = state.cards[state.first], state.cards[1 - state.first]
        if early == NOT_DEALT != late or (state.actions and NOT_DEALT in state.cards):
            listed = [None if card == NOT_DEALT else card for card in state.cards]
            raise PositionError(
                f"cards is {listed}, so not all are dealt.",
                "Who acts first gets a card first, and the betting begins when both have one.",
            )
        most = (ANTE + BET_SIZE) * state.hand
        if abs(state.won) > most:
            raise PositionError(
                f"chips is {[state.won, -state.won]}.",
                f"After {state.hand} hands one has won at most {most}.",
            )

    def to_json(self, state: KuhnState) -> dict[str, Any]:
        """The position; a match of several hands also includes the hand and the chips won."""
        data = super().to_json(state)
        return data if self.hands > 1 else {key: data[key] for key in _HAND_KEYS}

    def from_json(self, data: Mapping[str, Any]) -> KuhnState:
        return super().from_json(self._whole(data))

    def read_seen(self, data: Mapping[str, Any], ply: int) -> KuhnState:
        return super().read_seen(self._whole(data), ply)

    def _whole(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        missing = {"first": self.first - 1, "hand": 0, "chips": [0, 0]}
        return {**missing, **data} if isinstance(data, Mapping) else data


def is_half_dealt(state: KuhnState) -> bool:
    """Whether only the player who acts first has a card."""
    return NOT_DEALT in state.cards and state.cards[state.first] != NOT_DEALT


def is_showdown(state: KuhnState) -> bool:
    """Whether the hand ended with both players in, so that the cards are shown."""
    return state.actions in SHOWDOWNS


def hand_result(state: KuhnState) -> int:
    """The chips that seat 0 wins in this hand; 0 while it is not finished."""
    end = ENDS.get(state.actions)
    if end is None:
        return 0
    if end.winner is None:
        winner = 0 if state.cards[0] > state.cards[1] else 1
    else:
        winner = end.winner ^ state.first
    return -end.stake if winner else end.stake
