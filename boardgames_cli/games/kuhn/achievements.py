"""Achievements in Kuhn poker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardgames_cli.core.presentation.achievement import Achievement, FinishedGame
from boardgames_cli.games.kuhn.actions import ENDS, JACK, KING, QUEEN, Action, Line, faces_bet
from boardgames_cli.games.kuhn.state import KuhnState

_C, _B = Action.CHECK, Action.BET
_MANY: Final = 10
"""The hands of a match in which discipline is tried."""


def _hands(game: FinishedGame) -> Iterator[tuple[KuhnState, Line]]:
    """Every finished hand: its last state, and the betting with the person's part of it."""
    for turn in game.turns:
        if turn.after.actions in ENDS and turn.before.actions not in ENDS:
            yield turn.after, turn.after.actions


def _caught_bluff(game: FinishedGame) -> bool:
    for hand, line in _hands(game):
        is_called = line in ((_B, _B), (_C, _B, _B))
        caller = (hand.first + len(line) - 1) % 2
        cards = hand.cards[game.seat], hand.cards[1 - game.seat]
        if is_called and caller == game.seat and cards == (QUEEN, JACK):
            return True
    return False


def _bluffed(game: FinishedGame) -> bool:
    for hand, line in _hands(game):
        end = ENDS[line]
        is_own = end.winner is not None and (hand.first + end.winner) % 2 == game.seat
        if is_own and hand.cards[game.seat] == JACK:
            return True
    return False


def _trapped(game: FinishedGame) -> bool:
    return any(
        line == (_C, _B, _B) and hand.first == game.seat and hand.cards[game.seat] == KING
        for hand, line in _hands(game)
    )


def _was_patient(game: FinishedGame) -> bool:
    jacks = [
        turn.action
        for turn in game.own_turns
        if turn.before.cards[game.seat] == JACK and faces_bet(turn.before.actions)
    ]
    is_long = game.match.state.hand + 1 >= _MANY
    return game.is_won and is_long and len(jacks) > 1 and _B not in jacks


ACHIEVEMENTS: Final = (
    Achievement(
        "bluff-caught", "Bluff caught", "Call with the queen, and see a jack.",
        "A called bet shows what was held: the queen wins against a jack that bets, and only then.",
        _caught_bluff,
    ),
    Achievement(
        "bluff", "They folded to a jack", "Win a hand with the jack.",
        "The worst card wins only by betting: bluff with a third of your jacks.",
        _bluffed,
    ),
    Achievement(
        "trap", "The trap", "Check the king, then call their bet.",
        "A king that checks first invites a bluff, and a call then wins two chips.",
        _trapped,
    ),
    Achievement(
        "patience", "No jack called", "Win a match of ten hands and fold your jacks to bets.",
        "A jack that calls a bet has lost already: folding it saves a chip each time.",
        _was_patient,
    ),
)  # fmt: skip
