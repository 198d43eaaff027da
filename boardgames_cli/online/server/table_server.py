"""The server of tables: websockets, limits, and the life of the process.

One asyncio process serves all tables; agents think in threads of a pool. `boardgames serve` adds
pages for browsers.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import ssl
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, web

from boardgames_cli.core.errors import GameError, SeatError, StorageError
from boardgames_cli.online.addresses import (
    FIRST_SECONDS,
    check_host,
    check_origin,
    close_silent,
    limit_connections,
    network_of,
    network_reason,
)
from boardgames_cli.online.codes import HANDED_ON, VISITOR_HEADER, new_token, read_pass
from boardgames_cli.online.messages import (
    LONGEST_MESSAGE,
    Act,
    Answer,
    ClientMessage,
    Contribute,
    Join,
    Leave,
    ListTables,
    MessageError,
    Open,
    Pong,
    Propose,
    Resign,
    Return,
    Say,
    Watch,
    read_client,
    write,
)
from boardgames_cli.online.server.guest_socket import Connection
from boardgames_cli.online.server.lobby import Lobby, LobbyLimits
from boardgames_cli.online.server.online_table import OnlineTable, TableServices
from boardgames_cli.session.agent_runner import ActRequest, ActResult
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.paths import log_error
from boardgames_cli.storage.store import Store

if TYPE_CHECKING:
    from boardgames_cli.online.server.shared_lobby import SharedLobby

ROUTE: Final = "/table"

_HEARTBEAT_SECONDS: Final = 15.0
_PING_SECONDS: Final = 20.0
_SECOND_PING_SECONDS: Final = 1.0
"""The second one tells the client the lag that the first one has measured."""
_SWEEP_SECONDS: Final = 60.0
_ALL_OBJECTS: Final = 2
"""The generation of the garbage collector that holds the oldest objects."""
_FEWEST_COLLECTIONS: Final = 30
"""How many collections of young objects come at least before one of all objects."""
_CLOSE_SECONDS: Final = 2.0
_BACKLOG: Final = 1024
_MOST_THREADS: Final = 4
_FREE_GUESSES: Final = 5
_GUESS_SECONDS: Final = 2.0
"""The pause after a wrong code, doubled with each further one."""
_LONGEST_GUESS_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """How a server listens, and how much it takes on."""

    folder: Path
    """Where tables and their saves are kept."""
    host: str = "127.0.0.1"
    port: int = 0
    """0 lets the system choose."""
    limits: LobbyLimits = field(default_factory=LobbyLimits)
    connections: int = 5000
    """The maximum number of connections."""
    connections_an_address: int = 200
    certificate: Path | None = None
    """The file of the certificate for TLS, with the chain."""
    key: Path | None = None


class OnlineServer:
    """Serves tables. Made and used in the thread of a running event loop.

    Args:
        settings: How it listens, and how much it takes on.
    """

    def __init__(self, settings: OnlineSettings) -> None:
        self.settings = settings
        self.secret = new_token()
        """Signs the passes of visitors; see `new_pass`."""
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(_MOST_THREADS, "agents")
        services = TableServices(self._loop, Store(settings.folder), self._think)
        self.lobby = Lobby(services, settings.limits)
        self.shared: SharedLobby | None = None
        """The other processes that share the lobby; None if there are none."""
        self._connections: set[Connection] = set()
        self._addresses: Counter[str] = Counter()
        self._guesses: dict[str, tuple[int, float]] = {}
        """The number of wrong codes from an address, and until when it must wait."""
        self._runner: web.AppRunner | None = None

    # -- life ------------------------------------------------------------------------------

    async def start(
        self,
        pages: web.Application | None = None,
        *,
        exempt: str = "",
        todo: str = "Choose another address with --listen.",
    ) -> int:
        """Restore tables, and listen.

        Args:
            pages: An application with pages for browsers; None has none.
            exempt: The address of a proxy, which may have any number of connections.
            todo: What to do about an address that can't be used.

        Returns:
            The port.

        Raises:
            GameError: The address or the certificate can't be used.
        """
        application = web.Application() if pages is None else pages
        application.add_routes([web.get(ROUTE, self.handle)])
        if pages is None:
            application.add_routes([web.get("/{rest:.*}", _tell_how)])
        self._runner = web.AppRunner(
            application, access_log=None, logger=_silent(), handle_signals=False
        )
        await self._runner.setup()
        host, port = self.settings.host, self.settings.port
        try:
            site = web.TCPSite(self._runner, host, port, ssl_context=self._tls(), backlog=_BACKLOG)
            await site.start()
        except (OSError, OverflowError) as error:
            await self._runner.cleanup()
            raise GameError(
                f"{host}, port {port}, can't be served ({network_reason(error)}).",
                todo,
            ) from error
        self._begin()
        limit_connections(self._runner, self.settings.connections_an_address, exempt=exempt)
        close_silent(self._runner, ())
        address = self._runner.addresses[0]
        return int(address[1])

    def _begin(self) -> None:
        """Restore tables, and begin the regular work."""
        raise_file_limit()
        self._loop.set_exception_handler(_log_failure)
        self.lobby.restore()
        self._loop.call_later(_SWEEP_SECONDS, self._sweep)
        _collect_rarely()

    async def stop(self) -> None:
        """Close all tables and connections; a server started again continues them."""
        self.lobby.close()
        await asyncio.sleep(0)
        closing = [connection.socket.close() for connection in self._connections]
        await asyncio.gather(*closing, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()
        if self.shared is not None:
            await self.shared.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def share_lobby(self, shared: SharedLobby) -> None:
        """Share the lobby with other processes.

        Raises:
            GameError: They can't be found.
        """
        self.shared = shared
        await shared.start()
        self.secret = shared.secret

    def _tls(self) -> ssl.SSLContext | None:
        if self.settings.certificate is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.settings.certificate, self.settings.key)
        except (OSError, ssl.SSLError) as error:
            raise GameError(
                f"the certificate {self.settings.certificate} can't be used ({reason_of(error)}).",
                "Give the certificate with its chain (--cert) and its private key (--key).",
            ) from error
        return context

    def _sweep(self) -> None:
        self.lobby.sweep()
        now = self._loop.time()
        self._guesses = {a: g for a, g in self._guesses.items() if g[1] > now}
        self._loop.call_later(_SWEEP_SECONDS, self._sweep)

    def _think(self, request: ActRequest, deliver: Callable[[ActResult], None]) -> None:
        def work() -> None:
            result = request.result()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(deliver, result)

        self._pool.submit(work)

    # -- connections -----------------------------------------------------------------------

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one client."""
        check_host(request, self.settings.host)
        check_origin(request)
        meant_for = request.headers.get(HANDED_ON)
        if meant_for is not None and (self.shared is None or self.shared.id != meant_for):
            raise web.HTTPMisdirectedRequest(text="Another process was here before this one.")
        # Sessions of visitors all come from this machine, and are told apart by their passes.
        visitor = read_pass(self.secret, request.headers.get(VISITOR_HEADER, ""))
        address = visitor or network_of(request.remote or "")
        if (
            len(self._connections) >= self.settings.connections
            or self._addresses[address] >= self.settings.connections_an_address
        ):
            raise web.HTTPServiceUnavailable(text="Too many connections. Try it later.")
        # No compression: it would mix secrets with what others choose.
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS,
            timeout=_CLOSE_SECONDS,
            max_msg_size=LONGEST_MESSAGE,
            compress=False,
        )
        if not socket.can_prepare(request):
            raise web.HTTPBadRequest(text="This address is for websockets: boardgames join ...")
        await socket.prepare(request)
        connection = Connection(socket, address, self._loop, lambda: _abort(request))
        connection.came_from_client = meant_for is None
        self._connections.add(connection)
        self._addresses[address] += 1
        writer = asyncio.create_task(connection.write())
        try:
            await self._listen(connection)
        finally:
            self._connections.discard(connection)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            if connection.table is not None:
                connection.table.drop(connection.guest)
            connection.is_lost = True
            connection._wake.set()
            await writer
        return socket

    async def _listen(self, connection: Connection) -> None:
        deadline = self._loop.time() + FIRST_SECONDS
        ping = self._loop.call_later(0.0, self._ping, connection, _SECOND_PING_SECONDS)
        try:
            while True:
                try:
                    async with asyncio.timeout_at(None if connection.has_sat else deadline):
                        message = await connection.socket.receive()
                except TimeoutError:
                    return
                if message.type is not WSMsgType.TEXT:
                    return
                if not await self._is_elsewhere(connection, message.data):
                    self._take(connection, message.data)
                await asyncio.sleep(connection.excess())
        finally:
            ping.cancel()

    async def _is_elsewhere(self, connection: Connection, text: str) -> bool:
        """Whether a message was for another process, which has got it."""
        if self.shared is None or connection.table is not None or not connection.came_from_client:
            return False
        return await self.shared.hand_on(connection, text)

    def _ping(self, connection: Connection, pause: float = _PING_SECONDS) -> None:
        if not connection.is_lost and not connection.is_handed_on:
            connection.ping()
            self._loop.call_later(pause, self._ping, connection)

    def _take(self, connection: Connection, text: str) -> None:
        """Do what a client wants; whatever is wrong is answered with ``refused``."""
        try:
            self._do(connection, read_client(text))
        except StorageError as error:  # its message may name files of the server
            _log(error)
            refusal = "the server can't save that, so nothing has changed."
            connection.send(write("refused", message=refusal, todo="Try it again later."))
        except GameError as error:
            connection.send(write("refused", message=error.message, todo=error.todo))
        except Exception as error:
            _log(error)
            connection.send(
                write("refused", message="the server failed.", todo="Its owner finds why.")
            )

    def _do(self, connection: Connection, message: ClientMessage) -> None:
        guest, table = connection.guest, connection.table
        match message:
            case Pong():
                connection.take_pong(message.number)
            case ListTables():
                elsewhere = [] if self.shared is None else self.shared.listed()
                connection.send(write("tables", tables=[*self.lobby.listed(), *elsewhere]))
            case Open() | Join() | Watch() | Return():
                if table is not None:
                    raise MessageError("you are at a table already.")
                connection.table = self._sit(connection, message)
                connection.has_sat = True
            case _ if table is None:
                raise MessageError("you are at no table yet.")
            case Contribute():
                table.contribute(guest, message.nonce)
            case Act():
                table.act(guest, message)
            case Say():
                table.say(guest, message.text)
            case Resign():
                table.resign(guest)
            case Propose():
                table.propose(guest, message)
            case Answer():
                table.answer(guest, message)
            case Leave():
                connection.table = None
                table.leave(guest)

    def _sit(self, connection: Connection, message: Open | Join | Watch | Return) -> OnlineTable:
        guest, lobby = connection.guest, self.lobby
        match message:
            case Open():
                return lobby.open(guest, message, address=connection.address)
            case Return():  # nobody guesses a token, and others at an address may try codes
                return lobby.come_back(guest, message)
        self._check_guesses(connection.address)
        try:
            if isinstance(message, Join):
                return lobby.join(guest, message)
            return lobby.watch(guest, message)
        except GameError:
            self._count_guess(connection.address)
            raise

    def _check_guesses(self, address: str) -> None:
        """Slow down who tries codes.

        Raises:
            SeatError: The address must wait.
        """
        count, until = self._guesses.get(address, (0, 0.0))
        wait = until - self._loop.time()
        if count > _FREE_GUESSES and wait > 0:
            raise SeatError(
                "there were too many wrong codes from you.",
                f"Wait {wait:.0f} seconds, and look at the code again.",
            )

    def _count_guess(self, address: str) -> None:
        count = 1 + self._guesses.get(address, (0, 0.0))[0]
        pause = _GUESS_SECONDS * 2 ** max(0, count - _FREE_GUESSES)
        self._guesses[address] = count, self._loop.time() + min(_LONGEST_GUESS_SECONDS, pause)


def raise_file_limit() -> None:
    """Let this process open as many files as the system allows: a table has two, a client one."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on Windows
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _collect_rarely() -> None:
    """Let this process collect garbage among all objects only when it has made twice as many.

    All tables wait meanwhile: 0.2 s of processor time at 1,000 tables, and by Python's own rule, a
    quarter as many, every few seconds.
    """
    gc.collect()
    gc.freeze()  # what is there at the start stays
    if _put_off not in gc.callbacks:
        gc.callbacks.append(_put_off)
        gc.set_threshold(*gc.get_threshold()[:2], _FEWEST_COLLECTIONS)


def _put_off(phase: str, info: Mapping[str, Any]) -> None:
    """After a collection among all objects, count how many there are, and put the next one off."""
    if phase == "stop" and info["generation"] == _ALL_OBJECTS:
        young, middle, _ = gc.get_threshold()
        twice = 2 * len(gc.get_objects()) // max(1, young * middle)
        gc.set_threshold(young, middle, max(_FEWEST_COLLECTIONS, twice))


def _silent() -> logging.Logger:
    """A silent logger for aiohttp's complaints about malformed requests."""
    logger = logging.getLogger("boardgames_cli.online")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _log(error: BaseException) -> None:
    with contextlib.suppress(OSError):  # a full disk
        log_error(error)


def _log_failure(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log what failed in a timer; nothing may be written to a terminal with a game in it."""
    del loop
    _log(context.get("exception") or RuntimeError(str(context.get("message"))))


async def _tell_how(request: web.Request) -> web.Response:
    """What a browser is shown by a server without pages."""
    del request
    return web.Response(
        text="This is a table of boardgames. Join it in a terminal: boardgames join HOST:PORT/CODE"
    )
