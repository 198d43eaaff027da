"""``boardgames serve``: serves the games to browsers, with a session for each visitor."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import argument, command, option
from boardgames_cli.cli.output import say
from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.registry import find_game
from boardgames_cli.storage.paths import data_folder

if TYPE_CHECKING:
    from boardgames_cli.online.server.table_server import Hosting
    from boardgames_cli.web.server import Server, ServerSettings

_PACKAGES: Final = ("aiohttp", "textual_serve")


@dataclass(frozen=True, slots=True)
class Offered:
    """What is served."""

    games: list[str] | None = argument(
        "The games in the menu, by default all. A single one starts at once.",
        default=None,
        metavar="[GAME]...",
        autocompletion=completion.games,
    )


@dataclass(frozen=True, slots=True)
class Address:
    """The address of the server."""

    section: ClassVar = "Network"

    host: str = option(
        "127.0.0.1",
        "The address to listen on. Any but the default lets other machines in: there is "
        "no password.",
        metavar="ADDRESS",
    )
    port: int = option(8000, "The port; 0 chooses a free one.", min=0, max=65535)
    ssh: int | None = option(
        None,
        "Let visitors in with ssh at this port, too: ssh -p PORT HOST; 0 chooses a free one.",
        metavar="PORT",
        min=0,
        max=65535,
    )
    redis: str = option(
        "",
        "Share the lobby with other servers through this Redis server.",
        metavar="URL",
        envvar="BOARDGAMES_REDIS",
    )
    proxy: str = option(
        "",
        "Believe the reverse proxy at this address about clients: X-Forwarded-For and "
        "X-Forwarded-Proto.",
        metavar="ADDRESS",
    )


@dataclass(frozen=True, slots=True)
class Visitors:
    """What visitors get."""

    section: ClassVar = "Visitors"

    idle: float = option(
        30.0,
        "Save and end a session after this time without keys or mouse.",
        metavar="MINUTES",
        min=0.01,
    )
    max_sessions: int = option(10, "The maximum number of concurrent sessions.", min=1)
    save_dir: Path | None = option(
        None,
        "The folder of visitors' folders. [default: in your data folder]",
        metavar="FOLDER",
    )


def serve(offered: Offered, address: Address, visitors: Visitors) -> int:
    """Serve until a signal arrives."""
    games = tuple(dict.fromkeys(offered.games or ()))
    titles = [find_game(game).info.name for game in games]
    if (problem := missing()) is not None:
        raise problem
    if address.ssh is not None and importlib.util.find_spec("asyncssh") is None:
        raise MissingPackageError("games over ssh", "asyncssh", "ssh")
    if address.redis and importlib.util.find_spec("redis") is None:
        raise MissingPackageError("a lobby of several servers", "redis", "online-cluster")
    import asyncio

    from boardgames_cli.web.server import Server
    from boardgames_cli.web.visitors import check_folder

    settings = settings_for(address, visitors, games, titles)
    check_folder(settings.visitors)

    async def run() -> int:
        return await Server(settings).serve_until_signal(functools.partial(_announce, titles))

    return asyncio.run(run())


def missing() -> GameError | None:
    """What keeps this machine from showing pages; None if nothing does."""
    if os.name != "posix":
        return GameError(
            "games in a browser need pseudo-terminals, and this system has none.",
            "Use Linux or macOS, or the Windows Subsystem for Linux.",
        )
    names = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    return MissingPackageError("games in a browser", ", ".join(names), "web") if names else None


def settings_for(
    address: Address, visitors: Visitors, games: tuple[str, ...] = (), titles: Sequence[str] = ()
) -> ServerSettings:
    """The settings of a server with pages."""
    from boardgames_cli.web.server import ServerSettings

    folder = (visitors.save_dir or data_folder() / "visitors").absolute()
    return ServerSettings(
        folder / "tables",
        address.host,
        address.port,
        proxy=address.proxy,
        visitors=folder,
        games=games,
        title=titles[0] if len(titles) == 1 else "boardgames",
        sessions=visitors.max_sessions,
        idle_seconds=visitors.idle * 60,
        redis=address.redis,
        ssh_port=address.ssh,
    )


@functools.cache
def server_of_menu(listen: str) -> Hosting:
    """The server of the tables that are opened in the menu; it runs until the program ends."""
    hosting = open_server(listen)
    atexit.register(hosting.stop)
    return hosting


def open_server(
    listen: str,
    save_dir: Path | None = None,
    title: str = "boardgames",
    cert: Path | None = None,
    key: Path | None = None,
) -> Hosting:
    """Serve tables that only this program opens, with pages for those who have a link."""
    from boardgames_cli.online.addresses import read_listen
    from boardgames_cli.online.server.lobby import OnlineSettings
    from boardgames_cli.online.server.table_server import Hosting, OnlineServer

    folder = (save_dir or data_folder()) / "tables"
    place = (*read_listen(listen),)
    options: dict[str, Any] = {"may_open": False, "certificate": cert, "key": key}
    if missing():
        return Hosting(lambda: OnlineServer(OnlineSettings(folder, *place, **options)))
    from boardgames_cli.web.server import Server, ServerSettings

    visitors = folder.absolute() / "visitors"
    settings = ServerSettings(folder, *place, visitors=visitors, title=title, **options)
    return Hosting(lambda: Server(settings))


def _announce(titles: Sequence[str], server: Server) -> None:
    place = server.address_for_others()
    say(f"Serving {', '.join(titles) or 'all games'} at http://{place}")
    if server.settings.ssh_port is not None:
        say(f"In a terminal: ssh -p {server.ssh_port} {place.host}")
    if place.is_here:
        say("Only this machine can reach it.")
    else:
        say("Anybody who can reach this address can play: there is no password, and what is")
        say("sent is not encrypted. Visitors can play and save; they can't run programs or")
        say("read files here, but they use this machine's processor and disk.")
    say(f"Visitors' games are saved in {server.settings.visitors}.")
    say("Ctrl+C stops it.")
    sys.stdout.flush()


make = command(
    serve,
    "serve",
    "serve senet",
    "serve --port 8080 --idle 10 --max-sessions 4",
    help="Let people play in their browsers.\n\nEach browser gets its own session and "
    "saves, and returns to them after a reload.",
)
