"""Games a second of Deep Sea Adventure through the bare rules.

Every decision is taken at random::

    python lab/deepsea_speed.py --games 2000
"""

from __future__ import annotations

import random
import time

from arguments import Parser, run_main

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.rules import DeepSea


def play(game: DeepSea, rng: random.Random) -> int:
    """Play one game; the number of its steps, chance included."""
    state, steps = game.initial_state(), 0
    while seats := game.to_act(state):
        seat = seats[0]
        if seat == CHANCE:
            state = game.apply_chance(state, game.sample_chance(state, rng))
        else:
            legal = game.legal_actions(state, seat)
            action = legal[int(rng.random() * len(legal))]
            state = game.apply(state, {seat: action})
        steps += 1
    return steps


def main() -> None:
    """Read the arguments, play, print."""
    parser = Parser(__doc__)
    parser.add_count("--games", 2000, "games for each number of seats")
    parser.add_count("--repeat", 5, "runs; the median, the worst and the best are shown")
    given = parser.parse_args()
    for players in (4, 6):
        game, rates, steps = DeepSea(players=players), [], 0
        for run in range(given.repeat):
            rng = random.Random(run)
            started = time.perf_counter()
            steps = sum(play(game, rng) for _ in range(given.games))
            rates.append(given.games / (time.perf_counter() - started))
        print(
            f"{players} random seats: {sorted(rates)[len(rates) // 2]:,.0f} games/s (median of "
            f"{len(rates)} runs, {min(rates):,.0f} to {max(rates):,.0f}), "
            f"{steps / given.games:.0f} steps a game"
        )


if __name__ == "__main__":
    run_main(main)
