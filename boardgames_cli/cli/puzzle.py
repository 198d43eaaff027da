"""``boardgames puzzle``, ``drill`` and ``learn``: positions with one best choice, and lessons."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import (
    CommonOptions,
    GameArgument,
    GameFilter,
    argument,
    command,
    option,
)
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import front_end, on_screen
from boardgames_cli.cli.output import reporter, say, say_table
from boardgames_cli.cli.parameters import Folder, for_game, given_options
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.evaluation.mining import CLEAR_SHARE, Miner
from boardgames_cli.evaluation.puzzles import (
    LEVELS,
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    games_with_puzzles,
    puzzle_of_the_day,
    read_puzzles,
    require_puzzles,
    write_puzzles,
)
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.registry import find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.played_reviews import fill_deck, open_drill
from boardgames_cli.session.questions import PuzzleRun, QuestionRun, lesson_run
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.files import replace_file
from boardgames_cli.storage.paths import drill_file, puzzle_progress_file
from boardgames_cli.storage.practice import PuzzleProgress, read_progress
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped


@dataclass(frozen=True, slots=True)
class PuzzleFilter:
    """The selection of puzzles."""

    game: str = argument(
        "Puzzles of one game; of all by default.", default="", autocompletion=completion.games
    )
    id: str = option("", "One puzzle, such as tapnswap-7.", metavar="ID")
    today: bool = option(False, "The puzzle of the day.")
    level: str = option("", "Only easy, medium or hard ones.", metavar="LEVEL")
    show_list: bool = option(False, "List the puzzles and which are solved.", "--list")
    file: Path | None = option(None, "Puzzles from a file instead of ours.")


@dataclass(frozen=True, slots=True)
class Making:
    """Making new puzzles."""

    make: int = option(
        0, "Find N new puzzles in games between agents.", metavar="N", min=0, max=10_000
    )
    out: Path | None = option(None, "Where new puzzles are written.")
    add: bool = option(False, "Add to the puzzles in that file.")
    gap: float = option(
        100 * CLEAR_SHARE,
        "The minimum loss of the second best choice, as a share of the game's scale.",
        metavar="PERCENT",
        min=0.1,
        max=100.0,
    )
    seed: int = option(1, "The seed of all random numbers.")


def solve_puzzles(which: PuzzleFilter, making: Making, common: CommonOptions, **values: Any) -> int:
    """Solve puzzles: find the best choice."""
    options = given_options(values)
    if which.level and which.level not in LEVELS.values():
        raise GameError(f'unknown level "{which.level}".', f"Levels: {' '.join(LEVELS.values())}")
    if making.make:
        return _make(which, making, common.is_plain, options)
    puzzles = _wanted(which, options)
    if which.show_list:
        _list(puzzles, read_progress(puzzle_progress_file()))
        return 0
    front, settings = front_end(common)
    run = PuzzleRun(puzzles, puzzle_progress_file(), settings.glyphs)
    return ask(run, settings, front)


def ask(run: QuestionRun[Any], settings: Settings, front: Front) -> int:
    """Ask questions at a front end; return the exit code."""
    if front is Front.TUI:
        code = on_screen(settings, "question_screen:QuestionScreen", run)
    else:
        from boardgames_cli.plain.asked_lines import ask_questions

        code = 0
        with SignalWatch() as interrupts:
            console = Console.standard(interrupts)
            try:
                ask_questions(run, console, settings.terse)
            except EndOfInput:
                console.say("End of input.")
            except Stopped as stop:
                console.say()
                code = stop.exit_code
            finally:
                if run.problem:
                    notify(run.problem)
    return code or (EXIT_FILE if run.problem else 0)


def _wanted(which: PuzzleFilter, options: dict[str, Any]) -> Sequence[Puzzle]:
    if which.game:
        find_game(which.game)
    if which.file is not None:
        puzzles = [one for one in read_puzzles(which.file) if which.game in ("", one.game)]
    elif which.game:
        puzzles = require_puzzles(which.game)
    else:
        puzzles = bundled_puzzles(*games_with_puzzles())
    if options:
        wanted = make_game(which.game, **options)
    for name in options:
        puzzles = [one for one in puzzles if getattr(one.rulebook(), name) == getattr(wanted, name)]
    if which.level:
        puzzles = [puzzle for puzzle in puzzles if LEVELS[puzzle.level] == which.level]
    if which.today and puzzles:
        puzzles = [puzzle_of_the_day(puzzles, datetime.date.today())]
    if which.id:
        puzzles = [puzzle for puzzle in puzzles if puzzle.id == which.id]
    if not puzzles:
        raise GameError("no puzzle matches the selection.", "See all: boardgames puzzle --list")
    return puzzles


def _list(puzzles: Sequence[Puzzle], progress: PuzzleProgress) -> None:
    rows = []
    for puzzle in puzzles:
        tries = progress.solved.get(puzzle.id)
        state = {None: "", 0: "shown", 1: "solved at once"}.get(tries, f"solved in {tries} tries")
        rows.append((puzzle.id, LEVELS[puzzle.level], puzzle.task, state))
    say_table(("puzzle", "level", "task", ""), rows)
    solved = sum(1 for puzzle in puzzles if progress.solved.get(puzzle.id))
    say(f"Solved: {solved} of {len(puzzles)}.")


def _make(which: PuzzleFilter, making: Making, no_color: bool, options: dict[str, Any]) -> int:
    if not which.game or making.out is None:
        raise GameError(
            "--make needs a game and --out FILE.",
            "Example: boardgames puzzle tapnswap --make 20 --out my.json",
        )
    game = make_game(which.game, **options)
    puzzles = read_puzzles(making.out) if making.add and making.out.exists() else []
    first = len(puzzles) + 1
    with reporter(no_color) as report:

        def tell(games: int) -> None:
            found = len(puzzles) - first + 1
            report(Progress(found, making.make, "puzzles found", brief=f"in {games} games"))

        miner = Miner(game, check_seed(making.seed), making.gap / 100, first, tell)
        for puzzle in itertools.islice(miner.mine(), making.make):
            puzzles.append(puzzle)
            report(Progress(len(puzzles) - first + 1, making.make, "puzzles found"))
            # Written after each puzzle, so that an interrupt loses nothing.
            replace_file(making.out, write_puzzles(puzzles))
    if len(puzzles) < first:
        raise PuzzleError(f"no puzzles were found in {which.game}.", "Try another --seed.")
    say(f"{making.out} has {len(puzzles)} puzzles. To solve them:")
    say(f"boardgames puzzle --file {making.out}")
    return 0


make = for_game(
    solve_puzzles,
    "puzzle",
    "puzzle tapnswap",
    "puzzle --today",
    "puzzle kuhn --make 5 --out my.json",
)


def drill(which: GameFilter, folder: Folder, common: CommonOptions) -> int:
    """Train on the mistakes of your own reviewed games."""
    front, settings = front_end(common, folder=folder.save_dir)
    fill_deck(folder.save_dir, drill_file())
    run = open_drill(settings, which.game)
    return ask(run, settings, front)


make_drill = command(drill, "drill", "drill senet", "drill --plain")


def learn(which: GameArgument, common: CommonOptions) -> int:
    """Learn a game by playing: a guided first game."""
    front, settings = front_end(common)
    return ask(lesson_run(which.game, settings.glyphs), settings, front)


make_learn = command(learn, "learn senet", "learn kuhn --plain")
