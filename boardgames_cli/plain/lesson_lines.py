"""A lesson line by line: a sentence, a task, and why an answer was wrong."""

from __future__ import annotations

from typing import Final

from boardgames_cli.plain.asked_lines import ask_answer, picture_of, say_choices, say_help
from boardgames_cli.plain.console import Console
from boardgames_cli.session.commands import GameCommand, Request
from boardgames_cli.session.lesson_run import LessonRun

_COMMANDS: Final = (
    GameCommand("task", "say the task again", "t"),
    GameCommand("board", "show the board", "b"),
    GameCommand("help", "this list", "h", also=("?",)),
    GameCommand("quit", "leave", "q", also=("exit",)),
)


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
    console.say(picture_of(asked, console))
    console.say(asked.sentence)
    console.say(asked.task)
    say_choices(asked, console)
    while not asked.is_done:
        told = len(asked.log())
        meant = ask_answer(asked, console, _COMMANDS)
        if not isinstance(meant, Request):
            run.answer(meant)
            for line in asked.log()[told:]:
                console.say(line.text)
            console.say(asked.sentence)
        elif meant.command.word == "quit":
            return False
        elif meant.command.word == "board":
            console.say(picture_of(asked, console))
        elif meant.command.word == "help":
            say_help(asked, console, _COMMANDS)
        else:
            console.say(asked.task)
            say_choices(asked, console)
    return True
