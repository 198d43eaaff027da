"""Compiled self-play of a network, and target values for its positions.

The targets mix the network's value one decision later, over all throws and best moves, with the
result of the game, by TD(lambda) (Sutton, "Learning to predict by the methods of temporal
differences", 1988). A game ends where the exact endings begin. In some games a side makes random
errors, because a network trained only against itself does not learn positions reached by weaker
players; results after an error are not used for the positions before it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, WATER, bit
from boardgames_cli.games.senet.fast.endings import CompiledTable, chance_in
from boardgames_cli.games.senet.fast.jit import Flags, Floats, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    KENDALL,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.network import Network, NetworkMemory, chance
from boardgames_cli.games.senet.fast.playouts import Masks, count_of, nth, throw

LONGEST: Final = 4000
"""The maximum number of throws in a game; the network then evaluates the position."""

_CHANCES = np.array((0.0, *THROW_CHANCES))
_PARTS = 1 << 20
_WATER, _HAPPINESS = bit(WATER), bit(HAPPINESS)

ERRORS = np.array((1.0, 1.0, 0.3, 0.1))
"""The error rates of erring sides; one of these is drawn for each game."""


class Examples(NamedTuple):
    """Positions before a throw with their targets."""

    own: Masks
    opponent: Masks
    target: Floats
    """The target probability that the player about to throw wins."""


class Trajectory(NamedTuple):
    """The record of a game, throw by throw."""

    own: Masks
    opponent: Masks
    ahead: Floats
    """The value of the position after a one-decision search."""
    again: Flags
    """Whether the same player throws next."""
    erred: Flags
    """Whether the move may not have been the best."""


class Choices(NamedTuple):
    """For every throw the best move: masks after it, its value, and the next player."""

    own: Masks
    opponent: Masks
    value: Floats
    again: Flags


class Manner(NamedTuple):
    """How games are played."""

    rules: int
    trace_decay: float
    """TD's lambda."""
    random_starts: float
    """The share of games that start from a random position."""
    wrong_moves: float
    """The share of the other games in which a side errs."""


def make_examples(count: int) -> Examples:
    """Allocate examples."""
    return Examples(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count))


def make_trajectory() -> Trajectory:
    """Allocate the record of a game."""
    masks, flags = np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.bool_)
    return Trajectory(masks, masks.copy(), np.zeros(LONGEST), flags, flags.copy())


def make_choices() -> Choices:
    """Room for the choices of one position."""
    masks = np.zeros(6, np.int64)
    return Choices(masks, masks.copy(), np.zeros(6), np.zeros(6, np.bool_))


@compiled
def happens(rng: Seeds, share: float) -> bool:
    """Draw true with a given probability."""
    return draw(rng, _PARTS) < share * _PARTS


@compiled
def collect(
    examples: Examples,
    course: Trajectory,
    choices: Choices,
    network: Network,
    memory: NetworkMemory,
    table: CompiledTable,
    manner: Manner,
    rng: Seeds,
) -> int:
    """Play games until there are enough positions; the last game may be partly unused.

    Args:
        examples: Receives the positions.
        course: A buffer for a game.
        choices: Room for the choices of one position.
        network: The network.
        memory: The cache of its sums.
        table: The exact endings.
        manner: How games are played.
        rng: The generator.

    Returns:
        The number of games played.
    """
    done, games = 0, 0
    while done < len(examples.own):
        length, value = _play_game(course, choices, network, memory, table, manner, rng)
        games += 1
        for number in range(length - 1, -1, -1):
            if not course.again[number]:
                value = 1.0 - value
            if course.erred[number]:
                value = course.ahead[number]
            else:
                decay = manner.trace_decay
                value = decay * value + (1.0 - decay) * course.ahead[number]
            if done < len(examples.own):
                examples.own[done] = course.own[number]
                examples.opponent[done] = course.opponent[number]
                examples.target[done] = value
                done += 1
    return games


@compiled
def _play_game(
    course: Trajectory,
    choices: Choices,
    network: Network,
    memory: NetworkMemory,
    table: CompiledTable,
    manner: Manner,
    rng: Seeds,
) -> tuple[int, float]:
    """Play one game; return its length, and the value of its last position to the next player."""
    own, opponent, error, other_error = _start(table, manner, rng)
    is_random = draw(rng, 2) == 0
    for length in range(LONGEST):
        ahead = look_ahead(own, opponent, choices, network, memory, table, manner.rules)
        course.own[length], course.opponent[length], course.ahead[length] = own, opponent, ahead
        steps = throw(rng)
        own_after, opponent_after = choices.own[steps], choices.opponent[steps]
        again = choices.again[steps]
        course.erred[length] = False
        if error > 0.0 and happens(rng, error):
            course.erred[length] = True
            own_after, opponent_after, again = stray(
                own, opponent, steps, manner.rules, is_random, rng
            )
        course.again[length] = again
        if own_after == 0:
            course.again[length] = True
            return length + 1, 1.0
        own, opponent = (own_after, opponent_after) if again else (opponent_after, own_after)
        if not again:
            error, other_error = other_error, error
        known = chance_in(own, opponent, table, manner.rules)
        if known >= 0.0:
            return length + 1, known
    return LONGEST, chance(own, opponent, network, memory, table, manner.rules)


@compiled
def _start(table: CompiledTable, manner: Manner, rng: Seeds) -> tuple[int, int, float, float]:
    """The masks of both sides before the first throw, and their error rates."""
    pieces = 7 if draw(rng, 3) == 0 else 5
    if happens(rng, manner.random_starts):
        own, opponent = 1, 2
        while chance_in(own, opponent, table, manner.rules) >= 0.0:
            own, opponent = random_position(pieces, manner.rules, rng)
        return own, opponent, 0.0, 0.0
    cones = initial(pieces)
    if not happens(rng, manner.wrong_moves):
        return cones << 1, cones, 0.0, 0.0
    error = ERRORS[draw(rng, len(ERRORS))]
    other_error = 0.1 if draw(rng, 5) == 0 else 0.0
    if draw(rng, 2):
        return cones << 1, cones, error, other_error
    return cones << 1, cones, other_error, error


@compiled
def initial(pieces: int) -> int:
    """The initial houses of the cones; the spools are one house further."""
    cones = 0
    for dancer in range(pieces):
        cones |= 1 << (2 * dancer)
    return cones


@compiled
def random_position(pieces: int, rules: int, rng: Seeds) -> tuple[int, int]:
    """A random position before a throw, uniform in the number of dancers."""
    closed = _WATER if rules == KENDALL else 0
    own = _scatter(1 + draw(rng, pieces), closed, rng)
    # In Skyruk's rules a dancer that reaches house 26 must leave it with an extra throw.
    closed_too = closed if rules == KENDALL else _HAPPINESS
    return own, _scatter(1 + draw(rng, pieces), own | closed_too, rng)


@compiled
def _scatter(dancers: int, taken: int, rng: Seeds) -> int:
    mask = 0
    while dancers:
        house = 1 << draw(rng, HOUSES)
        if not house & (mask | taken):
            mask |= house
            dancers -= 1
    return mask


@compiled
def look_ahead(
    own: int,
    opponent: int,
    choices: Choices,
    network: Network,
    memory: NetworkMemory,
    table: CompiledTable,
    rules: int,
) -> float:
    """The value of a position by one-decision search; writes the best move for every throw."""
    total = 0.0
    for steps in range(1, 6):
        starts = movers(own, opponent, steps, rules)
        backward, starts = starts & BACKWARD, starts & BOARD
        choices.own[steps], choices.opponent[steps], choices.again[steps] = own, opponent, False
        best = -1.0 if starts else 1.0 - chance(opponent, own, network, memory, table, rules)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(own, opponent, start, steps, backward, rules)
            own_after, opponent_after = play(own, opponent, start, end)
            again = throws_again(steps, end, rules)
            if again:
                value = chance(own_after, opponent_after, network, memory, table, rules)
            else:
                value = 1.0 - chance(opponent_after, own_after, network, memory, table, rules)
            if value > best:
                best = value
                choices.own[steps], choices.opponent[steps] = own_after, opponent_after
                choices.again[steps] = again
        choices.value[steps] = best
        total += _CHANCES[steps] * best
    return total


@compiled
def stray(
    own: int, opponent: int, steps: int, rules: int, is_random: bool, rng: Seeds
) -> tuple[int, int, bool]:
    """An erroneous move: random, or of the foremost dancer.

    Returns:
        The masks after it, the mover's first, and whether the mover throws again.
    """
    starts = movers(own, opponent, steps, rules)
    backward, starts = starts & BACKWARD, starts & BOARD
    if not starts:
        return own, opponent, False
    last = count_of(starts) - 1
    start = nth(starts, draw(rng, last + 1) if is_random else last)
    end = end_of(own, opponent, start, steps, backward, rules)
    own_after, opponent_after = play(own, opponent, start, end)
    return own_after, opponent_after, throws_again(steps, end, rules)
