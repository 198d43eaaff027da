"""Plays Senet on by the compiled evaluation, looking one throw and move ahead."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast import Flags, Floats, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    Masks,
    end_of,
    movers,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.fast.search import (
    CompiledEvaluation,
    chance,
    chance_in,
    make_evaluation,
    network_of,
    table_of,
)
from boardgames_cli.games.senet.heuristic import evaluate

_CHANCES: Final = np.array((0.0, *THROW_CHANCES))


class MoveChoices(NamedTuple):
    """For every throw the best move: masks after it, its value, and the next player."""

    own: Masks
    opponent: Masks
    value: Floats
    again: Flags


def make_choices() -> MoveChoices:
    """Room for the choices of one position."""
    masks = np.zeros(6, np.int64)
    return MoveChoices(masks, masks.copy(), np.zeros(6), np.zeros(6, np.bool_))


@compiled
def look_ahead(
    own: int, opponent: int, choices: MoveChoices, evaluation: CompiledEvaluation
) -> float:
    """The value of a position by one-decision search; writes the best move for every throw."""
    total, rules = 0.0, evaluation.rules
    for steps in range(1, 6):
        starts = movers(own, opponent, steps, rules)
        backward, starts = starts & BACKWARD, starts & BOARD
        choices.own[steps], choices.opponent[steps], choices.again[steps] = own, opponent, False
        best = -1.0 if starts else 1.0 - chance(opponent, own, evaluation)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(own, opponent, start, steps, backward, rules)
            own_after, opponent_after = play(own, opponent, start, end)
            again = throws_again(steps, end, rules)
            if again:
                value = chance(own_after, opponent_after, evaluation)
            else:
                value = 1.0 - chance(opponent_after, own_after, evaluation)
            if value > best:
                best = value
                choices.own[steps], choices.opponent[steps] = own_after, opponent_after
                choices.again[steps] = again
        choices.value[steps] = best
        total += _CHANCES[steps] * best
    return total


class SenetRollouts:
    """Plays on with the bundled evaluation.

    Both sides make the evaluation's best moves until the table of endings has the position. What
    the throws gave and took, by the evaluation, is subtracted from each result. That leaves its
    mean as it was, since a throw is worth nothing on average, and takes nearly all of its spread
    (control variates; Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree Search",
    2011).

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
        roll_out(own, opponent, make_choices(), self._evaluation, make_seed(seed), results)
        return results


@compiled
def roll_out(
    own: int,
    opponent: int,
    choices: MoveChoices,
    evaluation: CompiledEvaluation,
    rng: Seeds,
    results: Floats,
) -> None:
    """Play on from a position before a throw; see `SenetRollouts.results`."""
    for number in range(len(results)):
        first, second, sign, luck = own, opponent, 1.0, 0.0
        known = chance_in(first, second, evaluation.table, evaluation.rules)
        while known < 0.0:
            steps = throw(rng)
            expected = look_ahead(first, second, choices, evaluation)
            luck += sign * 2.0 * (choices.value[steps] - expected)
            first, second = choices.own[steps], choices.opponent[steps]
            if not choices.again[steps]:
                first, second, sign = second, first, -sign
            known = chance_in(first, second, evaluation.table, evaluation.rules)
        results[number] = sign * (2.0 * known - 1.0) - luck
