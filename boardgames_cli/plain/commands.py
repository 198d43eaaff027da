"""What a typed line means: an action, or a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.errors import GameError, UnknownActionError


@dataclass(frozen=True, slots=True)
class Command:
    """Something to type that is not an action."""

    word: str
    help: str
    letter: str = ""
    argument: str = ""
    """What may follow it, for the help."""
    also: tuple[str, ...] = ()
    """Other words for it."""


COMMANDS: Final = (
    Command("board", "show the board", "b"),
    Command("moves", "list what you can do", "m"),
    Command("last", "tell again what happened since your last turn", "l"),
    Command("score", "show who has what", "w", also=("who",)),
    Command("hint", "ask the strongest agent; the save notes it", "i"),
    Command("undo", "take back your last decision", "u"),
    Command("redo", "take it again"),
    Command("rules", "read the rules of this game"),
    Command("legend", "explain the signs on the board"),
    Command("pos", "show the position as JSON", also=("position",)),
    Command("save", "keep a copy under a name; the game itself is saved all the time", "", "NAME"),
    Command("help", "this list", "?", also=("h",)),
    Command("quit", "leave; the game is saved and can be resumed", "q", also=("exit",)),
)

_BY_WORD: Final = {word: command for command in COMMANDS for word in (command.word, *command.also)}
_BY_LETTER: Final = {command.letter: command for command in COMMANDS if command.letter}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The line names an action."""

    action: Any


@dataclass(frozen=True, slots=True)
class Request:
    """The line is a command."""

    command: Command
    argument: str = ""


def interpret(
    text: str,
    legal: Sequence[Any],
    parse: Callable[[str], Any],
    numbered: Sequence[Any] | None = None,
) -> Chosen | Request:
    """Find out what a line means.

    The first that fits: the full notation of an action, the number of one, the word of a command,
    whatever the game reads as an action, the letter of a command. So a letter that begins a move
    of the game means the move, and the word of the command is still there.

    Args:
        text: The line.
        legal: All actions that are possible.
        parse: Reads an action, as `Game.parse` does.
        numbered: Those that have numbers, in order; without it all.

    Raises:
        GameError: It means nothing, or an action that is not possible now.
    """
    normal = " ".join(text.lower().split())
    for action in legal:
        if str(action).lower() == normal:
            return Chosen(action)
    if normal.isascii() and normal.isdigit():
        return Chosen(_numbered(normal, legal if numbered is None else numbered))
    first, _, rest = text.strip().partition(" ")
    command = _BY_WORD.get(first.lower())
    if command is not None and (command.argument or not rest):
        return Request(command, rest.strip())
    try:
        return Chosen(parse(text))
    except UnknownActionError as error:
        if normal in _BY_LETTER:
            return Request(_BY_LETTER[normal])
        raise UnknownActionError(error.message, f"{error.todo}   ? lists the commands.") from None
    except GameError:
        if normal in _BY_LETTER:
            return Request(_BY_LETTER[normal])
        raise


def _numbered(digits: str, legal: Sequence[Any]) -> Any:
    # Longer numbers are no choices, and Python refuses to read very long ones.
    number = int(digits) if len(digits) < 6 else 0
    if not 1 <= number <= len(legal):
        raise UnknownActionError(
            f"there is no choice {digits}.",
            f"Type a number from 1 to {len(legal)}, or a move in full, such as {legal[0]}.",
        )
    return legal[number - 1]


def help_lines(
    legal: Sequence[Any], parse: Callable[[str], Any], reports: Mapping[str, str]
) -> list[str]:
    """The list of commands, true to the present turn: letters that mean a move are told so.

    Args:
        legal: All actions that are possible.
        parse: Reads an action, as `Game.parse` does.
        reports: What the game itself can tell, by word.
    """
    lines = [
        "Type the number of a choice, or a move as it is written in the list, or:",
    ]
    lines += [f"  {word:<14}{help}" for word, help in reports.items()]
    for command in COMMANDS:
        keys = [command.letter] if command.letter else []
        keys.append(f"{command.word} {command.argument}".strip())
        taken = _means(command.letter, legal, parse)
        note = f" ({command.letter} means the move {taken} here)" if taken else ""
        lines.append(f"  {', '.join(keys):<14}{command.help}{note}")
    return lines


def _means(letter: str, legal: Sequence[Any], parse: Callable[[str], Any]) -> str:
    try:
        meaning = interpret(letter, legal, parse) if letter else None
    except GameError:
        return ""
    return str(meaning.action) if isinstance(meaning, Chosen) else ""
