"""``boardgames host GAME``: opens a table that others join over a network."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from boardgames_cli.cli import serve
from boardgames_cli.cli.command import CommonOptions, GameArgument, option
from boardgames_cli.cli.join import PASSWORD, check_possible, sit
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import (
    PlayerOptions,
    SaveOptions,
    Show,
    for_game,
    given_options,
)
from boardgames_cli.cli.play import game_options
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.options import option_values
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.seats import HUMAN, fill_seats
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped

if TYPE_CHECKING:
    from boardgames_cli.online.messages import Open
    from boardgames_cli.online.server.online_table import OnlineTable
    from boardgames_cli.online.server.table_server import Hosting

_WATCH_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The table."""

    section: ClassVar = "Table"

    clock: str = option(
        "",
        "The time for the whole game, and what is added after an action: 5m+3s.",
        metavar="TIME",
    )
    move_time: str = option("", "The time for each action instead: 60s.", metavar="TIME")
    tick: str = option(
        "", "Real time, in games that allow it: a step every SECONDS.", metavar="SECONDS"
    )
    password: str = option(**{**PASSWORD, "help": "Ask for a password besides the code."})
    watchable: bool = option(False, "Let spectators in, with a code of theirs.")


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """The server."""

    section: ClassVar = "Network"

    listen: str = option(
        "127.0.0.1",
        "Where to listen. The default lets in this machine only; 0.0.0.0 lets in everybody who "
        "can reach this machine and has the code. Without a port: 7777, or the next free one.",
        metavar="ADDRESS[:PORT]",
    )
    cert: Path | None = option(
        None, "A certificate with its chain, to encrypt the connections.", metavar="FILE"
    )
    key: Path | None = option(None, "Its private key.", metavar="FILE")
    headless: bool = option(False, "Nobody plays here: only serve the table.")
    no_announce: bool = option(False, serve.NO_ANNOUNCE)


def host(
    which: GameArgument,
    players: PlayerOptions,
    options: TableOptions,
    network: ListenOptions,
    show: Show,
    saving: SaveOptions,
    common: CommonOptions,
    **values: Any,
) -> int:
    """Open a table that others join over a network."""
    check_possible()
    spec = find_game(which.game)
    message = _opening(spec, players, options, network, values)
    with SignalWatch() as interrupts:
        hosting = serve.open_server(
            network.listen,
            saving.save_dir,
            spec.info.name,
            network.cert,
            network.key,
            is_announced=not network.no_announce,
        )
        try:
            if hosting.server.announcement is not None:
                say("On this network `boardgames join` finds it without the address.")
            return _serve(hosting, message, interrupts, network, show, saving, common)
        except Stopped as stop:
            return stop.exit_code
        finally:
            hosting.stop()


def _opening(
    spec: GameSpec,
    players: PlayerOptions,
    options: TableOptions,
    network: ListenOptions,
    values: dict[str, Any],
) -> Open:
    from boardgames_cli.online.messages import Open
    from boardgames_cli.online.server.online_table import OPEN

    read_time_control(options.clock, options.move_time)  # a mistake, before anything is opened
    given = players.seat or ([] if network.headless else [HUMAN])
    game = make_game(spec.info.id, **game_options(spec, given_options(values), given))
    rest = OPEN if players.vs is None and players.level is None else players.rest
    return Open(
        spec.info.id,
        option_values(game),
        tuple(fill_seats(game, given, rest)),
        options.clock,
        options.move_time,
        options.tick,
        options.password,
        options.watchable,
    )


def _serve(
    hosting: Hosting,
    message: Open,
    interrupts: SignalWatch,
    network: ListenOptions,
    show: Show,
    saving: SaveOptions,
    common: CommonOptions,
) -> int:
    table, is_known = hosting.open(message)
    _announce(hosting, table, network, is_known=is_known)
    arrival = None if network.headless else hosting.sit_down(table, message, interrupts.waiting)
    if arrival is None:
        _wait(table, interrupts)
        return 0
    others = hosting.server.address_for_others(table.settings.code)
    return sit(arrival, "", show, saving, common, others)


def _announce(
    hosting: Hosting, table: OnlineTable, network: ListenOptions, *, is_known: bool
) -> None:
    if (port := hosting.server.port) != (wanted := hosting.server.settings.port) and wanted:
        say(f"Port {wanted} is in use; this server listens on port {port}.")
    if is_known:
        say("The table is open again; everybody's seat is kept.")
    if table.open_seats:
        _say_how("Others join with:", "join", hosting, table.settings.code)
    if table.settings.watch_code:
        _say_how("Spectators watch with:", "watch", hosting, table.settings.watch_code)
    if not hosting.server.has_pages and (problem := serve.missing()):
        say(f"There is no link for browsers: {problem.message}")
        say(problem.todo)
    if network.listen.startswith("127."):
        say("Only this machine can reach it. To let others in: --listen 0.0.0.0")
    say("Ctrl+C stops it; the same command opens it again.")


def _say_how(what: str, verb: str, hosting: Hosting, code: str) -> None:
    address = hosting.server.address_for_others(code)
    say(what)
    say()
    say(f"    boardgames {verb} {address}")
    say()
    if hosting.server.has_pages:
        say(f"or in a browser: {address.link}")
        say()


def _wait(table: OnlineTable, interrupts: SignalWatch) -> None:
    before = ""
    while True:
        names = [table.name_of(seat) for seat in range(table.game.seats)]
        state = "over" if table.is_over else "waiting" if table.served is None else "playing"
        line = f"{state}: {', '.join(names)}"
        if line != before:
            before = line
            say(line)
        with interrupts.waiting():
            time.sleep(_WATCH_SECONDS)


make = for_game(host, "host GAME -s human:Ann -s open", "host GAME --listen 0.0.0.0 --clock 5m+3s")
