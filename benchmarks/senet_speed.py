"""How fast Senet is: whole random games a second, by the bare rules and by matches.

    python benchmarks/senet_speed.py --games 40

Both are measured in turns in one run, so that their ratio means something on a busy machine too.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
from collections.abc import Callable

from arguments import Parser, run_main

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
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
    agents = [RandomAgent(), RandomAgent()]
    plies = 0
    for seed in range(games):
        match = Match(game, seed=seed)
        play(match, agents)
        plies += match.ply
    return plies


def measure(run: Callable[[Senet, int], int], game: Senet, games: int) -> tuple[float, float]:
    """Games and plies a second of one run."""
    start = time.perf_counter()
    plies = run(game, games)
    seconds = time.perf_counter() - start
    return games / seconds, plies / seconds


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--games", 40, "games a round and kind")
    games = parser.parse_args().games
    print(f"Python {platform.python_version()}, {platform.machine()}, median of {ROUNDS} rounds")
    print(f"{'':16}{'rules alone':>24}{'matches':>24}{'ratio':>8}")
    print(f"{'senet':16}{'games/s':>12}{'plies/s':>12}{'games/s':>12}{'plies/s':>12}")
    for game in VARIANTS:
        rounds = [
            (*measure(rules_only, game, games), *measure(matches, game, games))
            for _ in range(ROUNDS)
        ]
        bare, bare_plies, full, full_plies = (
            statistics.median(c) for c in zip(*rounds, strict=True)
        )
        ratio = statistics.median(row[0] / row[2] for row in rounds)
        name = f"{game.rules}, {game.pieces}"
        print(
            f"{name:16}{bare:12.1f}{bare_plies:12,.0f}{full:12.1f}{full_plies:12,.0f}{ratio:8.2f}"
        )


if __name__ == "__main__":
    run_main(main)
