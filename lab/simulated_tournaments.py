"""Simulated tournaments with known true strengths, for testing ratings.

`lab/rating_coverage.py` counts how often the intervals of ratings hold the truth.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from boardgames_cli.agents.ratings import ELO, expected_score
from boardgames_cli.tournament.rows import GameRow, Rows, Tally


def two_sided(
    ratings: Sequence[float],
    deals: int,
    rng: random.Random,
    *,
    draws: float = 0.2,
    options: int = 0,
) -> Tally:
    """Simulate a round robin, each deal from both sides.

    The luck of a deal favours one seat, so that the games of a deal are not independent. Luck and
    draws affect both sides equally, so that the expected scores stay those of the ratings.

    Args:
        ratings: The true ratings.
        deals: Deals per pair.
        rng: The generator.
        options: The option set of the games.
        draws: The largest share of games of the weaker side's wins that become draws.
    """
    found: Counter[Rows] = Counter()
    for one, two in itertools.combinations(range(len(ratings)), 2):
        share = expected_score(ratings[one] - ratings[two])
        room = min(share, 1 - share) * (1 - draws)
        for _ in range(deals):
            luck = rng.choice((-0.8, 0.8)) * room
            first = _value(share + luck, draws, rng)
            second = _value(share - luck, draws, rng)
            rows = (game((one, two), (first, -first)), game((two, one), (-second, second)))
            found[tuple(row._replace(options=options) for row in rows)] += 1
    return tally_of(found)


def game(entrants: Sequence[int], returns: Sequence[float]) -> GameRow:
    """A game of which only the result matters."""
    return GameRow(0, 0, 0, tuple(entrants), tuple(returns), 1)


def tally_of(deals: Mapping[Rows, int]) -> Tally:
    """What deals come to in which every seat plays for itself, each as often as told."""
    tally = Tally()
    for rows, times in deals.items():
        teams = tuple((seat,) for seat in range(len(rows[0].entrants)))
        tally.add(rows, teams, times, times * len(rows))
    return tally


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
) -> Tally:
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
    found: Counter[Rows] = Counter()
    for lineup in itertools.combinations(range(len(ratings)), seats):
        weights = {one: math.exp(ratings[one] / ELO) for one in lineup}
        rarest = _chance(sorted(weights.values()))
        for _ in range(deals):
            games = []
            for turn in range(seats):
                seated = lineup[turn:] + lineup[:turn]
                times = {one: rng.expovariate(weights[one]) for one in seated}
                ranked = sorted(seated, key=times.__getitem__)
                order = [weights[one] for one in ranked]
                returns = [-float(ranked.index(one)) for one in seated]
                if rng.random() < ties * rarest / _chance(order):
                    returns = [0.0] * seats
                games.append(game(seated, returns))
            found[tuple(games)] += 1
    return tally_of(found)


def _chance(weights: Sequence[float]) -> float:
    """The probability of one order of the table, given by the order of the weights."""
    return math.prod(weight / sum(weights[at:]) for at, weight in enumerate(weights))
