"""Asks for consent before running a program named in a file, which may be from anybody."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from boardgames_cli.cli.output import say
from boardgames_cli.terminal.streams import is_terminal, printable, read_line


@dataclass(frozen=True, slots=True)
class Trust:
    """Whether the author of a file is trusted."""

    run_commands: Annotated[
        bool,
        typer.Option("--run-commands", help="Run programs named in the file without asking."),
    ] = False

    def decision(self, *, can_ask: bool) -> Callable[[Sequence[str]], bool]:
        """A function that decides whether programs may be run.

        Args:
            can_ask: Whether a person can be asked, which needs a terminal.
        """
        if self.run_commands:
            return lambda _: True
        if can_ask and is_terminal(sys.stdin) and is_terminal(sys.stdout):
            return ask_for_trust
        return lambda _: False


def ask_for_trust(commands: Sequence[str]) -> bool:
    """Ask on the terminal whether programs named in a file may be run."""
    say("An agent in this file is a program on this machine. It would run:")
    for command in commands:
        say(f"  {printable(command)}")
    sys.stdout.write("Run it? [y/N] ")
    sys.stdout.flush()
    return read_line(sys.stdin).strip().lower() in ("y", "yes")
