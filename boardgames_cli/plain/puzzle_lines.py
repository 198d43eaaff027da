"""Puzzles line by line: a board, a question, and what the answers cost."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.puzzle_run import AskedPuzzle, PuzzleRun
from boardgames_cli.evaluation.puzzles import LEVELS
from boardgames_cli.plain.asked_lines import ask_answer, picture_of, say_choices, say_help
from boardgames_cli.plain.console import Console
from boardgames_cli.session.commands import GameCommand, Request

_COMMANDS: Final = (
    GameCommand("answer", "show the answer", "a"),
    GameCommand("board", "show the board", "b"),
    GameCommand("next", "go to the next puzzle", "n"),
    GameCommand("game", "choose the game and the level; alone it lists them", "g", "GAME LEVEL"),
    GameCommand("help", "this list", "h", also=("?",)),
    GameCommand("quit", "leave", "q", also=("exit",)),
)

_ALL: Final = "all"
"""The word for all games."""


def ask_puzzles(run: PuzzleRun, console: Console) -> None:
    """Ask puzzles until the user leaves, or all have been asked."""
    while True:
        if not _ask(run, console):
            return
        if run.asked.is_done and run.streak:
            console.say(run.streak)
        if run.count > 1:
            console.say()
        if not run.go_on():
            if run.count > 1:
                console.say("That was the last one.")
            return


def _ask(run: PuzzleRun, console: Console) -> bool:
    """Show a puzzle and read answers until it is done or skipped; False if the user leaves."""
    _show(run, console)
    while not run.asked.is_done:
        meant = ask_answer(run.asked, console, _COMMANDS)
        if not isinstance(meant, Request):
            run.answer(meant)
            console.say(run.asked.comment())
        elif meant.command.word in ("quit", "next"):
            return meant.command.word == "next"
        else:
            _obey(meant, run, console)
    _explain(run.asked, console)
    return True


def _obey(request: Request, run: PuzzleRun, console: Console) -> None:
    """Run a command that neither answers nor leaves the puzzle."""
    asked, word = run.asked, request.command.word
    if word == "answer":
        run.show_answer()
        console.say(asked.comment())
    elif word == "board":
        console.say(picture_of(asked, console))
    elif word == "help":
        say_help(asked, console, _COMMANDS)
    elif request.argument:
        _choose(request.argument, run, console)
    else:
        _list_games(run, console)


def _list_games(run: PuzzleRun, console: Console) -> None:
    for group in run.games():
        levels = [f"{one.count} {one.name}" for one in run.levels(group.game) if one.level]
        solved = f"{group.solved} of {group.count} solved"
        console.say(f"  {group.game or _ALL}: {solved}; {', '.join(levels)}.")
    console.say("Choose a game, a level or both, such as: g hard.")


def _choose(words: str, run: PuzzleRun, console: Console) -> None:
    try:
        run.choose(*_read_group(words, run))
    except GameError as error:
        console.say(str(error))
        return
    console.say(run.summary)
    console.say()
    _show(run, console)


def _read_group(words: str, run: PuzzleRun) -> tuple[str, int]:
    """Parse a game, a level or both; the game defaults to the current one."""
    levels = {name: level for level, name in LEVELS.items()}
    games = {one.game or _ALL: one.game for one in run.games()}
    named = words.lower().split()
    unknown = next((word for word in named if word not in games and word not in levels), None)
    if unknown is not None:
        known = " ".join([*games, *levels])
        raise GameError(f'"{unknown}" is not a game and no level.', f"Games and levels: {known}")
    chosen_games = [games[word] for word in named if word in games]
    chosen_levels = [levels[word] for word in named if word in levels]
    if len(chosen_games) > 1 or len(chosen_levels) > 1:
        raise GameError("one game and one level at a time.", "Such as: g kuhn hard.")
    return (chosen_games or [run.chosen[0]])[0], (chosen_levels or [0])[0]


def _show(run: PuzzleRun, console: Console) -> None:
    """Show the board, the question and the choices."""
    asked = run.asked
    console.say(f"{run.kind.capitalize()} {asked.heading}: {asked.game.info.name}.")
    console.say(picture_of(asked, console))
    console.say(asked.situation)
    console.say(asked.task)
    say_choices(asked, console)


def _explain(asked: AskedPuzzle, console: Console) -> None:
    puzzle = asked.puzzle
    if puzzle.reason:
        console.say(puzzle.reason)
    for choice in puzzle.choices:
        verdict = puzzle.verdict(choice) or "right"
        console.say(f"  {puzzle.label(choice)}: {verdict}")
    if puzzle.finders:
        console.say(puzzle.finders)
    console.say(f"({puzzle.method})")
