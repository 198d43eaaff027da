"""``boardgames drill``: train on the mistakes of one's own games."""

from __future__ import annotations

from functools import partial

from boardgames_cli.cli.command import CommonOptions, GameFilter, examples, make_command
from boardgames_cli.cli.open_table import usual_settings
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import Folder
from boardgames_cli.cli.puzzle import ask
from boardgames_cli.session.played_reviews import fill_deck, open_drill
from boardgames_cli.storage.paths import drill_file


def drill(which: GameFilter, folder: Folder, common: CommonOptions) -> int:
    """Ask the cards that are due, and puzzles if these are few."""
    choice, settings = usual_settings(common, folder.save_dir)
    fill_deck(folder.save_dir, drill_file())
    run = open_drill(settings, which.game)
    if common.is_plain:
        say(run.summary)
    return ask(run, settings, choice)


make = partial(
    make_command,
    action=drill,
    help="Train on the mistakes of your own reviewed games.",
    epilog=examples("drill", "drill senet", "drill --plain"),
)
