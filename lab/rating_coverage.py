"""How often the 95 % intervals of ratings hold the true rating of simulated players.

Five players of known strength play many tournaments; for each the ratings are computed::

    python lab/rating_coverage.py --trials 400 --deals 100

The same number of deals is played by each pair, and a tenth of it by each table of four.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable

from arguments import Parser, run_main
from simulated_tournaments import tables, two_sided

from boardgames_cli.agents.ratings import NEWCOMER
from boardgames_cli.tournament.ratings.estimates import estimate
from boardgames_cli.tournament.ratings.statistics import DEVIATIONS
from boardgames_cli.tournament.rows import Tally

TRUTH = (150.0, 60.0, 0.0, -40.0, -170.0)
"""Their mean is 0; that of the ratings is a newcomer's."""
SEATS = 4

Simulation = Callable[[random.Random], Tally]


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of independent games (E. B. Wilson, 1927)."""
    share, squared = points / games, DEVIATIONS**2
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    spread = math.sqrt(share * (1 - share) / games + squared / (4 * games**2))
    half = DEVIATIONS * spread / (1 + squared / games)
    return middle - half, middle + half


def measure(name: str, simulate: Simulation, trials: int, seed: int) -> str:
    """Play and rate tournaments: a line that says how often the intervals were right."""
    hits, width, off = 0, 0.0, 0.0
    started = time.perf_counter()
    for trial in range(trials):
        played = simulate(random.Random(f"{seed}/{trial}"))
        found = estimate(played.deals, len(TRUTH), seed=trial)
        for rating, true in zip(found.ratings, TRUTH, strict=True):
            assert rating is not None
            hits += rating.interval.low <= NEWCOMER + true <= rating.interval.high
            width += rating.interval.high - rating.interval.low
            off += abs(rating.value - NEWCOMER - true)
    number = trials * len(TRUTH)
    low, high = wilson_interval(hits, number)
    seconds = (time.perf_counter() - started) / trials
    return (
        f"{name}: intervals hold the truth in {hits / number:.1%} of {number} cases "
        f"({low:.1%} to {high:.1%}); they are {width / number:.0f} wide, ratings are off by "
        f"{off / number:.1f}; {1000 * seconds:.0f} ms a tournament"
    )


def main() -> None:
    """Read the arguments, simulate, print."""
    parser = Parser(__doc__)
    parser.add_count("--trials", 200, "tournaments of each kind")
    parser.add_count("--deals", 100, "deals of each pair")
    parser.add_seed()
    given = parser.parse_args()
    deals, few = given.deals, max(1, given.deals // 10)
    kinds: dict[str, Simulation] = {
        "two sides, no draws": lambda rng: two_sided(TRUTH, deals, rng, draws=0.0),
        "two sides, draws": lambda rng: two_sided(TRUTH, deals, rng, draws=0.5),
        "tables of four, no ties": lambda rng: tables(TRUTH, SEATS, few, rng),
        "tables of four, ties": lambda rng: tables(TRUTH, SEATS, few, rng, ties=0.8),
    }
    for name, simulate in kinds.items():
        print(measure(name, simulate, given.trials, given.seed))


if __name__ == "__main__":
    run_main(main)
