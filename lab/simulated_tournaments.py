"""Simulated tournaments with known true strengths, for testing ratings.

`lab/rating_coverage.py` counts how often the intervals of ratings hold the truth.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

from boardgames_cli.agents.ratings import ELO, expected_score
from boardgames_cli.tournament.results import GameOutcome, GameSetOutcome, places_of


def two_sided(
    ratings: Sequence[float], deals: int, rng: random.Random, *, draws: float = 0.2
) -> Counter[GameSetOutcome]:
    """Simulate a round robin, each deal from both sides.

    The luck of a deal favours one seat, so that the games of a deal are not independent. Luck and
    draws affect both sides equally, so that the expected scores stay those of the ratings.

    Args:
        ratings: The true ratings.
        deals: Deals per pair.
        rng: The generator.
        draws: The largest share of games of the weaker side's wins that become draws.
    """
    found: Counter[GameSetOutcome] = Counter()
    for one, two in itertools.combinations(range(len(ratings)), 2):
        share = expected_score(ratings[one] - ratings[two])
        room = min(share, 1 - share) * (1 - draws)
        for _ in range(deals):
            luck = rng.choice((-0.8, 0.8)) * room
            first = _value(share + luck, draws, rng)
            second = _value(share - luck, draws, rng)
            games = (
                GameOutcome((one, two), places_of((first, -first))),
                GameOutcome((two, one), places_of((-second, second))),
            )
            found[GameSetOutcome(0, games)] += 1
    return found


def _value(share: float, draws: float, rng: random.Random) -> float:
    """Sample 1 for a win, 0 for a draw, -1 for a loss, with a given expected share."""
    number, half = rng.random(), draws * min(share, 1 - share)
    return 1 if number < share - half else 0 if number < share + half else -1


def tables(
    ratings: Sequence[float],
    seats: int,
    deals: int,
    rng: random.Random,
    *,
    ties: float = 0.0,
) -> Counter[GameSetOutcome]:
    """Simulate every line-up, each deal from as many seatings as there are seats.

    Ties take the same probability from each order of the table, so that breaking them at random
    gives the Plackett-Luce model.

    Args:
        ratings: The true ratings.
        seats: Seats of a table.
        deals: Deals of each line-up.
        rng: What decides.
        ties: The share of the rarest order that becomes a tie of the whole table.
    """
    found: Counter[GameSetOutcome] = Counter()
    for lineup in itertools.combinations(range(len(ratings)), seats):
        weights = {one: math.exp(ratings[one] / ELO) for one in lineup}
        rarest = _chance(sorted(weights.values()))
        for _ in range(deals):
            games = []
            for turn in range(seats):
                seated = lineup[turn:] + lineup[:turn]
                times = {one: rng.expovariate(weights[one]) for one in seated}
                order = [weights[one] for one in sorted(seated, key=times.__getitem__)]
                places = places_of(tuple(-times[one] for one in seated))
                if rng.random() < ties * rarest / _chance(order):
                    places = (0,) * seats
                games.append(GameOutcome(seated, places))
            found[GameSetOutcome(0, tuple(games))] += 1
    return found


def _chance(weights: Sequence[float]) -> float:
    """The probability of one order of the table, given by the order of the weights."""
    return math.prod(weight / sum(weights[at:]) for at, weight in enumerate(weights))
