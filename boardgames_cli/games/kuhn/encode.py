"""Kuhn poker as arrays. Check is action 0, bet is action 1. Needs numpy (the extra ``numpy``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.encoder import ArrayField, RowEncoder
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    HIDDEN,
    TURN,
    Action,
    Line,
)
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen

_LONGEST_LINE: Final = 3
_MOST_PAID: Final = ANTE + BET_SIZE

_MASKS: Final = (np.full(len(Action), False), np.full(len(Action), True))
_PLACES: Final = np.eye(4, 2, dtype=np.int8)
"""By ``seat ^ first``; its last two, -2 and -1, are all 0: nobody was drawn to act first."""
_CARDS: Final = {card: n for n, card in enumerate((*DECK, HIDDEN))}


def _betting(line: Line) -> npt.NDArray[np.int8]:
    array = np.zeros((_LONGEST_LINE, len(Action)), dtype=np.int8)
    for number, action in enumerate(line):
        array[number, int(action is Action.BET)] = 1
    return array


_LINES: Final = {line: _betting(line) for line in (*TURN, *ENDS)}


@dataclass(frozen=True)
class KuhnEncoder(RowEncoder[Kuhn, KuhnState, Action]):
    """Everything that a seat knows, from its own viewpoint; a spectator has that of seat 0."""

    @cached_property
    def fields(self) -> tuple[ArrayField, ...]:
        hands = self.game.hands
        most = _MOST_PAID * hands
        return (
            ArrayField("place", (2,), "int8", 0, 1, ("place",), "1 at: acts first, acts second"),
            ArrayField(
                "cards", (2, len(_CARDS)), "int8", 0, 1, ("side", "card"),
                "1 at: jack, queen, king, hidden; zeros while it is not dealt; the own card first",
            ),
            ArrayField(
                "betting", (_LONGEST_LINE, len(Action)), "int8", 0, 1, ("number", "action"),
                "1 at what was done in this hand: check, bet",
            ),
            ArrayField("hand", (), "int16", 0, hands - 1, (), "Hands finished before this one"),
            ArrayField("won", (), "int16", -most, most, (), "Own chips won in those hands"),
        )  # fmt: skip

    def mask(self, seen: Seen) -> npt.NDArray[np.bool_]:
        return _MASKS[bool(seen.legal)].copy()

    def row(self, seen: Seen, dtype: str) -> npt.NDArray[Any]:
        cards, line, first, hand, won = seen.state
        seat = seen.seat or 0
        row = _hand_row(seat ^ first, cards[seat], cards[1 - seat], line, dtype).copy()
        row[-2] = hand
        row[-1] = -won if seat else won
        return row


@cache
def _hand_row(place: int, own: int, other: int, line: Line, dtype: str) -> npt.NDArray[Any]:
    cards = np.zeros((2, len(_CARDS)), np.int8)
    for side, card in enumerate((own, other)):
        if card in _CARDS:
            cards[side, _CARDS[card]] = 1
    return np.concatenate([_PLACES[place], cards.ravel(), _LINES[line].ravel(), (0, 0)]).astype(
        dtype
    )
