"""The way in: ``boardgames``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import typer

from boardgames_cli.cli import errors
from boardgames_cli.cli.command import PROGRAM
from boardgames_cli.cli.frontend import Place, may_color


def main() -> None:
    """Run the program and end the process with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name or a rule may hold a sign that the terminal's encoding lacks.
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
        arguments: The words after the name of the program.

    Returns:
        The exit code.
    """
    # Read before anything is parsed: a mistake and the help must obey them as well.
    words = list(arguments)
    words = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in words
    if os.environ.get("NO_COLOR") == "":
        # By its own standard an empty value means nothing, but Textual obeys it.
        del os.environ["NO_COLOR"]
    with errors.warnings_as_lines():
        try:
            return _invoke(arguments, is_colorless="--no-color" in words)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 0
        except BaseException as error:
            return errors.report(error, debug=debug)


def _invoke(arguments: Sequence[str], is_colorless: bool) -> int:
    from boardgames_cli.cli.app import make_app

    color = None if may_color(Place.here(), is_colorless) else False
    command = typer.main.get_command(make_app())
    code = command.main(list(arguments), prog_name=PROGRAM, standalone_mode=False, color=color)
    return code if isinstance(code, int) else 0
