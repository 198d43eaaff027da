"""How often to bluff and how often to believe it: an equilibrium's mixed choices as questions.

What the other shares must be once that of the jack's bluffs is chosen is Kuhn's result of 1950; see
`theory`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from boardgames_cli.core.analyst import ShareQuestion
from boardgames_cli.core.game import Observation
from boardgames_cli.games.kuhn.actions import HIDDEN, JACK, KING, QUEEN, TURN, Action, Card, Line
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState

Question = ShareQuestion[KuhnState, Action]

_CHECK, _BET = Action.CHECK, Action.BET
_DEALS: Final = 2
_THIRD: Final = Fraction(1, 3)
_BLUFFS: Final = tuple(Fraction(*pair) for pair in ((0, 1), (1, 9), (1, 6), (2, 9), (1, 3)))
"""Shares of bluffs with the jack that are given."""


def questions(game: Kuhn) -> Iterator[Question]:
    """All of them, those about the second player first: it has only one equilibrium."""
    yield _asked(
        game, JACK, (_CHECK,), "How often must the jack bluff?", (_THIRD, _THIRD),
        "you bet every king, and a call risks 1 to win 3: with one jack for three kings a queen "
        "gains as much by calling as by folding",
    )  # fmt: skip
    yield _asked(
        game, QUEEN, (_BET,), "How often must the queen call?", (_THIRD, _THIRD),
        "a jack that bets instead of checking risks 1 to win 2: it gains nothing by that if a "
        "queen calls once in three times, and a king always",
    )  # fmt: skip
    yield _asked(
        game, JACK, (), "How often can it be right that the jack bluffs?", (Fraction(0), _THIRD),
        "three kings must be bet for each jack, and no king can be bet more often than always",
    )  # fmt: skip
    for bluffs in _BLUFFS:
        yield _asked(
            game, KING, (), f"{_given(bluffs)} How often must the king bet?",
            (3 * bluffs, 3 * bluffs),
            "a queen that calls risks 1 to win 3: with three kings for each jack it gains as much "
            "by calling as by folding",
        )  # fmt: skip
    for bluffs in _BLUFFS[::2]:
        calls = bluffs + _THIRD
        yield _asked(
            game, QUEEN, (_CHECK, _BET),
            f"{_given(bluffs)} How often must the queen call?",
            (calls, calls),
            "the other side's jack must gain nothing by a bluff: the more kings you have bet "
            "already, the more often a queen calls, as often as your jack bluffs and a third of "
            "the time besides",
        )  # fmt: skip


def _given(share: Fraction) -> str:
    how = f"bluffs {float(share):.0%} of the time" if share else "never bluffs"
    return f"First to act, your jack {how}."


def _asked(
    game: Kuhn, card: Card, line: Line, task: str, right: tuple[Fraction, Fraction], why: str
) -> Question:
    seat = TURN[line]
    cards = (HIDDEN, card) if seat else (card, HIDDEN)
    state = KuhnState(cards, line, 0)
    legal = tuple(game.legal_actions(state, seat))
    seen = Observation(seat, _DEALS + len(line), state, legal)
    low, high = map(float, right)
    return ShareQuestion(seen, _BET, task, low, high, why)
