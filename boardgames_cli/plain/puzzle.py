"""Puzzles line by line: a board, a question, and what the answers cost."""

from __future__ import annotations

from boardgames_cli.core.view import Size
from boardgames_cli.plain.console import Console
from boardgames_cli.session.puzzle_run import AskedPuzzle, PuzzleRun

_HELP = (
    "Type a choice or its number. a shows the answer, b the board, n goes to the next puzzle, "
    "q leaves."
)


def ask_puzzles(run: PuzzleRun, console: Console) -> None:
    """Ask puzzles until the user leaves, or all have been asked.

    Raises:
        EndOfInput: There are no more lines.
        PuzzleError: One of them doesn't fit the rules of this version.
    """
    while True:
        if not _ask(run, console):
            return
        if run.asked.is_done and run.streak:
            console.say(run.streak)
        if run.count > 1:
            console.say()
        if not run.go_on():
            return


def _ask(run: PuzzleRun, console: Console) -> bool:
    """Show a puzzle and read answers until it is done or passed over; False if the user leaves."""
    asked = run.asked
    picture = _show(asked, console)
    while not asked.is_done:
        text = console.ask("Your choice (? for help): ")
        if text in ("q", "quit"):
            return False
        if text in ("n", "next"):
            return True
        if text in ("a", "answer"):
            run.show_answer()
        elif text in ("?", "help", ""):
            console.say(_HELP)
            continue
        elif text in ("b", "board"):
            console.say(picture)
            continue
        elif (chosen := asked.read(text)) is None:
            console.say(f'"{text}" is no choice here. {_HELP}')
            continue
        else:
            run.answer(chosen)
        console.say(asked.comment())
    _explain(asked, console)
    return True


def _show(asked: AskedPuzzle, console: Console) -> str:
    """Show the board, the question and the choices; returns the board."""
    room = console.size
    size = Size(max(1, room.width - 1), room.height)
    picture = str(asked.view.picture(asked.seen, size, asked.context()))
    console.say(f"Puzzle {asked.heading}: {asked.game.info.name}.")
    console.say(picture)
    console.say(asked.situation)
    console.say(asked.puzzle.task)
    for number, notation in enumerate(asked.choices, start=1):
        console.say(f"{number:>3} {asked.describe(notation)}")
    return picture


def _explain(asked: AskedPuzzle, console: Console) -> None:
    puzzle = asked.puzzle
    if puzzle.reason:
        console.say(puzzle.reason)
    for choice in puzzle.choices:
        verdict = puzzle.verdict(choice) or "right"
        console.say(f"  {puzzle.label(choice)}: {verdict}")
    console.say(f"({puzzle.method})")
