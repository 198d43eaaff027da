"""Compiled random games."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.xorshift import draw, is_given, make_seed
from boardgames_cli.games.senet.actions import FALLS, THROWS
from boardgames_cli.games.senet.fast import Ints, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.rules import Senet

Masks = npt.NDArray[np.int64]


@compiled
def count_of(mask: int) -> int:
    """The number of houses in a mask of at most 31 bits."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return (mask * 0x01010101 >> 24) & 0xFF


@compiled
def nth(mask: int, number: int) -> int:
    """The n-th house of a mask of dancers, counted from 0 at the lowest, as a mask."""
    for lower in range(_MOST_DANCERS - 1):  # without a branch, which nobody could predict
        mask &= mask - (lower < number)
    return mask & -mask


_MOST_DANCERS: Final = 7
_THROWS: Final = np.repeat([throw.steps for throw in THROWS], FALLS)
"""The throw of each number in the order of the rules."""


@compiled
def throw(rng: Seeds) -> int:
    """A throw of the four sticks: 1 to 5."""
    fall = draw(rng, 16)
    if is_given(rng):
        return int(_THROWS[fall])
    flat = (fall & 1) + (fall >> 1 & 1) + (fall >> 2 & 1) + (fall >> 3)
    return flat if flat else 5


def random_games(game: Senet, count: int, seed: int = 0) -> Ints:
    """Play whole games with random moves.

    Args:
        game: The rulebook.
        count: The number of games.
        seed: The seed of the generator.

    Returns:
        int32[count, 2]: for each game the number of throws, and the winner's seat.
    """
    start = game.initial_state()
    results = np.zeros((count, 2), dtype=np.int32)
    own, opponent = start.side(start.player), start.side(1 - start.player)
    play_random_games(own, opponent, start.player, RULES[game.rules], make_seed(seed), results)
    return results


@compiled
def play_random_games(
    own: int, opponent: int, player: int, rules: int, rng: Seeds, results: Ints
) -> None:
    """Play games from one position with random moves; see `random_games`."""
    for number in range(len(results)):
        throws, winner = play_random_game(own, opponent, player, rules, rng)
        results[number, 0], results[number, 1] = throws, winner


@compiled
def play_random_game(
    own: int, opponent: int, player: int, rules: int, rng: Seeds
) -> tuple[int, int]:
    """Finish a game with random moves from a position before a throw.

    Args:
        own: The houses of the player about to throw.
        opponent: The houses of the other player.
        player: The seat of the player about to throw.
        rules: The rule set, see `moves`.
        rng: The generator.

    Returns:
        The number of throws, and the winner's seat.
    """
    throws = 0
    while own and opponent:
        steps = throw(rng)
        throws += 1
        starts = movers(own, opponent, steps, rules)
        again = False
        if starts:
            dancers = starts & BOARD
            start = nth(dancers, draw(rng, count_of(dancers)))
            end = end_of(own, opponent, start, steps, starts & BACKWARD, rules)
            own, opponent = play(own, opponent, start, end)
            again = throws_again(steps, end, rules)
        if not again:
            own, opponent, player = opponent, own, 1 - player
    return throws, player if not own else 1 - player
