"""The server of tables: websockets, limits, and the life of the process.

One asyncio process serves all tables; agents think in threads of a pool. `boardgames_cli.web` adds
pages for browsers.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, web

from boardgames_cli.codec.derived import codec_of
from boardgames_cli.core.errors import GameError, SeatError, StorageError
from boardgames_cli.online.addresses import (
    FIRST_SECONDS,
    ConnectionLimit,
    check_host,
    check_origin,
    close_silent,
    network_of,
    network_reason,
    place_for_others,
    place_here,
)
from boardgames_cli.online.client.arrival import KeptSeats, Waiting, sit_down
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import (
    HANDED_ON,
    VISITOR_HEADER,
    TableAddress,
    WrongSecretError,
    new_token,
    read_pass,
)
from boardgames_cli.online.discovery import Announcement, announced
from boardgames_cli.online.messages import (
    LONGEST_MESSAGE,
    Act,
    Answer,
    ClientMessage,
    Contribute,
    Join,
    Leave,
    ListedTable,
    ListTables,
    MessageError,
    Open,
    Propose,
    Resign,
    Return,
    Say,
    read_client,
    write,
    write_client,
)
from boardgames_cli.online.server.lobby import Lobby, OnlineSettings
from boardgames_cli.online.server.online_table import OnlineTable
from boardgames_cli.online.server.people import Guest
from boardgames_cli.online.server.served_game import TableServices
from boardgames_cli.session.driven_match import ActRequest, ActResult
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.paths import note_error
from boardgames_cli.storage.store import Store

if TYPE_CHECKING:
    from boardgames_cli.online.server.shared_lobby import SharedLobby

ROUTE: Final = "/table"

_HEARTBEAT_SECONDS: Final = 15.0
_SWEEP_SECONDS: Final = 60.0
_YOUNG_COLLECTIONS: Final = 100
"""How many collections of young objects come before one of all objects, for which all tables wait:
0.2 s of processor time at 1,000 tables."""
_CLOSE_SECONDS: Final = 2.0
_BACKLOG: Final = 1024
_MOST_THREADS: Final = 4
_STOP_SECONDS: Final = 10.0
_FREE_GUESSES: Final = 5
_GUESS_SECONDS: Final = 2.0
"""The pause after a wrong code, doubled with each further one."""
_MOST_DOUBLED: Final = 8
"""How often it is doubled at most, to eight and a half minutes."""


class OnlineServer:
    """Serves tables. Made and used in the thread of a running event loop.

    Args:
        settings: How it listens, and how much it takes on.
    """

    has_pages = False
    """Whether it shows browsers a table at its address."""

    def __init__(self, settings: OnlineSettings) -> None:
        self.settings = settings
        self.port = settings.port
        self.secret = new_token()
        """Signs the passes of visitors; see `new_pass`."""
        self.loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(_MOST_THREADS, "agents")
        services = TableServices(
            self.loop, Store(settings.folder), self._think, has_pages=self.has_pages
        )
        self.lobby = Lobby(services, settings)
        self.shared: SharedLobby | None = None
        """The other processes that share the lobby; None if there are none."""
        self.guests: set[Guest] = set()
        self.limit = ConnectionLimit(
            settings.connections, settings.connections_an_address, settings.proxy
        )
        self._guesses: dict[str, tuple[int, float]] = {}
        """The number of wrong codes from an address, and until when it must wait."""
        self.announcement: Announcement | None = None
        """What lets others on the same network find it; None if they can't."""
        self._runner: web.AppRunner | None = None

    async def start(self) -> int:
        """Restore tables, and listen; return the port."""
        self._runner = web.AppRunner(
            self._application(), access_log=None, logger=_silent(), handle_signals=False
        )
        await self._runner.setup()
        try:
            await self._listen_at(self._runner, self._tls())
        except (OSError, OverflowError, UnicodeError) as error:
            await self._runner.cleanup()
            raise GameError(
                f"{self.settings.host}, port {self.settings.port}, can't be served "
                f"({network_reason(error)}).",
                "Choose another address or port.",
            ) from error
        self._begin()
        self.limit.watch(self._runner)
        close_silent(self._runner, ())
        self.port = int(self._runner.addresses[0][1])
        self.announcement = announced(self.address_for_others())
        return self.port

    def _application(self) -> web.Application:
        application = web.Application()
        application.add_routes([web.get(ROUTE, self.handle), web.get("/{rest:.*}", _tell_how)])
        return application

    async def _listen_at(self, runner: web.AppRunner, tls: ssl.SSLContext | None) -> None:
        host, first, last = self.settings.host, self.port, self.port + self.settings.ports - 1
        for port in range(first, last + 1):
            site = web.TCPSite(runner, host, port, ssl_context=tls, backlog=_BACKLOG)
            try:
                await site.start()
                return
            except OSError as error:
                if error.errno != errno.EADDRINUSE or port == last:
                    raise

    @property
    def own_address(self) -> TableAddress:
        return self._address(place_here(self.settings.host))

    def address_for_others(self, code: str = "") -> TableAddress:
        """Where others find the server, or a table."""
        return self._address(place_for_others(self.settings.host), code)

    def _address(self, host: str, code: str = "") -> TableAddress:
        return TableAddress(host, self.port, code, self.settings.certificate is not None)

    def _begin(self) -> None:
        raise_file_limit()
        self.loop.set_exception_handler(_log_failure)
        self.lobby.restore()
        self.loop.call_later(_SWEEP_SECONDS, self._sweep)
        gc.collect()
        gc.freeze()  # what is there at the start stays
        gc.set_threshold(*gc.get_threshold()[:2], _YOUNG_COLLECTIONS)

    async def stop(self) -> None:
        """Close all tables and connections; a server started again continues them."""
        self.lobby.close()
        await asyncio.sleep(0)
        closing = [guest.socket.close() for guest in self.guests]
        await asyncio.gather(*closing, return_exceptions=True)
        if self.announcement is not None:
            self.announcement.close()  # a program that ends has no pool of threads any more
        if self._runner is not None:
            await self._runner.cleanup()
        if self.shared is not None:
            await self.shared.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

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
        now = self.loop.time()
        self._guesses = {a: g for a, g in self._guesses.items() if g[1] > now}
        self.loop.call_later(_SWEEP_SECONDS, self._sweep)

    def _think(self, request: ActRequest, deliver: Callable[[ActResult], None]) -> None:
        def work() -> None:
            result = request.result()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self.loop.call_soon_threadsafe(deliver, result)

        self._pool.submit(work)

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
        with self.limit.holding(request, address):
            return await self._serve(request, address, came_from_client=meant_for is None)

    async def _serve(
        self, request: web.Request, address: str, *, came_from_client: bool
    ) -> web.StreamResponse:
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
        guest = Guest(socket, address, self.loop, lambda: _abort(request))
        guest.came_from_client = came_from_client
        self.guests.add(guest)
        writer = asyncio.create_task(guest.write())
        try:
            await self._listen(guest)
        finally:
            self.guests.discard(guest)
            self.lobby.drop(guest)
            guest.is_lost = True
            guest._wake.set()
            await writer
        return socket

    async def _listen(self, guest: Guest) -> None:
        deadline: float | None = None
        while True:
            if self.lobby.table_of(guest) is not None:
                deadline = None
            elif deadline is None:  # it is new, or has left
                deadline = self.loop.time() + FIRST_SECONDS
            try:
                async with asyncio.timeout_at(deadline):
                    message = await guest.socket.receive()
            except TimeoutError:
                return
            if message.type is not WSMsgType.TEXT:
                return
            if not await self._is_elsewhere(guest, message.data):
                self._take(guest, message.data)
            await asyncio.sleep(guest.excess())

    async def _is_elsewhere(self, guest: Guest, text: str) -> bool:
        if self.shared is None or not guest.came_from_client:
            return False
        if self.lobby.table_of(guest) is not None:
            return False
        return await self.shared.hand_on(guest, text)

    def _take(self, guest: Guest, text: str) -> None:
        try:
            self._do(guest, read_client(text))
        except StorageError as error:  # its message may name files of the server
            note_error(error)
            refusal = "the server can't save that, so nothing has changed."
            guest.send(write("refused", message=refusal, todo="Try it again later."))
        except GameError as error:
            guest.send(write("refused", message=error.message, todo=error.todo))
        except Exception as error:
            note_error(error)
            guest.send(write("refused", message="the server failed.", todo="Its owner finds why."))

    def _do(self, guest: Guest, message: ClientMessage) -> None:
        table = self.lobby.table_of(guest)
        match message:
            case ListTables():
                elsewhere = [] if self.shared is None else self.shared.listed()
                tables = (*self.lobby.listed(), *elsewhere)
                guest.send(write("tables", tables=codec_of(tuple[ListedTable, ...]).write(tables)))
            case Open() | Join() | Return() if table is not None:
                raise MessageError("you are at a table already.")
            case Open():
                self.lobby.open(guest, message, address=guest.address)
            case Return():  # nobody guesses a token, and others at an address may try codes
                self.lobby.come_back(guest, message)
            case Join():
                with self._guessing(guest.address):
                    self.lobby.join(guest, message)
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
                table.leave(guest)

    def check_code(self, code: str, address: str) -> None:
        """Refuse codes that let nobody in here, slowly if an address tries many."""
        with self._guessing(address):
            table = self.lobby.with_code(code)
        if not self.lobby.is_for_spectators(code):
            table.check_free()

    @contextlib.contextmanager
    def _guessing(self, address: str) -> Iterator[None]:
        count, until = self._guesses.get(address, (0, 0.0))
        wait = until - self.loop.time()
        if count > _FREE_GUESSES and wait > 0:
            raise SeatError(
                "there were too many wrong codes from you.",
                f"Wait {wait:.0f} seconds, and look at the code again.",
            )
        try:
            yield
        except WrongSecretError:
            doubled = min(max(0, count + 1 - _FREE_GUESSES), _MOST_DOUBLED)
            self._guesses[address] = count + 1, self.loop.time() + _GUESS_SECONDS * 2**doubled
            raise


class Hosting:
    """A server in a thread of this process, for whoever opens a table in their terminal."""

    def __init__(self, make: Callable[[], OnlineServer]) -> None:
        started: Future[OnlineServer] = Future()
        self._stopped = asyncio.Event()

        async def serve() -> None:
            try:
                server = make()
                await server.start()
            except BaseException as error:
                started.set_exception(error)
                return
            started.set_result(server)
            await self._stopped.wait()
            await server.stop()

        self._thread = threading.Thread(
            target=lambda: asyncio.run(serve()), name="tables", daemon=True
        )
        self._thread.start()
        self.server = started.result()
        """The server; what is not about its address must be done in its thread."""

    def open(self, message: Open) -> tuple[OnlineTable, bool]:
        """Open a table, or find the one that was opened in the same way and is not over.

        Returns:
            The table, and whether it was there.
        """
        opening, lobby = write_client(message), self.server.lobby

        async def find() -> tuple[OnlineTable, bool]:
            known = lobby.opened_by(opening)
            return (known, True) if known else (lobby.open(None, message, opening), False)

        return asyncio.run_coroutine_threadsafe(find(), self.server.loop).result()

    def sit_down(
        self, table: OnlineTable, message: Open, waiting: Waiting = nullcontext
    ) -> RemoteSession | None:
        """Take the seat of the person who opened a table; None if only others play."""
        if message.own_seat is None:
            return None
        seat, name = message.own_seat
        first = Join(table.settings.code, name, seat=seat)
        return sit_down(self.server.own_address, first, KeptSeats(), waiting, is_own=True)

    def stop(self) -> None:
        """Stop the server; its tables can be opened again."""
        if self._thread.is_alive():
            self.server.loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(_STOP_SECONDS)


def raise_file_limit() -> None:
    """Let this process open as many files as the system allows: a table has two, a client one."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on Windows
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _silent() -> logging.Logger:
    logger = logging.getLogger("boardgames_cli.online")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _log_failure(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    del loop
    note_error(context.get("exception") or RuntimeError(str(context.get("message"))))


async def _tell_how(request: web.Request) -> web.Response:
    del request
    return web.Response(
        text="This is a table of boardgames. Join it in a terminal: boardgames join HOST:PORT/CODE"
    )
