"""Kuhn poker in sentences: what was done, how a hand ended, who has what.

All of it from states that are redacted for the reader: what is hidden there can't be said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.kuhn.actions import (
    BET_SIZE,
    DECK,
    ENDS,
    LETTERS,
    Action,
    Card,
    Line,
    paid_in,
    word,
)
from boardgames_cli.games.kuhn.rules import Kuhn, hand_result, is_showdown
from boardgames_cli.games.kuhn.state import KuhnState

Names = Callable[[Seat], str]

BUY_IN = 2
"""Chips that each brings to the table for every hand, the most that a hand can cost."""

# In the past, which is the same for "You" and for a name.
_VERBS = {"check": "checked", "bet": f"bet {BET_SIZE}", "call": "called", "fold": "folded"}
LONGEST_VERB: Final = max(map(len, _VERBS.values()))


def verb(line: Line, action: Action) -> str:
    """An action in words, such as ``bet 1``; its meaning depends on the line before it."""
    return _VERBS[word(line, action)]


def label(line: Line, action: Action) -> str:
    """A choice as people know it, with what it costs."""
    name = word(line, action)
    if name == "bet":
        return f"bet {BET_SIZE}"
    return f"call (pay {BET_SIZE})" if name == "call" else name


def actor(state: KuhnState, number: int) -> Seat:
    """Whose the action of that number is."""
    return (number % 2) ^ state.first


def saying(state: KuhnState, seat: Seat) -> str:
    """What a seat has done last in this hand; empty if nothing."""
    for number in reversed(range(len(state.actions))):
        if actor(state, number) == seat:
            return verb(state.actions[:number], state.actions[number])
    return ""


def actions_taken(state: KuhnState, name: Names) -> list[str]:
    """What was done in the hand so far, in order."""
    return [
        f"{name(actor(state, number))} {verb(state.actions[:number], action)}"
        for number, action in enumerate(state.actions)
    ]


def betting(state: KuhnState, name: Names) -> str:
    """The betting of the hand in one line; empty before the first action."""
    return ", ".join(actions_taken(state, name))


def verdict(state: KuhnState, name: Names) -> str:
    """Who won a finished hand, and how much."""
    return f"{name(0 if hand_result(state) > 0 else 1)} won {ENDS[state.actions].stake}"


def outcome(state: KuhnState, name: Names) -> str:
    """How a finished hand ended."""
    won = verdict(state, name)
    if not is_showdown(state):
        loser = 0 if hand_result(state) < 0 else 1
        return f"{won}: {name(loser)} folded, no card was shown"
    shown = f"{name(state.first)} showed {letter(state.cards[state.first])}"
    other = 1 - state.first
    return f"{shown}, {name(other)} showed {letter(state.cards[other])}: {won}"


def letter(card: Card) -> str:
    """A card as one letter; what is hidden or not dealt is a question mark."""
    return LETTERS[card] if card in DECK else "?"


def pot(state: KuhnState) -> int:
    """Chips in the middle."""
    return sum(paid_in(state.actions, player) for player in (0, 1))


def stack(game: Kuhn, state: KuhnState, seat: Seat) -> int:
    """Chips in front of a seat, those in the pot not counted; after a hand the winner has them."""
    net = int(game.returns(state)[seat])
    in_pot = 0 if state.actions in ENDS else paid_in(state.actions, seat ^ state.first)
    return BUY_IN * game.hands + net - in_pot


def hand_number(game: Kuhn, state: KuhnState) -> str:
    """Which hand it is, such as ``Hand 7 of 20``."""
    return f"Hand {state.hand + 1} of {game.hands}" if game.hands > 1 else "One hand"
