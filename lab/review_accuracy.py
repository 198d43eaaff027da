"""What do players lose, as a share of what random choices lose? The scale of a review's accuracy.

Plays games of each agent against itself and reviews them. A decision counts what it lost, and what
a random choice would have lost there on average; the ratio of the sums is 1 for random play, and
what the best level reaches is an accuracy of 100 % (``data/accuracy.json`` of a game). "These" are
the sums of what random choices would have lost: the weights with which runs can be put together.

    python lab/review_accuracy.py senet --games 20 --set rules=skyruk
    python lab/review_accuracy.py deepsea --games 10 --set players=4 --write
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from arguments import Parser, run_main, setting
from review_calibration import matches, read_game

import boardgames_cli
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.evaluation.review_result import accuracy
from boardgames_cli.evaluation.reviewer import ACCURACY, ReviewedGame, review_of
from boardgames_cli.registry import find_game


def read_arguments() -> argparse.Namespace:
    """What is measured."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the game to measure")
    parser.add_count("--games", 20, "games of each agent")
    parser.add_argument("--agents", default="", help="default: the best level and random")
    parser.add_argument("--set", type=setting, action="append", default=[], help="OPTION=VALUE")
    parser.add_argument("--write", action="store_true", help="write what the best level loses")
    parser.add_seed()
    return parser.parse_args()


def losses(game: AnyGame, agent: str, games: int, seed: int) -> list[tuple[float, float]]:
    """For each seat of each game what it lost, and what random choices would have lost."""
    analyst, found = analyst_for(game), []
    names = [f"seat {seat}" for seat in range(game.seats)]
    for match in matches(game, [agent], games, seed):
        review = review_of(ReviewedGame(match, names), analyst)
        for seat in range(game.seats):
            one = review.summary(seat)
            found.append((one.mean_loss * one.decisions, one.random_loss * one.decisions))
    return found


def ratio_of(found: list[tuple[float, float]]) -> tuple[float, float, float]:
    """The ratio of the sums, its standard error, and what random choices would have lost."""
    lost, at_random = (math.fsum(column) for column in zip(*found, strict=True))
    ratio = lost / at_random
    squares = math.fsum((own - ratio * stake) ** 2 for own, stake in found)
    return ratio, math.sqrt(squares) / at_random, at_random


def write(game: AnyGame, options: dict[str, Any], agent: str, ratio: float, games: int) -> None:
    """Replace what is known for these options; entries with more options come first."""
    package = Path(boardgames_cli.__file__).parent
    path = package / "games" / game.info.id / "data" / ACCURACY
    known = json.loads(path.read_text(encoding="utf-8"))["measured"] if path.exists() else []
    entry = {"options": options, "agent": agent, "games": games, "best_ratio": round(ratio, 4)}
    kept = [one for one in known if one["options"] != options]
    kept = sorted([*kept, entry], key=lambda one: (-len(one["options"]), str(one["options"])))
    lines = ",\n    ".join(json.dumps(one) for one in kept)
    text = f'{{\n  "command": "python lab/review_accuracy.py",\n  "measured": [\n    {lines}'
    path.write_text(f"{text}\n  ]\n}}\n", encoding="utf-8")


def main() -> None:
    """Measure and print."""
    arguments = read_arguments()
    game = read_game(arguments.game, arguments.set)
    best = list(find_game(game.info.id).levels)[-1]
    agents = arguments.agents.split(",") if arguments.agents else [best, "random"]
    print("| agent | games | lost, of what random choices lose | these | accuracy |")
    print("| --- | --- | --- | --- | --- |")
    reached = 0.0
    for agent in agents:
        found = losses(game, agent, arguments.games, arguments.seed)
        ratio, error, at_random = ratio_of(found)
        if agent == best:
            reached = ratio
            if arguments.write:
                names = [name for name, _ in arguments.set]
                options = {name: option_values(game)[name] for name in names}
                write(game, options, agent, ratio, arguments.games)
        told = accuracy(ratio, 1.0, reached)
        print(
            f"| {agent} | {arguments.games} | {ratio:.2%} +- {error:.2%} | {at_random:.3g} "
            f"| {told:.0f} % |",
            flush=True,
        )


if __name__ == "__main__":
    run_main(main)
