"""``boardgames join ADDRESS/CODE``: takes a seat at a table elsewhere, or watches it."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import CommonOptions, argument, command, option
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import choose_front, run_session, settings_for
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import SaveOptions, Show
from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.settings import Pace
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped, prepare_imports
from boardgames_cli.terminal.streams import is_terminal

if TYPE_CHECKING:
    from boardgames_cli.online.client.arrival import Arrival
    from boardgames_cli.online.codes import TableAddress
    from boardgames_cli.online.messages import ClientMessage

PASSWORD: Final[dict[str, Any]] = {
    "default": "",
    "help": "The password of the table, if it has one.",
    "metavar": "TEXT",
    "envvar": "BOARDGAMES_PASSWORD",
}
_FIND_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Door:
    """What lets in at a table."""

    section: ClassVar = "Table"

    password: str = option(**PASSWORD)
    insecure: bool = option(False, "With https://, accept any certificate. Only for tests.")


@dataclass(frozen=True, slots=True)
class Where:
    """Which table, and who plays."""

    section: ClassVar = "Table"

    address: str = argument(
        "What `boardgames host` printed, such as 192.0.2.7:7777/KEGA-3F2P. Without it, the tables "
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


@dataclass(frozen=True, slots=True)
class Watched:
    """Which table is watched."""

    address: str = argument(
        "What `boardgames host --watchable` printed for spectators.", metavar="ADDRESS/CODE"
    )


def join(where: Where, door: Door, show: Show, saving: SaveOptions, common: CommonOptions) -> int:
    """Take a seat at a table on another machine, or in another terminal of this one."""
    return _enter(where, door, show, saving, common)


def watch(
    watched: Watched, door: Door, show: Show, saving: SaveOptions, common: CommonOptions
) -> int:
    """Watch a table on another machine, or in another terminal of this one."""
    return _enter(Where(watched.address), door, show, saving, common, is_watching=True)


def _enter(
    where: Where,
    door: Door,
    show: Show,
    saving: SaveOptions,
    common: CommonOptions,
    *,
    is_watching: bool = False,
) -> int:
    check_possible()
    from boardgames_cli.online.client.arrival import Arrival, KeptSeats
    from boardgames_cli.online.codes import read_address
    from boardgames_cli.online.messages import Join, Watch

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
            first: ClientMessage = (
                Watch(address.code, door.password)
                if is_watching
                else Join(address.code, where.name, door.password, is_bot=bool(where.agent))
            )
            arrival = Arrival(
                address,
                first,
                KeptSeats(),
                is_checked=not door.insecure,
                waiting=interrupts.waiting,
            )
            back = "You are back at your seat. Another person here joins with --name."
            say(back if arrival.is_back else "You are at the table.")
            return sit(arrival, where.agent, show, saving, common)
        except Stopped as stop:
            return stop.exit_code


def _find(interrupts: SignalWatch) -> TableAddress | None:
    """List the tables on this network, and ask for one of them; None if nobody can be asked."""
    from boardgames_cli.online.client.arrival import list_tables
    from boardgames_cli.online.codes import read_code
    from boardgames_cli.online.discovery import find_servers

    with interrupts.waiting():
        try:
            servers = find_servers(_FIND_SECONDS)
        except OSError as error:
            raise GameError(
                f"this network can't be searched ({reason_of(error)}).",
                "Give what the host's screen shows: boardgames join ADDRESS/CODE",
            ) from error
        found = [
            (server._replace(code=table.code), table.label)
            for server in servers
            for table in list_tables(server)
            # A host's own tables are listed without codes, which are asked for.
            if table.code or not table.watch
        ]
    if not found:
        raise GameError(
            "no table was found on this network.",
            "Its host must listen for others: boardgames host GAME --listen 0.0.0.0",
        )
    for number, (address, label) in enumerate(found, 1):
        say(f"{number:>3}  {label}, at {address}")
    if not is_terminal(sys.stdin):
        return None
    console = Console.standard(interrupts)
    try:
        address, _ = found[_number(console, len(found)) - 1]
        return (
            address if address.code else address._replace(code=read_code(console.ask("Its code: ")))
        )
    except EndOfInput:
        return None


def _number(console: Console, most: int) -> int:
    while True:
        answer = console.ask(f"Which one (1-{most})? ").strip() if most > 1 else "1"
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer)


def sit(
    arrival: Arrival,
    agent: str,
    show: Show,
    saving: SaveOptions,
    common: CommonOptions,
    address: TableAddress | None = None,
) -> int:
    """Wait until the game begins, and play it.

    An agent plays if one is named. Others join at the address, which is None where this side has
    joined.
    """
    choice = choose_front(common)
    settings = settings_for(choice, show, saving.save_dir, not saving.no_save)
    if show.pace is None:
        settings = replace(settings, pace=Pace.FAST)  # others are waited for anyway
    if choice.front is Front.TUI and not agent:
        prepare_imports()
        from boardgames_cli.tui.app import run_screen
        from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

        try:
            return run_screen(settings, WaitingScreen(arrival, settings, address))
        finally:
            arrival.close()
    store = Store.at(settings.save_folder) if settings.save else None
    session = arrival.wait(say, store, settings.glyphs)
    if not agent:
        note_results(session, settings)
        return run_session(session, settings, choice)
    from boardgames_cli.online.client.arrival import play_bot

    try:
        play_bot(session, agent, say)
    finally:
        session.close()
    return 0


def check_possible() -> None:
    """Check that tables over a network are possible here, before a seat is taken."""
    if importlib.util.find_spec("aiohttp") is None:
        raise MissingPackageError("tables over a network", "aiohttp", "online")


make = command(
    join,
    "join 192.0.2.7:7777/KEGA-3F2P --name Ben",
    "join localhost/KEGA-3F2P --agent hard",
    "join",
)
make_watch = command(watch, "watch 192.0.2.7:7777/W4TC-H2ME")
