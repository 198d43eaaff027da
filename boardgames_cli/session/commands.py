"""The commands of both front ends, and how typed lines are interpreted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, Final

from boardgames_cli.core.errors import GameError, UnknownActionError, UnknownNameError


class FrontEnd(Flag):
    """Where a command can be used."""

    PLAIN = auto()
    SCREEN = auto()
    BOTH = PLAIN | SCREEN


@dataclass(frozen=True, slots=True)
class GameCommand:
    """A typed command that is not an action."""

    word: str
    help: str
    letter: str = ""
    """A short form, unless a move of the game starts with it."""
    argument: str = ""
    """An argument after the word, for the help."""
    also: tuple[str, ...] = ()
    where: FrontEnd = FrontEnd.BOTH
    is_social: bool = False
    """Whether it is about the others at a table on a server; `Company.talk` obeys it."""


_PLAIN, _SCREEN = FrontEnd.PLAIN, FrontEnd.SCREEN

COMMANDS: Final = (
    GameCommand("board", "show the board", "b", where=_PLAIN),
    GameCommand("moves", "list what you can do", "m", where=_PLAIN),
    GameCommand("last", "tell again what happened since your last turn", "l", where=_PLAIN),
    GameCommand("score", "show who has what", "w", also=("who",), where=_PLAIN),
    GameCommand("hint", "ask the strongest agent; the save notes it", "i"),
    GameCommand("undo", "take back your last decision", "u"),
    GameCommand("redo", "take it again"),
    GameCommand("say", "say something to everybody", argument="TEXT", is_social=True),
    GameCommand("mute", "hide what others say, or show it again", is_social=True),
    GameCommand("resign", "give up the game", is_social=True),
    GameCommand(
        "offer",
        "offer a rematch, or a way to go on while somebody is away",
        argument="rematch|agent|claim",
        is_social=True,
    ),
    GameCommand("agree", "agree to what is offered", is_social=True),
    GameCommand("decline", "decline what is offered", is_social=True),
    GameCommand("rules", "read the rules of this game"),
    GameCommand("legend", "explain the signs on the board"),
    GameCommand("illegal", "show all illegal actions with the reasons", where=_SCREEN),
    GameCommand("estimate", "winning chances, analysis, or neither", where=_SCREEN),
    GameCommand("pause", "pause, or go on", where=_SCREEN),
    GameCommand("faster", "show steps faster", where=_SCREEN),
    GameCommand("slower", "show steps slower", where=_SCREEN),
    GameCommand("now", "make the agent move now", where=_SCREEN),
    GameCommand("first", "look at the beginning of the game", where=_SCREEN),
    GameCommand("live", "come back to the present", where=_SCREEN),
    GameCommand("review", "review the finished game", where=_SCREEN),
    GameCommand("dark", "dark colours (theme)", where=_SCREEN),
    GameCommand("light", "light colours (theme)", where=_SCREEN),
    GameCommand("monochrome", "no colours (theme)", where=_SCREEN),
    GameCommand("pos", "show the position as JSON", also=("position",), where=_PLAIN),
    GameCommand("copy", "copy the position as JSON", also=("pos", "position"), where=_SCREEN),
    GameCommand(
        "save", "keep a copy under a name; the game itself is saved all the time", "", "NAME"
    ),
    GameCommand("help", "this list", "h", also=("?",), where=_PLAIN),
    GameCommand("help", "keys, rules and legend", "h", also=("?",), where=_SCREEN),
    GameCommand("menu", "leave for the menu; the game is saved", where=_SCREEN),
    GameCommand("quit", "leave; the game is saved and can be resumed", "q", also=("exit",)),
)


def commands_of(
    front: FrontEnd, reports: Mapping[str, str] | None = None, *, is_social: bool = False
) -> tuple[GameCommand, ...]:
    """The commands of a front end.

    The reports are the game's own, by word, for plain text.
    """
    own = [GameCommand(word, help, where=_PLAIN) for word, help in (reports or {}).items()]
    return tuple(
        command
        for command in (*own, *COMMANDS)
        if command.where & front and (is_social or not command.is_social)
    )


_HEAD: Final = 14
"""The least width of the first column in a list of commands."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The line names an action."""

    action: Any


@dataclass(frozen=True, slots=True)
class Request:
    """The line is a command."""

    command: GameCommand
    argument: str = ""


def interpret(
    text: str,
    commands: Sequence[GameCommand],
    legal: Sequence[Any],
    parse: Callable[[str], Any],
    numbered: Sequence[Any] | None = None,
) -> Chosen | Request:
    """Interpret a line; the rule is the same in both front ends.

    The first match wins: the full notation of an action, the number of a choice, the word of a
    command, anything that the game parses as an action, the letter of a command. So "2" plays a
    move with the notation 2 wherever it is in the list, and a letter that starts a move means the
    move. A line that starts with a colon is a command, which may be abbreviated. By default all
    legal actions are numbered.
    """
    if text.lstrip().startswith(":"):
        return _after_colon(text, commands)
    normal = " ".join(text.lower().split())
    for action in legal:
        if str(action).lower() == normal:
            return Chosen(action)
    numbered = legal if numbered is None else numbered
    if numbered and normal.isascii() and normal.isdigit():
        return Chosen(_numbered(normal, numbered))
    word, _, rest = text.strip().partition(" ")
    for command in commands:
        if word.lower() in (command.word, *command.also) and (command.argument or not rest):
            return Request(command, rest.strip())
    try:
        return Chosen(parse(text))
    except GameError as error:
        for command in commands:
            if command.letter == word.lower() != "" and (command.argument or not rest):
                return Request(command, rest.strip())
        if isinstance(error, UnknownActionError):
            todo = f"{error.todo}   ? lists the commands.".strip()
            raise UnknownActionError(error.message, todo) from None
        raise


def _after_colon(text: str, commands: Sequence[GameCommand]) -> Request:
    name, _, rest = text.strip().removeprefix(":").strip().partition(" ")
    name = name.lower()
    found = [
        command for command in commands if name in (command.word, command.letter, *command.also)
    ]
    found = found or [command for command in commands if command.word.startswith(name)]
    if not name or len(found) != 1 or (rest and not found[0].argument):
        raise UnknownNameError("command", text, [command.word for command in commands])
    return Request(found[0], rest.strip())


def _numbered(digits: str, numbered: Sequence[Any]) -> Any:
    # Longer numbers can't be choices, and Python refuses to parse very long ones.
    number = int(digits) if len(digits) < 6 else 0
    if not 1 <= number <= len(numbered):
        raise UnknownActionError(
            f"there is no choice {digits}.",
            f"Type a number from 1 to {len(numbered)}, or a move in full, such as {numbered[0]}.",
        )
    return numbered[number - 1]


def help_lines(
    commands: Sequence[GameCommand], legal: Sequence[Any], parse: Callable[[str], Any]
) -> list[str]:
    """The list of commands for the current turn; letters that mean a move are marked."""
    lines = ["Type a move as it is written in the list, else the number of a choice, or:"]
    heads = [_head(command) for command in commands]
    width = max(_HEAD, *(len(head) + 2 for head in heads))
    for command, head in zip(commands, heads, strict=True):
        taken = _means(command.letter, commands, legal, parse)
        note = f" ({command.letter} means the move {taken} here)" if taken else ""
        lines.append(f"  {head:<{width}}{command.help}{note}")
    return lines


def _head(command: GameCommand) -> str:
    keys = sorted(key for key in (command.letter, *command.also) if len(key) == 1)
    return ", ".join([*keys, f"{command.word} {command.argument}".strip()])


def _means(
    letter: str, commands: Sequence[GameCommand], legal: Sequence[Any], parse: Callable[[str], Any]
) -> str:
    try:
        meaning = interpret(letter, commands, legal, parse) if letter else None
    except GameError:
        return ""
    return str(meaning.action) if isinstance(meaning, Chosen) else ""
