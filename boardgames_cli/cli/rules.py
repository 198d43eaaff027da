"""``boardgames rules GAME``: the rules for people."""

from __future__ import annotations

from functools import partial

from boardgames_cli.cli.command import GameArgument, examples, make_command
from boardgames_cli.cli.output import say, screen_width
from boardgames_cli.registry import find_game
from boardgames_cli.terminal.streams import reflow


def show_rules(which: GameArgument) -> int:
    """Write the rules."""
    text = find_game(which.game).rules_text().rstrip()
    width = screen_width()
    say(text if width is None else reflow(text, width))
    return 0


make = partial(
    make_command,
    action=show_rules,
    help="Read the rules of a game.",
    epilog=examples("rules senet"),
)
