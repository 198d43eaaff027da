"""How fast Senet is: whole random games a second, by the bare rules, and by matches.

    python lab/senet_speed.py --games 40

Both are measured in turns in one run, so that their ratios mean something on a busy machine too.
Seconds are those of the processor for this process alone. `vector.py` measures the compiled rules.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.senet.rules import Senet

ROUNDS = 5
VARIANTS = [Senet(rules, pieces) for rules in ("kendall", "skyruk") for pieces in (5, 7)]


def rules_only(game: Senet, games: int) -> int:
    """Play games with nothing but the rulebook; returns the number of plies."""
    rng = random.Random(1)
    plies = 0
    for _ in range(games):
        state = game.initial_state()
        while seats := game.to_act(state):
            seat = seats[0]
            if seat == CHANCE:
                state = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                action = rng.choice(game.legal_actions(state, seat))
                state = game.apply(state, {seat: action})
            plies += 1
    return plies


def matches(game: Senet, games: int) -> int:
    """Play games as matches between random agents; returns the number of plies."""
    agents: list[RandomAgent[Any, Any]] = [RandomAgent(), RandomAgent()]
    plies = 0
    for seed in range(games):
        match = Match(game, seed=seed)
        play(match, agents)
        plies += match.ply
    return plies


def measure(run: Callable[[Senet, int], int], game: Senet, games: int) -> tuple[float, float]:
    """Games and plies a second of one run."""
    start = time.process_time()
    plies = run(game, games)
    seconds = time.process_time() - start
    return games / seconds, plies / seconds


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--games", 40, "games a round and kind")
    games = parser.parse_args().games
    print(f"Python {platform.python_version()}, {platform.machine()}, median of {ROUNDS} rounds")
    ways = {"rules alone": (rules_only, games), "matches": (matches, games)}
    print(f"{'':16}" + "".join(f"{name:>24}" for name in ways))
    print(f"{'senet':16}" + f"{'games/s':>12}{'plies/s':>12}" * len(ways))
    for game in VARIANTS:
        rounds = [
            [speed for run, count in ways.values() for speed in measure(run, game, count)]
            for _ in range(ROUNDS)
        ]
        medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
        ratios = [f"{medians[at] / medians[0]:.2f}" for at in range(2, len(medians), 2)]
        speeds = "".join(
            f"{medians[at]:12,.1f}{medians[at + 1]:12,.0f}" for at in range(0, len(medians), 2)
        )
        print(f"{game.rules}, {game.pieces:<{14 - len(game.rules)}}{speeds}  x {', '.join(ratios)}")


if __name__ == "__main__":
    run_main(main)
