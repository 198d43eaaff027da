"""Puzzles line by line: a board, a question, and what the answers cost."""

from __future__ import annotations

from typing import Any

from boardgames_cli.analysis.puzzles import LEVELS, Puzzle
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import RenderContext, Size
from boardgames_cli.plain.console import Console
from boardgames_cli.registry import spec_of
from boardgames_cli.session.seats import seat_name

_HELP = (
    "Type a choice or its number. a shows the answer, b the board, n goes to the next puzzle, "
    "q leaves."
)


class Left(Exception):
    """The user wants no more puzzles."""


def ask_puzzle(puzzle: Puzzle, console: Console, glyphs: Glyphs) -> int | None:
    """Show a puzzle and read answers until it is solved or given up.

    Args:
        puzzle: What is asked.
        console: Where it is shown and answered.
        glyphs: The signs of the board.

    Returns:
        The tries that it took; 0 if the answer was shown first, None if it was passed over.

    Raises:
        EndOfInput: There are no more lines.
        Left: The user leaves.
        PuzzleError: It doesn't fit the rules of this version.
    """
    picture, choices = _show(puzzle, console, glyphs)
    tries = 0
    while True:
        text = console.ask("Your choice (? for help): ")
        if text in ("q", "quit"):
            raise Left
        if text in ("n", "next"):
            return None
        if text in ("a", "answer"):
            _explain(puzzle, console)
            return 0
        if text in ("?", "help", ""):
            console.say(_HELP)
            continue
        if text in ("b", "board"):
            console.say(picture)
            continue
        chosen = _read(text, choices, puzzle)
        if chosen is None:
            console.say(f'"{text}" is no choice here. {_HELP}')
            continue
        tries += 1
        if chosen == puzzle.answer:
            console.say("Right.")
            _explain(puzzle, console)
            return tries
        console.say(f"Not the best: {puzzle.label(chosen)}: {puzzle.losses[chosen]}. Try again.")


def _show(puzzle: Puzzle, console: Console, glyphs: Glyphs) -> tuple[str, list[str]]:
    """Show the board, the task and the choices; returns the board and the choices' notations."""
    game = puzzle.rulebook()
    seen = puzzle.observation(game)
    view = spec_of(game).make_view(game)
    context = _context(game, glyphs)
    room = console.size
    picture = str(view.picture(seen, Size(max(1, room.width - 1), room.height), context))
    console.say(f"Puzzle {puzzle.id}, {LEVELS[puzzle.level]}: {spec_of(game).info.name}.")
    console.say(picture)
    console.say(f"{context.name(puzzle.seat)} is to act. {puzzle.task}")
    for number, action in enumerate(seen.legal, start=1):
        console.say(f"{number:>3} {view.describe(seen, action)}")
    return picture, [str(action) for action in seen.legal]


def _context(game: AnyGame, glyphs: Glyphs) -> RenderContext[Any, Any]:
    """How boards are drawn; where seats have no names of their own they are numbered."""
    names = [seat_name(game, seat).capitalize() for seat in range(game.seats)]
    return RenderContext(glyphs=glyphs, names=names if game.info.seat_names else ())


def _read(text: str, choices: list[str], puzzle: Puzzle) -> str | None:
    """The choice that a text stands for: its notation first, then its number in the list."""
    if text in choices:
        return text
    if text.isdecimal() and text.isascii() and len(text) < 4 and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]
    game = puzzle.rulebook()
    try:
        state = puzzle.observation(game).state
        return str(game.parse(state, puzzle.seat, text))
    except GameError:
        return None


def _explain(puzzle: Puzzle, console: Console) -> None:
    console.say(f"The answer is {puzzle.label(puzzle.answer)}. {_sentence(puzzle.why)}".rstrip())
    for choice, loss in puzzle.losses.items():
        console.say(f"  {puzzle.label(choice)}: {loss}")
    console.say(f"({puzzle.method})")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""
