"""How strong the levels of TapnSwap are: each against each, seats alternating, with intervals.

    python benchmarks/tapnswap_levels.py --games 1000 --seed 1

A draw is half a point.
"""

from __future__ import annotations

import itertools
import math

from arguments import Parser, run_main

import boardgames_cli as bg

PLAYERS = ("random", "easy", "medium", "hard", "perfect")


def points(first: str, second: str, games: int, seed: int) -> float:
    """The share of the points that the first player gets; a draw is half a point."""
    game = bg.make("tapnswap")
    agents = [bg.make_agent(first, game), bg.make_agent(second, game)]
    total = 0.0
    for number in range(games):
        swapped = number % 2
        seats = agents[::-1] if swapped else agents
        match = bg.Match(game, seed=seed * 1_000_003 + number)
        total += (bg.play(match, seats)[swapped] + 1) / 2
    return total / games


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (E. Wilson, 1927); draws make it a little too wide."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--games", 1000, "games a pair")
    parser.add_seed()
    given = parser.parse_args()
    games, seed = given.games, given.seed
    print(f"points of the first player in {games} games, seed {seed}")
    for weaker, stronger in itertools.combinations(PLAYERS, 2):
        share = points(stronger, weaker, games, seed)
        low, high = interval(share, games)
        print(f"{stronger:>8} - {weaker:<8} {share:6.1%}   [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    run_main(main)
