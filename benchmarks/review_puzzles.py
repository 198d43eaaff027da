"""Are the bundled puzzles still sure? Each is made anew from its position.

Prints which would not be made by this version, and why they might go; ``--write`` drops them from
the game's file and brings the others up to date.

    python benchmarks/review_puzzles.py deepsea --write
"""

from __future__ import annotations

import argparse
from pathlib import Path

from arguments import Parser, run_main

import boardgames_cli
from boardgames_cli.core.spec import PUZZLES
from boardgames_cli.evaluation.mining import CLEAR_SHARE, Miner
from boardgames_cli.evaluation.puzzles import Puzzle, bundled_puzzles, write_puzzles


def read_arguments() -> argparse.Namespace:
    """Which puzzles."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the game")
    parser.add_count("--first", 10_000, "puzzles to look at")
    parser.add_argument("--gap", type=float, default=CLEAR_SHARE, help="as in puzzle --make")
    parser.add_argument("--write", action="store_true", help="drop those that are not sure")
    return parser.parse_args()


def main() -> None:
    """Make the puzzles anew, and print what became of them."""
    arguments = read_arguments()
    kept: list[Puzzle] = []
    puzzles = bundled_puzzles(arguments.game)[: arguments.first]
    for puzzle in puzzles:
        found = Miner(puzzle.rulebook(), 1, arguments.gap).verified(puzzle)
        if found is None:
            print(f"{puzzle.id}: not sure", flush=True)
        else:
            kept.append(found)
    print(f"{len(kept)} of {len(puzzles)} puzzles are sure")
    if arguments.write:
        package = Path(boardgames_cli.__file__).parent
        path = package / "games" / arguments.game / "data" / PUZZLES
        path.write_text(write_puzzles(kept), encoding="utf-8")


if __name__ == "__main__":
    run_main(main)
