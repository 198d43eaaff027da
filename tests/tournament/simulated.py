"""Tournaments of simulated players whose true strength is known."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence

from boardgames_cli.tournament.results import DealOutcome, GameOutcome, places_of
from boardgames_cli.tournament.statistics import ELO


def two_sided(
    ratings: Sequence[float], deals: int, rng: random.Random, *, draws: float = 0.2
) -> Counter[DealOutcome]:
    """Everybody against everybody, each deal from both sides.

    The luck of a deal favours one seat, so that the games of a deal are not independent.
    """
    found: Counter[DealOutcome] = Counter()
    for one, two in itertools.combinations(range(len(ratings)), 2):
        share = 1 / (1 + math.exp((ratings[two] - ratings[one]) / ELO))
        # What luck and draws take from both sides alike leaves the expected score as it is.
        room = min(share, 1 - share)
        for _ in range(deals):
            luck = rng.choice((-0.8, 0.8)) * room * (1 - draws)
            games = []
            for seats, favour in (((one, two), luck), ((two, one), -luck)):
                number, edge = rng.random(), share + favour
                half = draws * min(edge, 1 - edge)
                value = 1 if number < edge - half else 0 if number < edge + half else -1
                value = value if seats[0] == one else -value
                games.append(GameOutcome(seats, places_of((value, -value))))
            found[DealOutcome(0, tuple(games))] += 1
    return found


def table(ratings: Sequence[float], seats: Sequence[int], rng: random.Random) -> tuple[int, ...]:
    """The places of some seats in one game, by the model of Plackett and Luce."""
    times = [rng.expovariate(math.exp(ratings[one] / ELO)) for one in seats]
    return places_of(tuple(-time for time in times))


def tables(
    ratings: Sequence[float],
    seats: int,
    deals: int,
    rng: random.Random,
    *,
    ties: float = 0.0,
) -> Counter[DealOutcome]:
    """Every line-up, each deal from as many seatings as there are seats.

    Ties take as much from the likeliest order of the whole table as from every other one, so that
    breaking them by lot leads back to the model.
    """
    found: Counter[DealOutcome] = Counter()
    for lineup in itertools.combinations(range(len(ratings)), seats):
        weights = [math.exp(ratings[one] / ELO) for one in lineup]
        rarest = ranking_chance(sorted(weights))
        for _ in range(deals):
            games = []
            for turn in range(seats):
                seated = lineup[turn:] + lineup[:turn]
                places = table(ratings, seated, rng)
                best_first = sorted(range(seats), key=places.__getitem__)
                chance = ranking_chance([math.exp(ratings[seated[at]] / ELO) for at in best_first])
                if rng.random() < ties * rarest / chance:
                    places = (0,) * seats
                games.append(GameOutcome(seated, places))
            found[DealOutcome(0, tuple(games))] += 1
    return found


def ranking_chance(weights: Sequence[float]) -> float:
    """How likely one order of the table is; the weights stand in that order."""
    return math.prod(weight / sum(weights[at:]) for at, weight in enumerate(weights))
