"""Questions line by line: a board, a task, and what the answers cost or miss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardgames_cli.core.errors import GameError, UnknownActionError
from boardgames_cli.evaluation.puzzles import Puzzle
from boardgames_cli.plain.console import Console
from boardgames_cli.session.commands import GameCommand, Request, help_lines, interpret
from boardgames_cli.session.questions import Question, QuestionRun

_BOARD: Final = GameCommand("board", "show the board", "b")
_HELP: Final = GameCommand("help", "this list", "h", also=("?",))
_QUIT: Final = GameCommand("quit", "leave", "q", also=("exit",))
_OF_PUZZLES: Final = (
    GameCommand("hint", "a first hint; again: the answer", "i", also=("a", "answer")),
    _BOARD,
    GameCommand("next", "go to the next puzzle", "n"),
    _HELP,
    _QUIT,
)
_OF_LESSONS: Final = (GameCommand("task", "say the task again", "t"), _BOARD, _HELP, _QUIT)


def ask_questions(run: QuestionRun[Any], console: Console, terse: bool = False) -> None:
    """Ask until the user leaves, or all have been asked; terse lessons show boards on request."""
    if run.opening:
        console.say(run.opening)
    while _ask(run, console, terse):
        told = len(run.asked.shown.log)
        if not run.go_on():
            if run.closing:
                console.say(run.closing)
            return
        console.say()
        _say_steps(run.asked, told, console)


def _ask(run: QuestionRun[Any], console: Console, terse: bool) -> bool:
    _show(run, console, terse)
    while not run.asked.is_done:
        asked, told = run.asked, len(run.asked.shown.log)
        commands = _OF_LESSONS if asked.puzzle is None else _OF_PUZZLES
        meant = _read(asked, console, commands)
        if not isinstance(meant, Request):
            run.answer(meant)
            _say_steps(asked, told, console)
            console.say(asked.comment)
            continue
        word = meant.command.word
        if word in ("quit", "next"):
            return word == "next"
        if word == "task":
            _say_task(asked, console)
        else:
            console.say(run.help() or asked.comment)
    if run.asked.puzzle is not None:
        _explain(run.asked.puzzle, console)
    if run.asked.outlook:
        console.say(run.asked.outlook)
    return True


def _read(asked: Question, console: Console, commands: Sequence[GameCommand]) -> str | Request:
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


def _show(run: QuestionRun[Any], console: Console, terse: bool) -> None:
    asked, game = run.asked, run.asked.game.info.name
    title = f"{asked.kind.capitalize()} {asked.heading}: {game}."
    console.say(title if asked.heading else f"{game}, {run.standing}.")
    if asked.puzzle is not None or not terse:  # a puzzle is nothing without its position
        _say_board(asked, console)
    console.say(asked.comment or asked.shown.prompt)
    _say_task(asked, console)


def _say_board(asked: Question, console: Console) -> None:
    console.say(str(asked.snapshot().board(console.room)))


def _say_task(asked: Question, console: Console) -> None:
    console.say(asked.about.task)
    for number, notation in enumerate(asked.choices, start=1):
        console.say(f"{number:>3} {asked.describe(notation)}")


def _say_steps(asked: Question, told: int, console: Console) -> None:
    for line in asked.shown.log[told:]:
        console.say(line.text)


def _explain(puzzle: Puzzle, console: Console) -> None:
    if puzzle.reason:
        console.say(puzzle.reason)
    for choice in puzzle.choices:
        verdict = puzzle.verdict(choice) or "right"
        console.say(f"  {puzzle.label(choice)}: {verdict}")
    if puzzle.finders:
        console.say(puzzle.finders)
    console.say(f"({puzzle.method})")
