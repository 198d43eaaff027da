"""What the tests of Kuhn poker share."""

from __future__ import annotations

from collections.abc import Iterator

from boardgames_cli.algorithms.game_tree import successors
from boardgames_cli.core.match import Match
from boardgames_cli.games.kuhn.actions import Action, Deal
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState

CHECK, BET = Action.CHECK, Action.BET
JACK, QUEEN, KING = range(3)

KuhnMatch = Match[KuhnState, Action, Deal]


def every_state(game: Kuhn, state: KuhnState | None = None) -> Iterator[KuhnState]:
    """All histories of a game, as states."""
    state = game.initial_state() if state is None else state
    yield state
    for _, after in successors(game, state):
        yield from every_state(game, after)


def play_hand(match: KuhnMatch, deal: str, line: str) -> None:
    """Play a hand: the cards in the order dealt, as ``KJ``, and the line, as ``cbc``."""
    for letter in deal:
        match.submit_chance(match.game.parse_chance(match.state, f"deal {letter}"))
    for letter in line:
        match.submit(match.waiting_for[0], CHECK if letter == "c" else BET)
