"""Compiled search for the last decisions of `agents.expectimax` in Senet."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from boardgames_cli.agents.expectimax import HASTE
from boardgames_cli.core.game import Seat
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.fast import compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.network import (
    CompiledEvaluation,
    chance,
    make_evaluation,
    network_of,
)
from boardgames_cli.games.senet.fast.ranking import table_of
from boardgames_cli.games.senet.heuristic import NetworkEvaluation
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

_CHANCES = np.array((0.0, *THROW_CHANCES))
_HASTE = HASTE


class SenetSearch:
    """Searches from positions before a throw; see `GameSpec.search`.

    Args:
        game: The rulebook.
        evaluation: The evaluation of leaf positions.
    """

    deepest: ClassVar[int] = 3

    def __init__(self, game: Senet, evaluation: NetworkEvaluation) -> None:
        self._evaluation = make_evaluation(
            network_of(evaluation.model.networks[game.rules]),
            table_of(evaluation.rounded(game.rules)),
            RULES[game.rules],
        )

    def value(self, state: SenetState, seat: Seat, depth: int) -> float | None:
        """A seat's return after searching ``depth`` decisions; None if there is a throw to use."""
        if state.steps is not None:
            return None
        player = state.player
        own, opponent = state.side(player), state.side(1 - player)
        found = search(own, opponent, depth, self._evaluation)
        return found if player == seat else -found


def make_search(game: Senet, heuristic: Heuristic) -> SenetSearch | None:
    """Make a search with an evaluation; None if it is not a network."""
    return SenetSearch(game, heuristic) if isinstance(heuristic, NetworkEvaluation) else None


@compiled
def search(own: int, opponent: int, depth: int, evaluation: CompiledEvaluation) -> float:
    """The return of the player about to throw, searching ``depth`` decisions.

    Args:
        own: The houses of that player; empty if it has won.
        opponent: The houses of the other player.
        depth: The number of decisions; with 0 it is the evaluation.
        evaluation: The network and the exact endings.
    """
    if own == 0:
        return 1.0
    if opponent == 0:
        return -1.0
    if depth == 0:
        return 2.0 * chance(own, opponent, evaluation) - 1.0
    total, rules = 0.0, evaluation.rules
    for steps in range(1, 6):
        starts = movers(own, opponent, steps, rules)
        backward, starts = starts & BACKWARD, starts & BOARD
        best = -2.0 if starts else -search(opponent, own, depth - 1, evaluation)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(own, opponent, start, steps, backward, rules)
            own_after, opponent_after = play(own, opponent, start, end)
            if throws_again(steps, end, rules):
                value = search(own_after, opponent_after, depth - 1, evaluation)
            else:
                value = -search(opponent_after, own_after, depth - 1, evaluation)
            best = max(best, value)
        total += _CHANCES[steps] * (_HASTE * best)
    return total
