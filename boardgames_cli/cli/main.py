"""``boardgames``: the verbs, the version, the launcher, and the exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from boardgames_cli import __version__
from boardgames_cli.cli import completion, errors
from boardgames_cli.cli.command import (
    PROGRAM,
    CommonOptions,
    Group,
    examples,
    fields,
    load_verb,
    set_parameters,
)
from boardgames_cli.cli.frontend import TerminalInfo, may_color
from boardgames_cli.core.errors import GameError, UnknownNameError


def main() -> None:
    """Run the program and end the process with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Names and rules may contain characters that the terminal's encoding lacks.
            stream.reconfigure(errors="replace")
    code = run(sys.argv[1:])
    problem = errors.flush(sys.stdout)
    if problem is not None and not code:
        code = errors.report(problem)
    errors.flush(sys.stderr)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line.

    Args:
        arguments: The arguments without the program's name.

    Returns:
        The exit code.
    """
    # Read before parsing, since help and error messages must obey them, too.
    words = list(arguments)
    words = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in words
    if os.environ.get("NO_COLOR") == "":
        # The standard says that an empty value has no effect, but Textual obeys it.
        del os.environ["NO_COLOR"]
    completion.prepare(words)
    with errors.warnings_as_lines():
        try:
            return _invoke(arguments, is_colorless="--no-color" in words)
        except SystemExit as end:
            if isinstance(end.__context__, BrokenPipeError):  # how typer exits then
                return errors.report(end.__context__)
            return end.code if isinstance(end.code, int) else 0
        except BaseException as error:
            return errors.report(error, debug=debug)


def _invoke(arguments: Sequence[str], is_colorless: bool) -> int:
    color = None if may_color(TerminalInfo.here(), is_colorless) else False
    command = typer.main.get_command(make_app())
    code = command.main(list(arguments), prog_name=PROGRAM, standalone_mode=False, color=color)
    return code if isinstance(code, int) else 0


VERBS: Final = {
    "play": ("play", "Play a game."),
    "watch": ("watch", "Watch agents play."),
    "resume": ("resume", "Continue a saved game."),
    "replay": ("replay", "Replay a saved game, step by step."),
    "review": ("review", "Review a finished game: luck, mistakes and reasons."),
    "saves": ("saves", "List, show and delete saved games."),
    "convert": ("convert", "Convert files from and to other programs."),
    "list": ("games", "List the games."),
    "agents": ("agents", "List the agents that can play."),
    "rules": ("rules", "Read the rules of a game."),
    "train": ("train", "Learn a game from play."),
    "tournament": ("tournament", "Let agents play many games, and rate them."),
    "bench": ("bench", "Measure the speed of a game and its agents."),
    "solve": ("solve", "Solve a small game exactly."),
    "serve": ("serve", "Let people play in their browsers."),
    "puzzle": ("puzzle", "Solve puzzles: find the best choice."),
    "stats": ("stats", "Show what people have won and lost here."),
    "config": ("config", "Show or edit your preferences."),
    "doctor": ("doctor", "Check the terminal, the folders and the plug-ins."),
}
"""For every verb its module and one line of help."""

_ALIASES: Final = {"agent": "agents"}
"""Other names of verbs."""


class Verbs(Group):
    """The verbs, loaded on demand."""

    def summaries(self) -> Mapping[str, str]:
        """One line of help per verb."""
        return {verb: summary for verb, (_, summary) in VERBS.items()}

    def load(self, name: str) -> Any:
        """Load a verb's module."""
        return load_verb(name, VERBS[name][0])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a verb, also by another name."""
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))

    def unknown(self, name: str) -> GameError:
        """The error for a verb that does not exist; a game's id gets a hint."""
        from boardgames_cli.registry import game_ids

        if name in game_ids():
            return GameError(f'"{name}" is a game.', f"To play it: boardgames play {name}")
        return UnknownNameError(self.noun, name, self.summaries())


@dataclass(frozen=True, slots=True)
class Program:
    """The options of the program without a command."""

    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False


def start(ctx: typer.Context, *, version: bool, **values: bool) -> int:
    """Play board games in the terminal. Without a command the menu opens."""
    if version:
        typer.echo(f"boardgames {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from boardgames_cli.cli.start import launch

        return launch(CommonOptions(**values))
    return 0


def make_app() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(cls=Verbs, rich_markup_mode=None)
    epilog = examples("play senet", "watch senet --pace slow", "resume", "rules senet")
    set_parameters(start, [*fields(Program), *fields(CommonOptions)])
    app.callback(invoke_without_command=True, epilog=epilog)(start)
    return app
