"""Solve our Kuhn poker with OpenSpiel's CFR, and let OpenSpiel say how good the result is.

Needs the extra `openspiel`. A hand is worth -1/18 to the player who acts first (Kuhn, 1950); the
exploitability of what is learned falls towards 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from boardgames_cli.environments import openspiel


def learn(iterations: int) -> Iterator[tuple[int, float, float]]:
    """Run CFR, and report after 1, 2, 4, 8... iterations and the last one.

    Args:
        iterations: How often CFR walks through the whole tree.

    Yields:
        The iterations so far, the exploitability of the average policy, and what the player who
        acts first wins on the average if both follow it.
    """
    game = openspiel.load("kuhn")
    solver = cfr.CFRSolver(game)
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration & (iteration - 1) == 0 or iteration == iterations:
            policy = solver.average_policy()
            value, _ = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
            yield iteration, exploitability.exploitability(game, policy), float(value)


def main() -> None:
    """Read the number of iterations, and print what `learn` reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1000)
    for iteration, weakness, value in learn(parser.parse_args().iterations):
        print(f"{iteration:6} iterations   exploitability {weakness:.5f}   value {value:+.5f}")
    print(f"{'':20}the value of the game: {-1 / 18:+.5f}")


if __name__ == "__main__":
    main()
