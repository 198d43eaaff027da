from __future__ import annotations

import pytest

from boardgames_cli.core.errors import (
    AmbiguousActionError,
    GameError,
    IllegalActionError,
    UnknownActionError,
)
from boardgames_cli.plain.commands import COMMANDS, Chosen, Request, help_lines, interpret
from boardgames_cli.plain.turn import Turn

MOVES = ("up", "board it", "left", "stop")


def parse(text: str) -> str:
    """A game in which beginnings are enough, as in every game."""
    begun = [move for move in MOVES if move.startswith(text)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise AmbiguousActionError("fits several actions.")
    if text == "down":
        raise IllegalActionError("illegal: a wall.")
    raise UnknownActionError(f'"{text}" is not an action.', "Choose: up.")


def meaning(text: str) -> object:
    found = interpret(text, MOVES, parse)
    return found.action if isinstance(found, Chosen) else (found.command.word, found.argument)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("up", "up"),
        ("  UP ", "up"),
        ("Board  It", "board it"),
        ("1", "up"),
        ("4", "stop"),
        ("u", "up"),  # the move wins over undo
        ("l", "left"),  # and over last
        ("undo", ("undo", "")),
        ("board", ("board", "")),
        ("last", ("last", "")),
        ("w", ("score", "")),
        ("who", ("score", "")),
        ("?", ("help", "")),
        ("h", ("help", "")),
        ("Q", ("quit", "")),
        ("exit", ("quit", "")),
        ("save My-Game", ("save", "My-Game")),
        ("save", ("save", "")),
    ],
)
def test_meaning_of_a_line(text: str, expected: object) -> None:
    assert meaning(text) == expected


@pytest.mark.parametrize(
    ("text", "error", "part"),
    [
        ("0", UnknownActionError, "from 1 to 4"),
        ("5", UnknownActionError, "no choice 5"),
        ("9" * 5000, UnknownActionError, "no choice"),
        ("down", IllegalActionError, "a wall"),
        ("jump", UnknownActionError, "? lists the commands"),
        ("undo twice", UnknownActionError, "not an action"),
        ("\u0663", UnknownActionError, "not an action"),
    ],
)
def test_lines_that_mean_nothing(text: str, error: type[GameError], part: str) -> None:
    with pytest.raises(error) as caught:
        interpret(text, MOVES, parse)
    assert part in str(caught.value)


def test_letter_stays_a_command_where_it_begins_no_move() -> None:
    found = interpret("u", ("stop",), lambda _: parse("jump"))
    assert isinstance(found, Request)
    assert found.command.word == "undo"


def test_letter_that_begins_several_moves_is_the_command() -> None:
    def ambiguous(text: str) -> str:
        raise AmbiguousActionError("fits several actions.")

    found = interpret("u", ("up 1", "up 2"), ambiguous)
    assert isinstance(found, Request)


def test_help_tells_which_letters_are_moves() -> None:
    text = "\n".join(help_lines(MOVES, parse, {"danger": "list what burns"}))
    assert "u, undo       take back your last decision (u means the move up here)" in text
    assert "w means" not in text
    for command in COMMANDS:
        assert command.word in text


def test_every_command_is_done_by_the_turn() -> None:
    for command in COMMANDS:
        assert callable(getattr(Turn, f"_do_{command.word}"))
