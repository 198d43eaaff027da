"""A server of tables in a thread of this process, for whoever opens a table in their terminal."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Final, TypeVar

from boardgames_cli.core.errors import GameError
from boardgames_cli.online.codes import DEFAULT_PORT, TableAddress
from boardgames_cli.online.messages import Open, write_client
from boardgames_cli.online.server.online_table import OnlineTable
from boardgames_cli.online.server.table_server import OnlineServer, OnlineSettings

T = TypeVar("T")

_STOP_SECONDS: Final = 10.0
_ANYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  # recognised, never a default
_NOWHERE: Final = ("192.0.2.1", "2001:db8::1")
"""Addresses for documentation; connecting a datagram socket to one sends nothing."""


class Hosting:
    """A running server.

    Args:
        settings: How it listens.

    Raises:
        GameError: The address can't be used.
    """

    def __init__(self, settings: OnlineSettings) -> None:
        self.settings = settings
        self.port = 0
        self._server: OnlineServer | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._problem: BaseException | None = None
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(started)), name="tables", daemon=True
        )
        self._thread.start()
        started.wait()
        if self._problem is not None:
            raise self._problem

    @property
    def own_address(self) -> TableAddress:
        """Where this process finds the server."""
        host = place_here(self.settings.host)
        return TableAddress(host, self.port, "", self.settings.certificate is not None)

    def address_for_others(self, code: str) -> TableAddress:
        """Where others find a table."""
        host = place_for_others(self.settings.host)
        return TableAddress(host, self.port, code, self.settings.certificate is not None)

    def open(self, message: Open) -> tuple[OnlineTable, bool]:
        """Open a table, or find the one that was opened in the same way and is not over.

        Returns:
            The table, and whether it was there.

        Raises:
            GameError: It can't be opened.
        """
        opening = write_client(message)

        def find(server: OnlineServer) -> tuple[OnlineTable, bool]:
            known = server.lobby.opened_by(opening)
            return (known, True) if known else (server.lobby.open(None, message, opening), False)

        return self.call(find)

    def call(self, work: Callable[[OnlineServer], T]) -> T:
        """Do something with the server in its own thread, and wait for the result."""
        assert self._loop is not None, "it runs"

        async def do() -> T:
            assert self._server is not None, "it runs"
            return work(self._server)

        return asyncio.run_coroutine_threadsafe(do(), self._loop).result()

    def stop(self) -> None:
        """Stop the server; its tables can be opened again."""
        if self._loop is not None and self._stopped is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(_STOP_SECONDS)

    async def _serve(self, started: threading.Event) -> None:
        try:
            self._loop = asyncio.get_running_loop()
            self._stopped = asyncio.Event()
            self._server = OnlineServer(self.settings)
            self.port = await self._server.start()
        except BaseException as error:
            self._problem = error
            started.set()
            return
        started.set()
        await self._stopped.wait()
        await self._server.stop()


def place_here(host: str) -> str:
    """The address by which this machine reaches what listens on an address."""
    own = "::1" if host == "::" else "127.0.0.1"
    return own if host in _ANYWHERE else host


def place_for_others(host: str) -> str:
    """The address by which other machines reach what listens on an address."""
    if host not in _ANYWHERE:
        return host
    is_newer = host == "::"  # then it listens to IPv6 only
    family = socket.AF_INET6 if is_newer else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_NOWHERE[is_newer], 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def read_listen(text: str) -> tuple[str, int]:
    """Read ``ADDRESS:PORT``, ``ADDRESS`` or ``:PORT``.

    Raises:
        GameError: It is neither.
    """
    host, separator, port = text.rpartition(":")
    if not separator or text.endswith("]"):
        host, port = text, str(DEFAULT_PORT)
    if not port.isdecimal() or int(port) >= 1 << 16:
        raise GameError(f'"{text}" is not an address to listen on.', "Write 0.0.0.0:7777.")
    return host.strip("[]") or "0.0.0.0", int(port)  # noqa: S104  # asked for
