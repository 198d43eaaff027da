"""Compiled games that are played on from a position, without their luck.

Both sides make the evaluation's best moves until the table of endings has the position. What the
throws gave and took, by the evaluation, is subtracted from each result. That leaves its mean as it
was, since a throw is worth nothing on average, and takes nearly all of its spread (control
variates; Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree Search", 2011).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast import Floats, Seeds, compiled
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
from boardgames_cli.games.senet.fast.playouts import throw
from boardgames_cli.games.senet.fast.ranking import chance_in, table_of
from boardgames_cli.games.senet.heuristic import evaluate

_CHANCES: Final = np.array((0.0, *THROW_CHANCES))


class SenetRollouts:
    """Plays on with the bundled evaluation.

    Args:
        endings: The table in which games end.
    """

    def __init__(self, endings: Endings) -> None:
        rules = endings.table.rules
        network = network_of(evaluate.model.networks[rules])
        self._evaluation = make_evaluation(network, table_of(endings), RULES[rules])

    def results(self, own: int, opponent: int, plays: int, seed: int) -> Floats:
        """The returns of the player about to throw, without luck: float64[plays].

        Args:
            own: The houses of that player.
            opponent: The houses of the other player.
            plays: The number of games.
            seed: The seed of the throws.
        """
        results: Floats = np.empty(plays)
        roll_out(own, opponent, self._evaluation, make_seed(seed), results)
        return results


@compiled
def roll_out(own: int, opponent: int, by: CompiledEvaluation, rng: Seeds, results: Floats) -> None:
    """Play on from a position before a throw; see `SenetRollouts.results`."""
    for number in range(len(results)):
        first, second, sign, luck = own, opponent, 1.0, 0.0
        while True:
            known = chance_in(first, second, by.table, by.rules)
            if known >= 0.0:
                results[number] = sign * (2.0 * known - 1.0) - luck
                break
            thrown = throw(rng)
            expected, came, after = 0.0, 0.0, (first, second, False)
            for steps in range(1, 6):
                value, own_after, opponent_after, again = _best(first, second, steps, by)
                expected += _CHANCES[steps] * value
                if steps == thrown:
                    came, after = value, (own_after, opponent_after, again)
            luck += sign * (came - expected)
            first, second, again = after
            if not again:
                first, second, sign = second, first, -sign


@compiled
def _best(
    own: int, opponent: int, steps: int, by: CompiledEvaluation
) -> tuple[float, int, int, bool]:
    """The return of a throw's best move, the masks after it, and whether it gives another throw."""
    starts = movers(own, opponent, steps, by.rules)
    if not starts:
        return 1.0 - 2.0 * chance(opponent, own, by), own, opponent, False
    backward, starts = starts & BACKWARD, starts & BOARD
    best, best_own, best_opponent, is_again = -2.0, own, opponent, False
    while starts:
        start = starts & -starts
        starts ^= start
        end = end_of(own, opponent, start, steps, backward, by.rules)
        own_after, opponent_after = play(own, opponent, start, end)
        again = throws_again(steps, end, by.rules)
        if own_after == 0:
            value = 1.0
        elif again:
            value = 2.0 * chance(own_after, opponent_after, by) - 1.0
        else:
            value = 1.0 - 2.0 * chance(opponent_after, own_after, by)
        if value > best:
            best, best_own, best_opponent, is_again = value, own_after, opponent_after, again
    return best, best_own, best_opponent, is_again
