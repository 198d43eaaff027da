"""What puzzles and lessons share line by line: the board, the choices, and reading an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardgames_cli.core.errors import GameError, UnknownActionError
from boardgames_cli.evaluation.asked_position import AskedPosition
from boardgames_cli.plain.console import Console
from boardgames_cli.session.commands import GameCommand, Request, help_lines, interpret


def picture_of(asked: AskedPosition, console: Console) -> str:
    """The board."""
    return str(asked.view.picture(asked.seen, console.room, asked.context()))


def say_choices(asked: AskedPosition, console: Console) -> None:
    """List the choices with their numbers."""
    for number, notation in enumerate(asked.choices, start=1):
        console.say(f"{number:>3} {asked.describe(notation)}")


def say_help(asked: AskedPosition, console: Console, commands: Sequence[GameCommand]) -> None:
    """List the commands."""
    for line in help_lines(commands, asked.choices, _reader(asked)):
        console.say(line)


def ask_answer(
    asked: AskedPosition, console: Console, commands: Sequence[GameCommand]
) -> str | Request:
    """Ask until there is an answer, whose notation is returned, or a command."""
    while True:
        text = console.ask("Your choice (? for help): ") or "help"
        try:
            meant = interpret(text, commands, asked.choices, _reader(asked), numbered=())
        except GameError as error:
            console.say(str(error))
            continue
        return meant if isinstance(meant, Request) else str(meant.action)


def _reader(asked: AskedPosition) -> Callable[[str], str]:
    def read(text: str) -> str:
        notation = asked.read(text)
        if notation is None:
            raise UnknownActionError(
                f'"{text}" is not a choice here.', "Type a choice or its number."
            )
        return notation

    return read
