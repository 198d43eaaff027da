"""Puzzles and lessons line by line: a board, a question, and what the answers cost or miss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.errors import GameError, UnknownActionError
from boardgames_cli.evaluation.asked_position import AskedPosition
from boardgames_cli.evaluation.puzzle_run import AskedPuzzle, PuzzleRun
from boardgames_cli.evaluation.puzzles import LEVELS
from boardgames_cli.plain.console import Console
from boardgames_cli.session.commands import GameCommand, Request, help_lines, interpret
from boardgames_cli.session.lesson_run import LessonRun

_BOARD: Final = GameCommand("board", "show the board", "b")
_HELP: Final = GameCommand("help", "this list", "h", also=("?",))
_QUIT: Final = GameCommand("quit", "leave", "q", also=("exit",))
_OF_PUZZLES: Final = (
    GameCommand("answer", "show the answer", "a"),
    _BOARD,
    GameCommand("next", "go to the next puzzle", "n"),
    GameCommand("game", "choose the game and the level; alone it lists them", "g", "GAME LEVEL"),
    _HELP,
    _QUIT,
)
_OF_LESSONS: Final = (GameCommand("task", "say the task again", "t"), _BOARD, _HELP, _QUIT)

_ALL: Final = "all"
"""The word for all games."""


def _say_board(asked: AskedPosition, console: Console) -> None:
    console.say(str(asked.view.picture(asked.seen, console.room, asked.context())))


def _say_task(asked: AskedPosition, console: Console) -> None:
    console.say(asked.task)
    for number, notation in enumerate(asked.choices, start=1):
        console.say(f"{number:>3} {asked.describe(notation)}")


def _ask_answer(
    asked: AskedPosition, console: Console, commands: Sequence[GameCommand]
) -> str | Request:
    def read(text: str) -> str:
        notation = asked.read(text)
        if notation is None:
            raise UnknownActionError(
                f'"{text}" is not a choice here.', "Type a choice or its number."
            )
        return notation

    while True:
        text = console.ask("Your choice (? for help): ") or "help"
        try:
            meant = interpret(text, commands, asked.choices, read, numbered=())
        except GameError as error:
            console.say(str(error))
            continue
        if not isinstance(meant, Request):
            return str(meant.action)
        if meant.command is _BOARD:
            _say_board(asked, console)
        elif meant.command is _HELP:
            for line in help_lines(commands, asked.choices, read):
                console.say(line)
        else:
            return meant


def ask_puzzles(run: PuzzleRun, console: Console) -> None:
    """Ask puzzles until the user leaves, or all have been asked."""
    while True:
        if not _ask(run, console):
            return
        if run.asked.is_done and run.outlook:
            console.say(run.outlook)
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
        meant = _ask_answer(run.asked, console, _OF_PUZZLES)
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
    if request.command.word == "answer":
        run.show_answer()
        console.say(run.asked.comment())
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
    asked = run.asked
    console.say(f"{run.kind.capitalize()} {run.heading}: {asked.game.info.name}.")
    _say_board(asked, console)
    console.say(asked.situation)
    _say_task(asked, console)


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


def give_lesson(run: LessonRun, console: Console) -> None:
    """Go through the steps until the user leaves, or all are done."""
    aim = run.view.aim(run.lesson.seat)
    if aim:
        console.say(f"Aim: {aim}.")
    while _do_step(run, console):
        told = len(run.asked.log())
        if not run.go_on():
            console.say(run.closing_message)
            return
        console.say()
        for line in run.asked.log()[told:]:
            console.say(line.text)


def _do_step(run: LessonRun, console: Console) -> bool:
    """Ask until the step is done; False if the user leaves."""
    asked = run.asked
    console.say(f"{run.view.game.info.name}, step {run.number} of {run.count}.")
    _say_board(asked, console)
    console.say(asked.sentence)
    _say_task(asked, console)
    while not asked.is_done:
        told = len(asked.log())
        meant = _ask_answer(asked, console, _OF_LESSONS)
        if not isinstance(meant, Request):
            run.answer(meant)
            for line in asked.log()[told:]:
                console.say(line.text)
            console.say(asked.sentence)
        elif meant.command is _QUIT:
            return False
        else:
            _say_task(asked, console)
    return True
