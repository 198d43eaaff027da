"""How many games of TapnSwap the bare rules play a second, with random moves.

    python lab/tapnswap_rules.py --seconds 2 --seed 1

Five runs follow each other, without matches, agents or records.
"""

from __future__ import annotations

import random
import time

from arguments import Parser, run_main

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
    parser = Parser(__doc__)
    parser.add_seconds("--seconds", 2.0, "how long each of the five runs plays")
    parser.add_seed()
    given = parser.parse_args()
    seconds, seed = given.seconds, given.seed
    for run in range(5):
        games, plies, took = play_for(seconds, seed + run)
        print(f"{games / took:9,.0f} games/s   {plies / took:11,.0f} plies/s   "
              f"{plies / games:.1f} plies a game")  # fmt: skip


if __name__ == "__main__":
    run_main(main)
