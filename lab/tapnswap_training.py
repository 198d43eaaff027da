"""How many games of TapnSwap Q-learning learns from in a second, by opponent.

    python lab/tapnswap_training.py --episodes 50000 --seed 1

Listing the positions beforehand is counted apart from learning.
"""

from __future__ import annotations

import time

from arguments import Parser, run_main

from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.training.q_learning import OPPONENTS, Evaluator, QLearning, QSettings


def main() -> None:
    """Print the figures; listing the positions beforehand is counted separately."""
    parser = Parser(__doc__)
    parser.add_count("--episodes", 50_000, "games learned from")
    parser.add_seed()
    given = parser.parse_args()
    episodes, seed = given.episodes, given.seed
    for opponent in (*OPPONENTS, "random,self"):
        settings = QSettings(episodes=episodes, opponent=opponent, seed=seed)
        started = time.perf_counter()
        learner = QLearning(TapnSwap(), settings)
        listed = time.perf_counter()
        while learner.episodes < episodes:
            learner.block()
        took = time.perf_counter() - listed
        measured = Evaluator(learner).measure().data
        print(
            f"{opponent:>12}: {episodes / took:9,.0f} games/s after {listed - started:.3f} s; "
            f"{learner.plies / episodes:.1f} plies a game; exact value kept in "
            f"{measured['kept']} of {measured['positions']}"
        )


if __name__ == "__main__":
    run_main(main)
