"""``boardgames watch GAME``: agents on all seats; ``watch ADDRESS/CODE``: a table on a server."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from boardgames_cli.cli.command import CommonOptions, argument, command, fields, option
from boardgames_cli.cli.join import INSECURE, PASSWORD, Where, join
from boardgames_cli.cli.parameters import SaveOptions, Show, Watching, for_game
from boardgames_cli.cli.play import of_some_games, start_game
from boardgames_cli.core.game import Traits
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import game_ids


@dataclass(frozen=True, slots=True)
class Watched:
    """Which table on a server."""

    section: ClassVar = "Table"

    address: str = argument(
        "What `boardgames host --watchable` printed for spectators.", metavar="ADDRESS/CODE"
    )
    password: str = option(**PASSWORD)
    insecure: bool = option(False, INSECURE)


def _is_table(word: str) -> bool:
    from boardgames_cli.online.codes import AddressError, read_address

    if re.match(r"[^-].*:\d+/", word):
        return True
    try:
        return "-" in word[1:] and bool(read_address(word).code)
    except AddressError:
        return False


def watch(watched: Watched, show: Show, saving: SaveOptions, common: CommonOptions) -> int:
    """Watch a table on another machine, or in another terminal of this one."""
    where = Where(watched.address, password=watched.password, watch=True, insecure=watched.insecure)
    return join(where, show, saving, common)


def _of_some_games(spec: GameSpec | None) -> list[inspect.Parameter]:
    is_hidden = spec is not None and Traits.HIDDEN in spec.info.traits
    return [*of_some_games(spec), *(fields(Watching) if is_hidden else [])]


_watch_game = for_game(
    partial(start_game, verb="watch"),
    "watch GAME --pace slow",
    "watch GAME -s hard -s random --json",
    "watch 192.0.2.7:7777/W4TC-H2ME",
    help="Watch agents play a game, or let them play it out and get the result with --json. "
    "With ADDRESS/CODE, watch a table on a server.",
    more=_of_some_games,
)
_watch_table = command(watch, "watch 192.0.2.7:7777/W4TC-H2ME")


def make(name: str, words: Sequence[str]) -> Any:
    """Make the command, of a game or of a table on a server."""
    is_game = not {*game_ids()}.isdisjoint(words)
    maker = _watch_table if not is_game and any(map(_is_table, words)) else _watch_game
    return maker(name, words)
