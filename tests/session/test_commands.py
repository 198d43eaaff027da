"""A line that somebody types: a move, a command, or a mistake."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from boardgames_cli.core.errors import (
    AmbiguousActionError,
    GameError,
    IllegalActionError,
    UnknownActionError,
)
from boardgames_cli.session.commands import (
    Chosen,
    FrontEnd,
    Request,
    commands_of,
    help_lines,
    interpret,
)
from boardgames_cli.tui.command_list import ACTIONS, action_of
from boardgames_cli.tui.screens.table import GameScreen

PLAIN = commands_of(FrontEnd.PLAIN)
SCREEN = commands_of(FrontEnd.SCREEN)
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


def told(text: str) -> str:
    """What is done with a line, or why it is refused."""
    try:
        found = interpret(text, PLAIN, MOVES, parse)
    except GameError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, Chosen):
        return f"move: {found.action}"
    return f"{found.command.word}: {found.argument}"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("up", "move: up"),
        ("  UP ", "move: up"),
        ("Board  It", "move: board it"),
        ("1", "move: up"),
        ("4", "move: stop"),
        ("u", "move: up"),  # the move wins over undo
        ("l", "move: left"),  # and over last
        ("undo", "undo: "),
        ("board", "board: "),
        ("last", "last: "),
        ("w", "score: "),
        ("who", "score: "),
        ("?", "help: "),
        ("h", "help: "),
        ("Q", "quit: "),
        ("exit", "quit: "),
        ("save My-Game", "save: My-Game"),
        ("save", "save: "),
        (": und", "undo: "),
        (":u", "undo: "),  # and not the move
        (":save my game", "save: my game"),
        ("0", "UnknownActionError: *from 1 to 4*"),
        ("5", "UnknownActionError: *no choice 5*"),
        ("9" * 5000, "UnknownActionError: *no choice*"),
        ("down", "IllegalActionError: *a wall*"),
        ("jump", "UnknownActionError: *? lists the commands*"),
        ("undo twice", "UnknownActionError: *not an action*"),
        ("\u0663", "UnknownActionError: *not an action*"),
        ("faster", "UnknownActionError: *"),  # a command of the screen alone
        *((text, "UnknownNameError: *") for text in (":", ":s", ":nonsense", ":undo twice", ":up")),
    ],
)
def test_what_a_line_means(typed: str, expected: str) -> None:
    assert fnmatchcase(told(typed), expected)


@pytest.mark.parametrize(
    "error", [UnknownActionError("no action."), AmbiguousActionError("fits several actions.")]
)
def test_a_letter_that_names_no_single_move_stays_a_command(error: GameError) -> None:
    def refused(text: str) -> str:
        raise error

    found = interpret("u", PLAIN, ("up 1", "up 2"), refused)
    assert isinstance(found, Request)
    assert found.command.word == "undo"


def test_help_tells_which_letters_are_moves() -> None:
    text = "\n".join(
        help_lines(commands_of(FrontEnd.PLAIN, {"danger": "list what burns"}), MOVES, parse)
    )
    assert "u, undo       take back your last decision (u means the move up here)" in text
    assert "w means" not in text
    assert "danger        list what burns" in text
    for command in PLAIN:
        assert command.word in text


@pytest.mark.parametrize("front", [FrontEnd.PLAIN, FrontEnd.SCREEN])
def test_no_word_and_no_letter_means_two_commands(front: FrontEnd) -> None:
    commands = commands_of(front)
    words = [word for command in commands for word in (command.word, *command.also)]
    letters = [command.letter for command in commands if command.letter]
    assert len({*words, *letters}) == len(words) + len(letters)


def test_what_one_front_end_can_do_only_is_no_command_of_the_other() -> None:
    assert {"board", "moves", "last", "score"} == {c.word for c in PLAIN} - {
        "pos",
        *(c.word for c in SCREEN),
    }
    found = interpret("faster", SCREEN, MOVES, parse)
    assert isinstance(found, Request)


@pytest.mark.parametrize("commands", [PLAIN, SCREEN], ids=["plain", "screen"])
def test_a_move_named_by_a_number_wins_over_the_number_in_the_list(commands: object) -> None:
    found = interpret("3", commands, ("3", "2", "1"), parse)  # type: ignore[arg-type]
    assert found == Chosen("3")
    assert interpret("3", PLAIN, ("30", "2", "1"), parse) == Chosen("1")


def test_moves_that_are_not_listed_have_no_number() -> None:
    assert interpret("stop", PLAIN, MOVES, parse, MOVES[:2]) == Chosen("stop")
    with pytest.raises(UnknownActionError, match="no choice 4"):
        interpret("4", PLAIN, MOVES, parse, MOVES[:2])


def test_every_command_is_done_by_the_screen() -> None:
    assert set(ACTIONS) == {command.word for command in SCREEN}
    for command in SCREEN:
        action = action_of(Request(command, "it's mine")).partition("(")[0]
        if not action.startswith("app."):
            assert callable(getattr(GameScreen, f"action_{action}"))
    (save,) = (command for command in SCREEN if command.word == "save")
    assert action_of(Request(save, "it's mine")) == """save_as("it's mine")"""
