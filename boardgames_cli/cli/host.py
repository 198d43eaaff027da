"""``boardgames host GAME`` opens a table that others ``join`` over a network, or ``watch``."""

from __future__ import annotations

import contextlib
import importlib.util
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from boardgames_cli.cli import completion, serve
from boardgames_cli.cli.command import CommonOptions, GameArgument, argument, command, option
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import PACE, asked_by, front_end, run_session
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import PlayerOptions, SaveOptions, for_game, given_options
from boardgames_cli.cli.play import game_options, of_some_games
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import GameError, MissingPackageError, SeatError
from boardgames_cli.core.options import option_values
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import counted
from boardgames_cli.online.codes import ANYWHERE, ONLY_HERE
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.registry import find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.seats import HUMAN, checked_name, fill_seats, with_names
from boardgames_cli.session.settings import Pace, Settings, remember_name
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped, prepare_imports

if TYPE_CHECKING:
    from boardgames_cli.online.client.remote_session import RemoteSession
    from boardgames_cli.online.codes import TableAddress
    from boardgames_cli.online.messages import Open
    from boardgames_cli.online.server.online_table import OnlineTable
    from boardgames_cli.online.server.table_server import Hosting

_FIND_SECONDS: Final = 3.0
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


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """The server."""

    section: ClassVar = "Network"

    listen: str = option(
        "",
        "Where to listen: 127.0.0.1 lets in this machine only, 0.0.0.0 everybody who can reach it "
        "and has the code. Without a port: 7777, or the next free one. [default: in a terminal "
        "you are asked, else 127.0.0.1]",
        metavar="ADDRESS[:PORT]",
    )
    name: str = option("", "Your name; it is remembered.", metavar="NAME")
    cert: Path | None = option(
        None, "A certificate with its chain, to encrypt the connections.", metavar="FILE"
    )
    key: Path | None = option(None, "Its private key.", metavar="FILE")


def host(
    which: GameArgument,
    players: PlayerOptions,
    options: TableOptions,
    network: ListenOptions,
    saving: SaveOptions,
    common: CommonOptions,
    *,
    tick: float | None = None,
    **values: Any,
) -> int:
    """Open a table that others join over a network."""
    check_possible()
    spec, settings = find_game(which.game), Settings.preferred()
    names = (checked_name(network.name),) if network.name else settings.preferences.names
    message = _opening(spec, players, options, names, values)
    message = replace(message, tick=str(tick or ""))
    with SignalWatch() as interrupts:
        try:
            listen = network.listen or _ask_where(Console.standard(interrupts))
            hosting = serve.open_server(
                listen, saving.save_dir, spec.info.name, network.cert, network.key
            )
            with contextlib.suppress(GameError):
                remember_name(settings, network.name and names[0])
            try:
                return _serve(hosting, message, interrupts, saving, common)
            finally:
                hosting.stop()
        except Stopped as stop:
            return stop.exit_code
        except EndOfInput:
            return 0


def _ask_where(console: Console) -> str:
    if not console.is_live:
        return ONLY_HERE
    say("Who may join?")
    say("  1  friends on this network, with the code")
    say("  2  only people at this machine")
    return (ANYWHERE, ONLY_HERE)[_number(console, 2) - 1]


def _opening(
    spec: GameSpec,
    players: PlayerOptions,
    options: TableOptions,
    names: Sequence[str],
    values: dict[str, Any],
) -> Open:
    from boardgames_cli.online.messages import Open
    from boardgames_cli.online.server.online_table import OPEN

    read_time_control(options.clock, options.move_time)  # a mistake, before anything is opened
    given = players.seat or [HUMAN]
    wanted = {**spec.menu_defaults, **given_options(values)}  # the menu begins the same game
    game = make_game(spec.info.id, **game_options(spec, wanted, given))
    rest = OPEN if players.vs is None and players.level is None else players.rest
    seats = tuple(with_names(fill_seats(game, given, rest), names))
    if not any(split_agent(seat)[0] in (HUMAN, OPEN) for seat in seats):
        todo = f"Add -s {OPEN}, or let them play: boardgames watch {spec.info.id}"
        raise SeatError("agents have all seats, so nobody can join.", todo)
    return Open(
        spec.info.id,
        option_values(game),
        seats,
        options.clock,
        options.move_time,
    )


def _serve(
    hosting: Hosting,
    message: Open,
    interrupts: SignalWatch,
    saving: SaveOptions,
    common: CommonOptions,
) -> int:
    table, is_known = hosting.open(message)
    announce(hosting, table, is_known=is_known)
    session = hosting.sit_down(table, message, interrupts.waiting)
    if session is None:
        _wait(table, interrupts)
        return 0
    others = hosting.server.address_for_others(table.settings.code)
    return sit(session, "", interrupts, saving, common, others)


def announce(hosting: Hosting, table: OnlineTable, *, is_known: bool) -> None:
    """Say how others come to a table, and who can."""
    if (port := hosting.server.port) != (wanted := hosting.server.settings.port) and wanted:
        say(f"Port {wanted} is in use; this server listens on port {port}.")
    if hosting.server.announcement is not None:
        say("On this network `boardgames join` finds it without the address.")
    if is_known:
        say("The table is open again; everybody's seat is kept.")
    if table.open_seats:
        _say_how("Others join with:", hosting, table.settings.code)
    _say_how("Spectators watch with:", hosting, table.settings.watch_code)
    if not hosting.server.has_pages and (problem := serve.missing()):
        say(f"There is no link for browsers: {problem.message}")
        say(problem.todo)
    if hosting.server.address_for_others().is_here:
        say("Only this machine can reach it. To let others in: --listen 0.0.0.0")
    say("Ctrl+C stops it; the same command opens it again.")


def _say_how(what: str, hosting: Hosting, code: str) -> None:
    address = hosting.server.address_for_others(code)
    say(what)
    say()
    say(f"    boardgames join {address}")
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


make = for_game(
    host,
    "host GAME --name Ann",
    "host GAME --listen 0.0.0.0 --clock 5m+3s",
    starts_as_menu=True,
    more=of_some_games,
)


@dataclass(frozen=True, slots=True)
class Where:
    """Which table, and who plays."""

    section: ClassVar = "Table"

    address: str = argument(
        "What `boardgames host` printed, for a seat or for spectators, such as "
        "192.0.2.7:7777/KEGA-3F2P. Without it, the tables "
        "on this network are listed.",
        default="",
        metavar="[ADDRESS/CODE]",
    )
    name: str = option("", "Your name.", metavar="NAME")
    agent: str = option(
        "",
        "Let an agent play: a level, or an agent such as cmd:python bot.py.",
        metavar="SPEC",
        autocompletion=completion.agents,
    )


def join(where: Where, saving: SaveOptions, common: CommonOptions) -> int:
    """Take a seat at a table on another machine, or in another terminal of this one, or watch."""
    check_possible()
    from boardgames_cli.online.client.arrival import KeptSeats, sit_down
    from boardgames_cli.online.codes import read_address
    from boardgames_cli.online.messages import Join

    with SignalWatch() as interrupts:
        try:
            address = read_address(where.address) if where.address else _find(interrupts)
            if address is None:
                return 0
            if not address.code:
                raise GameError(
                    f'"{where.address}" names no table.',
                    "Write the code behind a slash: HOST:PORT/CODE",
                )
            first = Join(address.code, where.name, is_bot=bool(where.agent))
            session = sit_down(address, first, KeptSeats(), interrupts.waiting)
            seated = "at the table" if session.humans else "watching this table"
            back = "You are back at your seat. Another person here joins with --name."
            say(back if session.is_back else f"You are {seated}.")
            return sit(session, where.agent, interrupts, saving, common)
        except Stopped as stop:
            return stop.exit_code


def _find(interrupts: SignalWatch) -> TableAddress | None:
    from boardgames_cli.online.client.arrival import list_tables
    from boardgames_cli.online.codes import read_address, read_code
    from boardgames_cli.online.discovery import find_servers

    console = Console.standard(interrupts)
    with interrupts.waiting():
        servers, problem = [], "No table was found on this network."
        with contextlib.suppress(OSError):
            servers = find_servers(_FIND_SECONDS)
        found = [
            (server._replace(code=table.code), table.label)
            for server in servers
            for table in list_tables(server)
            if table.open  # a host's own tables are listed without codes, which are asked for
        ]
    for number, (address, label) in enumerate(found, 1):
        say(f"{number:>3}  {label}, at {address}")
    if not (found or console.is_live):
        raise GameError(problem, "Give what your friend's screen shows: join ADDRESS/CODE")
    if not console.is_live:
        return None
    with contextlib.suppress(EndOfInput):
        if not found:
            say(f"{problem} Your friend's screen shows where to join.")
            return read_address(console.ask("The address with the code: "))
        address, _ = found[_number(console, len(found)) - 1]
        if not address.code:
            code = console.ask("Its code, which your friend's screen shows: ")
            address = address._replace(code=read_code(code))
        return address
    return None


def _number(console: Console, most: int) -> int:
    while True:
        answer = console.ask(f"Which one (1-{most})? ").strip() if most > 1 else "1"
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer)


def sit(
    session: RemoteSession,
    agent: str,
    interrupts: SignalWatch,
    saving: SaveOptions,
    common: CommonOptions,
    address: TableAddress | None = None,
) -> int:
    """Wait until the game begins, and play it.

    An agent plays if one is named. Others join at the address, which is None where this side has
    joined.
    """
    front, settings = front_end(common, folder=saving.save_dir, save=not saving.no_save)
    if asked_by(PACE) is None:
        settings = replace(settings, pace=Pace.FAST)  # others are waited for anyway
    if front is Front.TUI and not agent:
        prepare_imports()
        from boardgames_cli.tui.app import run_screen
        from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

        try:
            return run_screen(settings, WaitingScreen(session, settings, address))
        finally:
            session.connection.close()
    session.show_with(settings)
    _await_game(session, interrupts)
    if not agent:
        note_results(session, settings)
        return run_session(session, settings, front)
    from boardgames_cli.online.client.arrival import play_bot

    try:
        play_bot(session, agent, say)
    finally:
        session.close()
    return 0


def _await_game(session: RemoteSession, interrupts: SignalWatch) -> None:
    told, known = 0, session.table
    while not session.has_begun:
        for line in session.log.remarks[told:]:
            say(line.text)
        told, table = len(session.log.remarks), session.table
        if table.state == "waiting" and (table.open, table.here) != (known.open, known.here):
            here = [table.names[seat] for seat in table.here if seat < len(table.names)]
            missing = len(table.open)
            verb = "is" if missing == 1 else "are"
            rest = f" {counted(missing, 'seat')} {verb} open." if missing else ""
            say(f"At the table: {', '.join(here) or 'nobody'}.{rest}")
        known = table
        with interrupts.waiting():
            session.connection.wait(_WATCH_SECONDS)
        session.poll()


def check_possible() -> None:
    """Check that tables over a network are possible here, before a seat is taken."""
    if importlib.util.find_spec("aiohttp") is None:
        raise MissingPackageError("tables over a network", "aiohttp", "online")


make_join = command(
    join,
    "join 192.0.2.7:7777/KEGA-3F2P --name Ben",
    "join localhost/KEGA-3F2P --agent hard",
    "join",
)
