"""``boardgames learn GAME``: a guided first game."""

from __future__ import annotations

from functools import partial

from boardgames_cli.cli.command import CommonOptions, GameArgument, examples, make_command
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import in_lines, usual_settings
from boardgames_cli.session.lesson_run import LessonRun
from boardgames_cli.terminal.startup import prepare_imports


def learn(which: GameArgument, common: CommonOptions) -> int:
    """Give the lesson of a game."""
    choice, settings = usual_settings(common)
    run = LessonRun(which.game, settings.glyphs)
    if choice.front is Front.TUI:
        prepare_imports()
        from boardgames_cli.tui.app import run_lesson

        return run_lesson(run, settings)
    from boardgames_cli.plain.asked_lines import give_lesson

    return in_lines(partial(give_lesson, run))


make = partial(
    make_command,
    action=learn,
    help="Learn a game by playing: a guided first game.",
    epilog=examples("learn senet", "learn kuhn --plain"),
)
