"""How many games of TapnSwap the bare rules play a second, with random moves.

python benchmarks/tapnswap_rules.py [SECONDS] [SEED]
"""

from __future__ import annotations

import argparse
import random
import time

from boardgames_cli.core.options import finite_number
from boardgames_cli.games.tapnswap.rules import TapnSwap


def play_for(seconds: float, seed: int) -> tuple[int, int, float]:
    """Play at random for a while.

    Returns:
        The games played, their plies together, and the seconds that really passed.
    """
    game = TapnSwap()
    to_act, legal_actions, apply = game.to_act, game.legal_actions, game.apply
    draw = random.Random(seed).random
    games = plies = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.initial_state()
        while seats := to_act(state):
            seat = seats[0]
            legal = legal_actions(state, seat)
            state = apply(state, {seat: legal[int(draw() * len(legal))]})
            plies += 1
        games += 1
    return games, plies, time.perf_counter() - started


def main() -> None:
    """Print the figures of five runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", type=finite_number, nargs="?", default=2.0)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    given = parser.parse_args()
    for run in range(5):
        games, plies, took = play_for(given.seconds, given.seed + run)
        print(f"{games / took:9,.0f} games/s   {plies / took:11,.0f} plies/s   "
              f"{plies / games:.1f} plies a game")  # fmt: skip


if __name__ == "__main__":
    main()
