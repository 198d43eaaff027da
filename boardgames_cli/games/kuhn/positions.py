"""Positions of Kuhn poker as JSON: every field is checked, and the first wrong one is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.position import check_fields, is_whole
from boardgames_cli.games.kuhn.betting import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    HIDDEN,
    NOT_DEALT,
    TURN,
    Action,
    Card,
    Line,
)

HIDDEN_MARK: Final = "?"
_KEYS: Final = ("cards", "actions", "first")
_MATCH_KEYS: Final = ("hand", "chips")
_EXPECTED: Final = 'A position is like {"cards": [2, 0], "actions": ["check"], "first": 0}.'


class _State(Protocol):
    @property
    def cards(self) -> tuple[Card, Card]: ...
    @property
    def actions(self) -> Line: ...
    @property
    def first(self) -> int: ...
    @property
    def hand(self) -> int: ...
    @property
    def won(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Position:
    """A checked position; the fields are those of `rules.KuhnState`."""

    cards: tuple[Card, Card]
    actions: Line
    first: int
    hand: int
    won: int


def write(state: _State, hands: int) -> dict[str, Any]:
    """A state as a JSON object: null is a card not dealt, ``?`` one that is hidden.

    Args:
        state: The state, redacted or not.
        hands: How many hands the match has; if only one, the score is left out.
    """
    marks: dict[Card, Any] = {NOT_DEALT: None, HIDDEN: HIDDEN_MARK}
    data: dict[str, Any] = {
        "cards": [marks.get(card, card) for card in state.cards],
        "actions": [str(action) for action in state.actions],
        "first": state.first,
    }
    if hands > 1:
        data |= {"hand": state.hand, "chips": [state.won, -state.won]}
    return data


def read(data: Mapping[str, Any], hands: int, first: int) -> Position:
    """Check a position.

    Args:
        data: The JSON object; ``first``, ``hand`` and ``chips`` may be left out.
        hands: How many hands the match has.
        first: The seat that acts first if the position does not say it.

    Raises:
        PositionError: The position is impossible; the message names the field.
    """
    check_fields(data, ("cards", "actions"), (*_KEYS, *_MATCH_KEYS), expected=_EXPECTED)
    first = data.get("first", first)
    if not is_whole(first) or first not in (0, 1):
        raise PositionError(f"first is {first!r}.", "It is the seat that acts first, 0 or 1.")
    hand = data.get("hand", 0)
    if not is_whole(hand) or not 0 <= hand < hands:
        raise PositionError(f"hand is {hand!r}.", f"It is 0 to {hands - 1} in this match.")
    line = _read_line(data["actions"])
    cards = _read_cards(data["cards"], first, is_betting=bool(line))
    return Position(cards, line, first, hand, _read_chips(data.get("chips", [0, 0]), hand))


def _read_line(listed: Any) -> Line:
    if not isinstance(listed, list | tuple):
        raise PositionError(f"actions is {listed!r}.", 'It is a list of "check" and "bet".')
    try:
        line = tuple(Action(text) for text in listed)
    except (ValueError, TypeError):
        raise PositionError(
            f"actions has something else than check and bet: {listed!r}.", _EXPECTED
        ) from None
    if line not in TURN and line not in ENDS:
        raise PositionError(f"actions can't go so: {', '.join(line)}.", _EXPECTED)
    return line


def _read_cards(listed: Any, first: int, *, is_betting: bool) -> tuple[Card, Card]:
    if not isinstance(listed, list | tuple) or len(listed) != 2:
        raise PositionError(f"cards is {listed!r}.", _EXPECTED)
    if HIDDEN_MARK in listed:
        raise PositionError(
            "cards has a hidden one.", "A game can only go on from a position with both cards."
        )
    for card in listed:
        if card is not None and not (is_whole(card) and card in DECK):
            raise PositionError(f"cards has {card!r}.", "0 is the jack, 1 the queen, 2 the king.")
    if listed[0] == listed[1] and listed[0] is not None:
        raise PositionError(f"cards has {listed[0]} twice.", "There is one card of each rank.")
    is_wrong_way = listed[first] is None and listed[1 - first] is not None
    if is_wrong_way or (is_betting and None in listed):
        raise PositionError(
            f"cards is {listed!r}, so not all are dealt.",
            "Who acts first gets a card first, and the betting begins when both have one.",
        )
    one, other = (NOT_DEALT if card is None else card for card in listed)
    return one, other


def _read_chips(listed: Any, hand: int) -> int:
    if not isinstance(listed, list | tuple) or len(listed) != 2 or not all(map(is_whole, listed)):
        raise PositionError(f"chips is {listed!r}.", "It is what each seat has won, as [3, -3].")
    won = int(listed[0])
    most = (ANTE + BET_SIZE) * hand
    if won + listed[1] or abs(won) > most:
        raise PositionError(
            f"chips is {listed!r}.",
            f"One wins what the other loses, after {hand} hands at most {most}.",
        )
    return won
