"""Cards, actions and betting lines of Kuhn poker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

Card: TypeAlias = int
"""0, 1, 2 are jack, queen and king; also `NOT_DEALT` and `HIDDEN`."""

JACK: Final = 0
QUEEN: Final = 1
KING: Final = 2
DECK: Final = (JACK, QUEEN, KING)
NOT_DEALT: Final = -1
HIDDEN: Final = -2
"""A card that has been dealt and that the viewer may not see."""
NOT_DRAWN: Final = -1
"""The seat that acts first, before it is drawn."""

LETTERS: Final = "JQK"

ANTE: Final = 1
BET_SIZE: Final = 1


class Action(StrEnum):
    """A player's action; facing a bet, check means fold and bet means call."""

    CHECK = "check"
    BET = "bet"


class Deal(StrEnum):
    """A chance outcome: the card dealt to the next player, or the seat drawn to act first."""

    J = "deal J"
    Q = "deal Q"
    K = "deal K"
    FIRST_1 = "first 1"
    FIRST_2 = "first 2"


DEALS: Final = (Deal.J, Deal.Q, Deal.K)
"""The cards dealt, indexed by card."""
DRAWS: Final = (Deal.FIRST_1, Deal.FIRST_2)
"""The draws of the seat that acts first, indexed by seat."""
CARD_OF: Final[Mapping[Deal, Card]] = {deal: card for card, deal in enumerate(DEALS)}

Line: TypeAlias = tuple[Action, ...]
"""The betting of a hand so far, starting with the player who acts first."""

_C, _B = Action.CHECK, Action.BET

TURN: Final[Mapping[Line, int]] = {(): 0, (_C,): 1, (_B,): 1, (_C, _B): 0}
"""The player to act after each unfinished line: 0 acts first, 1 second."""


@dataclass(frozen=True, slots=True)
class End:
    """How a finished line is settled."""

    stake: int
    """The amount that the loser pays the winner."""
    winner: int | None
    """0 for the player who acts first, 1 for the other, None for a showdown."""


ENDS: Final[Mapping[Line, End]] = {
    (_C, _C): End(ANTE, None),
    (_C, _B, _C): End(ANTE, 1),
    (_C, _B, _B): End(ANTE + BET_SIZE, None),
    (_B, _C): End(ANTE, 0),
    (_B, _B): End(ANTE + BET_SIZE, None),
}

SHOWDOWNS: Final = frozenset(line for line, end in ENDS.items() if end.winner is None)


def faces_bet(line: Line) -> bool:
    """Whether the player to act must answer a bet."""
    return line in TURN and bool(line) and line[-1] is Action.BET


def paid_in(line: Line, player: int) -> int:
    """The chips that a player, 0 if they act first, has put in: the ante, and at most one bet."""
    own = line[player::2]
    return ANTE + BET_SIZE * (Action.BET in own)


def word(line: Line, action: Action) -> str:
    """The common name of an action after a line: check, bet, call or fold."""
    if faces_bet(line):
        return "call" if action is Action.BET else "fold"
    return str(action)
