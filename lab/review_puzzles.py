"""Are the bundled puzzles still sure? Each is made anew from its position.

Prints which would not be made by this version, and why they might go; ``--write`` drops them from
the game's file and brings the others up to date. ``--levels`` leaves all that as it is, and only
measures anew how often each level finds them, from which their difficulty follows.

    python lab/review_puzzles.py deepsea --write
    python lab/review_puzzles.py senet --levels --write
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from arguments import Parser, run_main

import boardgames_cli
from boardgames_cli.core.spec import PUZZLES
from boardgames_cli.evaluation.mining import CLEAR_SHARE, Miner, level_of
from boardgames_cli.evaluation.puzzles import LEVELS, Puzzle, bundled_puzzles, write_puzzles


def read_arguments() -> argparse.Namespace:
    """Which puzzles."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the game")
    parser.add_count("--first", 10_000, "puzzles to look at")
    parser.add_argument("--gap", type=float, default=CLEAR_SHARE, help="as in puzzle --make")
    parser.add_argument("--levels", action="store_true", help="measure only who finds them")
    parser.add_argument("--write", action="store_true", help="drop those that are not sure")
    return parser.parse_args()


def print_finders(puzzles: Sequence[Puzzle]) -> None:
    """Print how often each level finds the puzzles, and what that makes of them."""
    measured = [puzzle for puzzle in puzzles if puzzle.found]
    for name in measured[0].found if measured else ():
        print(f"{name} finds {fmean(puzzle.found[name] for puzzle in measured):.0%}")
    counts = Counter(LEVELS[puzzle.level] for puzzle in puzzles)
    print(", ".join(f"{counts[name]} {name}" for name in LEVELS.values()))


def anew(puzzle: Puzzle, gap: float, *, is_measured: bool) -> Puzzle | None:
    """A puzzle made anew, or only measured; None if it would not be made, or otherwise."""
    if puzzle.share_of:
        return puzzle
    miner = Miner(puzzle.rulebook(), 1, gap)
    seen = puzzle.observation(miner.game)
    if is_measured:
        found = miner.finders(seen, puzzle.answer)
        return replace(puzzle, found=found, level=level_of(found))
    made = miner.puzzle_at(seen)
    if made is None or made[1].answer != puzzle.answer:
        return None
    return replace(made[1], id=puzzle.id)


def main() -> None:
    """Make the puzzles anew, and print what became of them."""
    arguments = read_arguments()
    kept: list[Puzzle] = []
    puzzles = bundled_puzzles(arguments.game)[: arguments.first]
    for puzzle in puzzles:
        found = anew(puzzle, arguments.gap, is_measured=arguments.levels)
        if found is None:
            print(f"{puzzle.id}: not sure", flush=True)
        else:
            kept.append(found)
    print(f"{len(kept)} of {len(puzzles)} puzzles are sure")
    print_finders(kept)
    if arguments.write:
        package = Path(boardgames_cli.__file__).parent
        path = package / "games" / arguments.game / "data" / PUZZLES
        path.write_text(write_puzzles(kept), encoding="utf-8")


if __name__ == "__main__":
    run_main(main)
