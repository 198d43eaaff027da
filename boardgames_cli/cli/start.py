"""``boardgames`` alone: the menu."""

from __future__ import annotations

import sys
from dataclasses import replace

from boardgames_cli.cli.command import CommonOptions, GameArgument
from boardgames_cli.cli.open_table import screen_settings, show_from_environment
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import (
    Folder,
    PlayerOptions,
    SaveOptions,
    StartOptions,
)
from boardgames_cli.core.errors import GameError
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.streams import is_terminal, read_line


def launch(common: CommonOptions) -> int:
    """Open the menu."""
    settings = screen_settings(common)
    if settings is not None:
        from boardgames_cli.tui.app import run_launcher

        return run_launcher(settings)
    return plain_menu(common)


def plain_menu(common: CommonOptions) -> int:
    """The menu in plain text; without a terminal, a list of commands."""
    latest = Store.at().latest()
    specs = [find_game(id) for id in game_ids()]
    say("boardgames: board games for the terminal.")
    for number, spec in enumerate(specs, start=1):
        say(f"{number:>3} {spec.info.name}: {spec.info.summary}")
    if latest is not None and latest.header is not None:
        say(f"  c continue {latest.name}: {latest.header.game}, step {latest.plies}")
    if not is_terminal(sys.stdin):
        say("To play: boardgames play GAME")
        say("To learn a game: boardgames learn GAME")
        say("To watch agents: boardgames watch GAME")
        say("To solve puzzles: boardgames puzzle")
        if latest is not None:
            say(f"To continue: boardgames resume {latest.name}")
        say("All commands: boardgames --help")
        return 0
    say("  l learn a game")
    say("  p solve puzzles")
    say("  q quit")
    return _ask(latest, common)


def _ask(latest: SaveSummary | None, common: CommonOptions) -> int:
    numbers = {str(number): id for number, id in enumerate(game_ids(), start=1)}
    show = show_from_environment()
    while True:
        sys.stdout.write("Your choice? ")
        sys.stdout.flush()
        line = read_line(sys.stdin)
        word = line.strip().lower()
        if not line or word in ("q", "quit"):
            return 0
        if word == "c" and latest is not None:
            from boardgames_cli.cli.play import ResumeArguments, resume

            return resume(ResumeArguments(latest.name), show, Folder(), common)
        if word in ("p", "puzzle", "puzzles"):
            from boardgames_cli.cli.puzzle import Making, PuzzleFilter, solve_puzzles

            return solve_puzzles(PuzzleFilter(), Making(), replace(common, plain=True))
        if word.split()[:1] in (["l"], ["learn"]):
            _learn(word.partition(" ")[2].strip(), numbers, common)
            continue
        if word in numbers:
            word = numbers[word]
        elif word.isdigit():
            say(f"There is no choice {word}. Type a number from 1 to {len(numbers)}.")
            continue
        try:
            spec = find_game(word)
        except GameError as error:
            say(str(error))
            continue
        from boardgames_cli.cli.play import start_game

        return start_game(
            "play", spec, PlayerOptions(), StartOptions(), show, SaveOptions(), common
        )


def _learn(wanted: str, numbers: dict[str, str], common: CommonOptions) -> None:
    if not wanted:
        say("Which game? Such as: l 1")
        return
    from boardgames_cli.cli.puzzle import learn

    try:
        learn(GameArgument(numbers.get(wanted, wanted)), replace(common, plain=True))
    except GameError as error:
        say(str(error))
