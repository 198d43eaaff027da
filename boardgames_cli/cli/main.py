"""``boardgames``: the verbs, the version, the launcher, and the exit code."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import typer

from boardgames_cli import __version__
from boardgames_cli.cli import completion, errors
from boardgames_cli.cli.command import (
    PROGRAM,
    CommonOptions,
    Group,
    Subcommand,
    examples,
    fields,
    later,
    note_common,
    option,
    set_parameters,
)
from boardgames_cli.cli.frontend import TerminalInfo, may_color
from boardgames_cli.core.errors import GameError
from boardgames_cli.terminal.startup import Stopped, end_at_once

_ENVIRONMENT: Final = re.compile(r"boardgames/(\w+)-v\d+")


def main() -> None:
    """Run the program and end the process with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Names and rules may contain characters that the terminal's encoding lacks.
            stream.reconfigure(errors="replace")
    try:
        code = run(sys.argv[1:])
    except (KeyboardInterrupt, Stopped) as second:  # while the first one was reported
        code = errors.report(second)
    end_at_once()
    problem = errors.flush(sys.stdout)
    if sys.stdout is None:  # it was closed before the start
        problem = OSError(errno.EBADF, os.strerror(errno.EBADF))
    if problem is not None and not code:
        code = errors.report(problem)
    errors.flush(sys.stderr)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line, without the program's name, and return the exit code."""
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
            return _invoke([*map(_game_of, arguments)], is_colorless="--no-color" in words)
        except SystemExit as end:
            if isinstance(end.__context__, BrokenPipeError):  # how typer exits then
                return errors.report(end.__context__)
            return end.code if isinstance(end.code, int) else 0
        except BaseException as error:
            return errors.report(error, debug=debug)


def _game_of(word: str) -> str:
    if (named := _ENVIRONMENT.fullmatch(word)) is None:
        return word
    from boardgames_cli.registry import game_ids

    return {id.replace("-", ""): id for id in game_ids()}.get(named[1].lower(), word)


def _invoke(arguments: Sequence[str], is_colorless: bool) -> int:
    color = may_color(TerminalInfo.here(), is_colorless)
    command = typer.main.get_command(make_app())
    code = command.main(list(arguments), prog_name=PROGRAM, standalone_mode=False, color=color)
    return code if isinstance(code, int) else 0


_SECTIONS: Final[dict[str, dict[str, Subcommand]]] = {
    "Play": {
        "play": later("play", "Play a game."),
        "learn": later("puzzle:make_learn", "Learn a game by playing: a guided first game."),
        "resume": later("play:make_resume", "Continue a saved game."),
        "watch": later("play:make_watch", "Watch agents play."),
        "puzzle": later("puzzle", "Solve puzzles: find the best choice."),
        "drill": later("puzzle:make_drill", "Train on the mistakes of your own games."),
        "ladder": later("stats:make_ladder", "Show the opponents of each game, and the next one."),
    },
    "Look back": {
        "replay": later("replay_save", "Replay a saved game, step by step."),
        "review": later("review", "Review a finished game: luck, mistakes and reasons."),
        "saves": later("saves", "List, show and delete saved games."),
        "stats": later("stats", "Show what people have reached here."),
    },
    "Friends": {
        "host": later("host", "Open a table that others join over a network."),
        "join": later("host:make_join", "Take a seat at a table on another machine."),
        "serve": later("serve", "Let people play in their browsers."),
    },
    "Agents and learning": {
        "agents": later("agents", "List the agents that can play."),
        "train": later("train", "Learn a game from play."),
        "tournament": later("tournament", "Let agents play many games, and rate them."),
        "solve": later("solve", "Solve a small game exactly."),
        "mcp": later("mcp", "Let a language model play."),
        "new-game": later("new_game", "Write the package of a game to start from."),
    },
    "About": {
        "list": later("games", "List the games."),
        "rules": later("games:make_rules", "Read the rules of a game."),
        "config": later("config", "Show or edit your preferences."),
        "doctor": later("doctor", "Check the terminal, the folders and the plug-ins."),
    },
}
VERBS: Final = {name: verb for table in _SECTIONS.values() for name, verb in table.items()}
"""The verbs: for each what makes it, and one line of help."""

_ALIASES: Final = {"agent": "agents"}


class Verbs(Group):
    """The verbs, loaded on demand."""

    table = VERBS
    sections = _SECTIONS
    left_out = ()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a verb, also by another name."""
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))

    def unknown(self, name: str) -> Exception:
        """The error for a verb that does not exist; a game's id gets a hint."""
        from boardgames_cli.registry import game_ids

        if name in game_ids():
            return GameError(f'"{name}" is a game.', f"To play it: boardgames play {name}")
        return super().unknown(name)


@dataclass(frozen=True, slots=True)
class Program:
    """The options of the program without a command."""

    version: bool = option(False, "Show the version.")


def start(ctx: typer.Context, *, version: bool, **values: bool) -> int:
    """Play board games in the terminal. Without a command the menu opens."""
    note_common(ctx, values)
    if version:
        typer.echo(f"boardgames {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from boardgames_cli.cli.play import launch

        return launch(CommonOptions(**values), run)
    return 0


def make_app() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(cls=Verbs, rich_markup_mode=None)
    epilog = examples("play senet", "watch senet --pace slow", "resume", "rules senet")
    set_parameters(start, [*fields(Program), *fields(CommonOptions)])
    app.callback(invoke_without_command=True, epilog=epilog)(start)
    return app
