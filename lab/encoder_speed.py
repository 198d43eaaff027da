"""What arrays cost: an observation, its encoding and its mask beside the rules, for every decision.

    python lab/encoder_speed.py
    python lab/encoder_speed.py --games pommerman --rounds 9

Microseconds of processor time for one decision of one seat, in games at random. Rules: the tightest
loop over to_act, legal_actions and apply, divided by the decisions. The others: one call for each
decision of the same games. Each figure is the median of all rounds, the contestants in turn; the
last column is what a decision takes with all of it, as a multiple of the rules alone.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.registry import find_game, make, make_encoder

Seen = list[Any]


def play_on(game: AnyGame, seed: int, plies: int, seen: Seen | None = None) -> None:
    """Play some plies at random, beginning again when a game is over.

    Args:
        game: The rulebook.
        seed: Where the luck comes from.
        plies: Plies of all games together.
        seen: Gets what every seat to act sees before each decision.
    """
    rng = random.Random(seed)
    state = game.initial_state()
    for ply in range(plies):
        seats = game.to_act(state)
        if not seats:
            state = game.initial_state()
        elif seats[0] == CHANCE:
            state = game.apply_chance(state, game.sample_chance(state, rng))
        else:
            if seen is not None:
                seen += [game.observe(state, seat, ply) for seat in seats]
            joint = {seat: rng.choice(game.legal_actions(state, seat)) for seat in seats}
            state = game.apply(state, joint)


def microseconds(work: Callable[[], object], decisions: int) -> float:
    """Processor time of some work for each decision."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1e6 / max(decisions, 1)


def each(function: Callable[[Any], object], seen: Seen) -> Callable[[], None]:
    """A function called for every observation."""

    def work() -> None:
        for observation in seen:
            function(observation)

    return work


def report(id: str, name: str, seed: int, plies: int, rounds: int) -> None:
    """Measure one encoder and print its line."""
    game = make(id)
    encoder = make_encoder(game, name)
    seen: Seen = []
    play_on(game, seed, plies, seen)
    works: list[Callable[[], object]] = [
        lambda: play_on(game, seed, plies),
        each(lambda one: game.observe(one.state, one.seat, one.ply), seen),
        each(encoder.encode, seen),
        each(encoder.mask, seen),
    ]
    found = [[microseconds(work, len(seen)) for work in works] for _ in range(rounds)]
    rules, *others = (statistics.median(column) for column in zip(*found, strict=True))
    told = " ".join(f"{value:8.2f}" for value in (rules, *others))
    ratio = (rules + sum(others)) / rules if rules else 1.0
    print(f"{id:<10} {name or '(usual)':<26} {told} {ratio:8.2f}")


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_games()
    parser.add_count("--plies", 2000, "plies of random games in a round")
    parser.add_count("--rounds", 5, "rounds, of which the median counts")
    parser.add_seed()
    arguments = parser.parse_args()
    print(
        f"{'us/decision':<37} {'rules':>8} {'observe':>8} {'encode':>8} {'mask':>8} {'in all':>8}"
    )
    for id in arguments.games:
        for name in ("", *find_game(id).encodings):
            report(id, name, arguments.seed, arguments.plies, arguments.rounds)


if __name__ == "__main__":
    run_main(main)
