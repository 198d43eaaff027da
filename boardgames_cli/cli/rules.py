"""``boardgames rules GAME``: the rules for people."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import examples, make_command
from boardgames_cli.cli.output import say
from boardgames_cli.registry import find_game
from boardgames_cli.terminal.streams import is_terminal, reflow


@dataclass(frozen=True, slots=True)
class RulesArguments:
    """The game."""

    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game's name.", autocompletion=completion.games),
    ]


def make(name: str) -> Any:
    """Create the command."""
    return make_command(
        name,
        show_rules,
        RulesArguments,
        help="Read the rules of a game.",
        epilog=examples("rules senet"),
    )


def show_rules(which: RulesArguments) -> int:
    """Write the rules; return the exit code."""
    text = find_game(which.game).rules_text().rstrip()
    if is_terminal(sys.stdout):
        text = reflow(text, shutil.get_terminal_size().columns)
    say(text)
    return 0
