"""``boardgames watch GAME``: agents on all seats."""

from functools import partial

from boardgames_cli.cli.play import Games

make = partial(
    Games.below,
    help="Watch agents play a game, or let them play it out and get the result with --json.",
    epilog="Each game has options of its own: boardgames watch GAME --help",
)
