"""How fast Kuhn poker and its training are, beside OpenSpiel where that is installed.

    python lab/kuhn_speed.py --games 60000 --iterations 4000

Every figure is the best of three rounds, ours and theirs in turn in one process, so that the ratios
hold on any machine. Both sides play the same game with uniformly random actions, chance included.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.algorithms.exploitability import quality
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.algorithms.regret_solver import Cfr, CfrSettings
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.kuhn.rules import Kuhn

ROUNDS = 3


def our_games(count: int) -> None:
    """Random games through the bare rules."""
    game, rng = Kuhn(), random.Random(1)
    for _ in range(count):
        state = game.initial_state()
        while seats := game.to_act(state):
            seat = seats[0]
            if seat == CHANCE:
                state = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                legal = game.legal_actions(state, seat)
                action = legal[int(rng.random() * len(legal))]
                state = game.apply(state, {seat: action})
        game.returns(state)


def their_games(game: Any) -> Callable[[int], None]:
    """Random games of an OpenSpiel game."""

    def run(count: int) -> None:
        rng = random.Random(1)
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    action = outcomes[int(rng.random() * len(outcomes))][0]
                else:
                    legal = state.legal_actions()
                    action = legal[int(rng.random() * len(legal))]
                state.apply_action(action)
            state.returns()

    return run


def our_training(variant: str, averaging: str) -> Callable[[int], None]:
    """Iterations of our trainer."""
    learner = Cfr(GameTree(Kuhn()), CfrSettings(variant=variant, averaging=averaging))
    return learner.run


def their_training(solver: Any) -> Callable[[int], None]:
    """Iterations of an OpenSpiel solver."""

    def run(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    return run


def compare(
    title: str, unit: str, count: int, contestants: dict[str, Callable[[int], None]]
) -> None:
    """Run the contestants in turn and print the best speed of each."""
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            # The slow ones get less to do; a speed is a speed.
            share = max(1, count if name.startswith("boardgames") else count // 10)
            started = time.perf_counter()
            run(share)
            best[name] = max(best[name], share / (time.perf_counter() - started))
    first = next(iter(best.values()))
    print(title)
    for name, speed in best.items():
        print(f"  {name:<34} {speed:>10,.0f} {unit}   ours is {first / speed:.2f} times as fast")


def main() -> None:
    """Print all tables."""
    parser = Parser(__doc__)
    parser.add_count("--games", 60_000, "random games a round")
    parser.add_count("--iterations", 4_000, "iterations of training a round")
    arguments = parser.parse_args()
    games: dict[str, Callable[[int], None]] = {"boardgames, bare rules": our_games}
    plain = {"boardgames, CFR": our_training("cfr", "uniform")}
    plus = {"boardgames, CFR+": our_training("cfr+", "linear")}
    try:
        import pyspiel
        from open_spiel.python.algorithms import cfr
        from open_spiel.python.games import kuhn_poker  # noqa: F401  # registers itself
    except ImportError:
        print("OpenSpiel is not installed; our figures only.")
    else:
        fast = pyspiel.load_game("kuhn_poker")
        games["OpenSpiel, game in C++"] = their_games(fast)
        games["OpenSpiel, game in Python"] = their_games(pyspiel.load_game("python_kuhn_poker"))
        plain["OpenSpiel, CFR in Python"] = their_training(cfr.CFRSolver(fast))
        plain["OpenSpiel, CFR in C++"] = their_training(pyspiel.CFRSolver(fast))
        plus["OpenSpiel, CFR+ in Python"] = their_training(cfr.CFRPlusSolver(fast))
        plus["OpenSpiel, CFR+ in C++"] = their_training(pyspiel.CFRPlusSolver(fast))
    compare("Random games", "games/s", arguments.games, games)
    compare("CFR, both seats at once or in turn", "iterations/s", arguments.iterations, plain)
    compare("CFR+", "iterations/s", arguments.iterations, plus)
    how_long()


def how_long() -> None:
    """Print how long it takes to come within a ten thousandth of an equilibrium."""
    started = time.perf_counter()
    tree = GameTree(Kuhn())
    learner = Cfr(tree, CfrSettings())
    while quality(tree, learner.average()).exploitability >= 1e-4:
        learner.run(100)
    print(
        f"Exploitability under 1e-4 after {learner.iterations:,} iterations of CFR+, "
        f"{time.perf_counter() - started:.2f} s with all measurements"
    )


if __name__ == "__main__":
    run_main(main)
