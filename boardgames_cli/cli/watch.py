"""``boardgames watch GAME``: agents on all seats; ``watch ADDRESS/CODE``: a table on a server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from boardgames_cli.cli.command import CommonOptions, argument, examples, make_command, option
from boardgames_cli.cli.join import INSECURE, PASSWORD, Where, join
from boardgames_cli.cli.parameters import SaveOptions, Show
from boardgames_cli.cli.play import Games

_TABLE: Final = "table"


@dataclass(frozen=True, slots=True)
class Watched:
    """Which table on a server."""

    section: ClassVar = "Table"

    address: str = argument(
        "What `boardgames host --watchable` printed for spectators.", metavar="ADDRESS/CODE"
    )
    password: str = option(**PASSWORD)
    insecure: bool = option(False, INSECURE)


class WatchedGames(Games):
    """The verb, with a command for each game and one for tables on servers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Find the game, or the address of a table."""
        if not {*args} & {_TABLE, *self.summaries()} and any(map(_is_table, args)):
            args.insert(0, _TABLE)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a command."""
        return _watch_table() if cmd_name == _TABLE else super().get_command(ctx, cmd_name)


def _is_table(word: str) -> bool:
    from boardgames_cli.online.codes import AddressError, read_address

    if re.match(r"[^-].*:\d+/", word):
        return True
    try:
        return "-" in word[1:] and bool(read_address(word).code)
    except AddressError:
        return False


def _watch_table() -> Any:
    return make_command(
        _TABLE,
        watch,
        help="Watch a table on another machine, or in another terminal of this one.",
        epilog=examples("watch 192.0.2.7:7777/W4TC-H2ME"),
    )


def watch(watched: Watched, show: Show, saving: SaveOptions, common: CommonOptions) -> int:
    """Watch a table on a server; see `join`."""
    where = Where(watched.address, password=watched.password, watch=True, insecure=watched.insecure)
    return join(where, show, saving, common)


make = partial(
    WatchedGames.below,
    help="Watch agents play a game, or let them play it out and get the result with --json. "
    "With ADDRESS/CODE, watch a table on a server.",
    epilog="Each game has options of its own: boardgames watch GAME --help",
)
