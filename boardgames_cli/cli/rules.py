"""``boardgames rules GAME``: the rules for people."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from functools import partial

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import argument, examples, make_command
from boardgames_cli.cli.output import say
from boardgames_cli.registry import find_game
from boardgames_cli.terminal.streams import is_terminal, reflow


@dataclass(frozen=True, slots=True)
class RulesArguments:
    """The game."""

    game: str = argument("The game's name.", autocompletion=completion.games)


def show_rules(which: RulesArguments) -> int:
    """Write the rules."""
    text = find_game(which.game).rules_text().rstrip()
    if is_terminal(sys.stdout):
        text = reflow(text, shutil.get_terminal_size().columns)
    say(text)
    return 0


make = partial(
    make_command,
    action=show_rules,
    help="Read the rules of a game.",
    epilog=examples("rules senet"),
)
