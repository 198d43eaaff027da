"""The web server: pages, and a websocket for each browser's session."""

from __future__ import annotations

import asyncio
import contextlib
import html
import importlib.metadata
import importlib.util
import json
import signal
import string
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from boardgames_cli.core.errors import GameError, MissingPackageError, SeatError, install_command
from boardgames_cli.online.addresses import (
    FIRST_SECONDS,
    check_host,
    check_origin,
    network_of,
)
from boardgames_cli.online.codes import (
    AddressError,
    hash_secret,
    is_loopback,
    new_pass,
    read_code,
)
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.table_server import ROUTE, OnlineServer
from boardgames_cli.storage.paths import SERVER_VARIABLE, data_folder, note_error
from boardgames_cli.web.sessions import (
    Browser,
    ServedSession,
    Sessions,
    Size,
)
from boardgames_cli.web.visitors import (
    COOKIE,
    Visitor,
    is_own_token,
    signed_token,
    visitor_of,
)

if TYPE_CHECKING:
    from boardgames_cli.web.ssh import SshServer

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy, by which the browser refuses anything from other hosts. Inline
styles are allowed because the terminal uses them."""

_PACKAGE: Final = "textual_serve"
_TERMINAL_FILES: Final = {
    "terminal.js": "js/textual.js",
    "terminal.css": "css/xterm.css",
    "terminal.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
}
"""The files used from textual-serve, by the names under which they are served."""
_OUR_FILES: Final = ("page.css", "page.js", "favicon.svg")
_PAGE: Final = Path(__file__).parent / "page"


def static_files() -> Mapping[str, Path]:
    """All static files by name.

    Raises:
        GameError: The installed textual-serve has an unknown layout.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingPackageError("games in a browser", "textual-serve", "web")
    folder = Path(spec.origin).parent / "static"
    for path in _TERMINAL_FILES.values():
        if not (folder / path).is_file():
            version = importlib.metadata.version("textual-serve")
            raise GameError(
                f"textual-serve {version} has no {path}.",
                f"Install one that fits: {install_command('web')}",
            )
    found = {name: folder / path for name, path in _TERMINAL_FILES.items()}
    return found | {name: _PAGE / name for name in _OUR_FILES}


SILENT: Final = "Nothing came from this page. Load it again."
NO_COOKIE: Final = "This page needs its cookie. Allow cookies for this address, and load it again."

_LONGEST_MESSAGE: Final = 1 << 16
_MOST_CELLS: Final = 500
"""The maximum number of columns or rows of a terminal."""
_ENDS: Final = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR)
_HEARTBEAT_SECONDS: Final = 15.0
_CLOSE_SECONDS: Final = 2.0
_YEAR_SECONDS: Final = 365 * 24 * 3600

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class ServerSettings(OnlineSettings):
    """The settings of a server with pages.

    Where only its owner opens tables, visitors get no menu, and a link must lead to a table.
    """

    visitors: Path = field(kw_only=True)
    """The folder of the visitors' folders."""
    games: tuple[str, ...] = ()
    """The games in the menu; empty for all. A single one starts at once."""
    title: str = "boardgames"
    sessions: int = 10
    """The maximum number of concurrent sessions; of those of one address, half as many."""
    idle_seconds: float = 1800.0
    """The time after which an idle session ends."""
    redis: str = ""
    """The URL of the Redis server by which several processes share a lobby; empty for none."""
    ssh_port: int | None = None
    """Where visitors get in with ssh; None lets nobody."""


class Server(OnlineServer):
    """Serves pages, and the sessions behind them, besides tables."""

    has_pages = True
    settings: ServerSettings

    def __init__(self, settings: ServerSettings) -> None:
        super().__init__(settings)
        words = settings.games if settings.may_open else (*settings.games, "--no-menu")
        self.sessions = Sessions(words, self._variables, settings.sessions, settings.idle_seconds)
        self._files = static_files()
        self._ssh: SshServer | None = None
        self.ssh_port = 0
        """Where it listens for ssh clients."""

    async def start(self) -> int:
        port, chosen = await super().start(), self.settings
        if chosen.redis:
            from boardgames_cli.online.server.shared_lobby import SharedLobby, connect_redis

            place = self.address_for_others()
            self.shared = SharedLobby(connect_redis(chosen.redis), self.lobby, place)
            await self.shared.start()
            self.secret = self.shared.secret
        if chosen.ssh_port is not None:
            from boardgames_cli.web.ssh import SshServer, host_key

            self._ssh = SshServer(self.sessions, self._visitor)
            key = host_key(data_folder())
            self.ssh_port = await self._ssh.start(chosen.host, chosen.ssh_port, key)
        return port

    async def stop(self) -> None:
        """End all sessions, then the server."""
        await self.sessions.close()
        if self._ssh is not None:
            await self._ssh.stop()
        await super().stop()

    async def serve_until_signal(self, ready: Callable[[Server], None]) -> int:
        """Serve until SIGINT, SIGTERM or SIGHUP; a second signal kills the sessions.

        Returns:
            The exit code: 128 plus the number of the signal.
        """
        loop = asyncio.get_running_loop()
        stopped: asyncio.Future[int] = loop.create_future()

        def stop(number: int) -> None:
            if stopped.done():
                self.sessions.kill()
            else:
                stopped.set_result(number)

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in numbers:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, stop, number)
        try:
            await self.start()
            ready(self)
            return 128 + await stopped
        finally:
            await self.stop()
            for number in numbers:
                loop.remove_signal_handler(number)

    def _variables(self, visitor: Visitor) -> Mapping[str, str]:
        # Sessions run on this machine, wherever the server listens.
        places = f"{self.own_address} {self.address_for_others()}"
        return {SERVER_VARIABLE: f"{places} {new_pass(self.secret, visitor.id)}"}

    def _application(self) -> web.Application:
        application = web.Application(middlewares=[self._guard], client_max_size=_LONGEST_MESSAGE)
        application.add_routes(
            [
                web.get(ROUTE, self.handle),
                web.get("/", self._page),
                web.get("/favicon.ico", self._file),
                web.get("/terminal", self._play),
                web.get("/static/{name}", self._file),
                web.get("/{code:[A-Z2-9]{4}-[A-Z2-9]{4}}", self._page),  # a link to a table
            ]
        )
        application.on_response_prepare.append(_harden)
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            check_host(request, self.settings.host)
            return await handler(self._as_proxied(request))
        except web.HTTPException as error:
            text = error.text if error.status != web.HTTPNotFound.status_code else None
            return _message(error.status, text or "There is nothing at this address.")
        except GameError as error:
            return _message(web.HTTPInternalServerError.status_code, error.message)
        except ConnectionError:
            raise
        except Exception as error:
            note_error(error)
            return _message(500, "Internal server error. The owner finds the details in the log.")

    def _as_proxied(self, request: web.Request) -> web.Request:
        proxy = self.settings.proxy
        if not proxy or request.remote != proxy:
            return request
        # A client may send such headers itself; the proxy adds the last address.
        remote = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        scheme = request.headers.get("X-Forwarded-Proto", "").strip().lower()
        return request.clone(
            remote=remote or proxy,
            scheme="https" if scheme == "https" else request.scheme,
        )

    async def _page(self, request: web.Request) -> web.StreamResponse:
        token = self._token(request)
        response = _html("game.html", title=self.settings.title)
        if not token:
            # Not readable by scripts; foreign pages send it only with top-level links.
            response.set_cookie(
                COOKIE,
                signed_token(self._secret),
                max_age=_YEAR_SECONDS,
                httponly=True,
                samesite="Lax",
                secure=request.secure,
            )
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info.get("name", "favicon.svg")
        if name not in self._files:
            raise web.HTTPNotFound
        return web.FileResponse(self._files[name])

    @property
    def _secret(self) -> str:
        """What signs tokens; not what signs passes, or a token would be a pass."""
        return hash_secret(f"tokens {self.secret}")

    def _token(self, request: web.Request) -> str:
        token = request.cookies.get(COOKIE, "")
        return token if is_own_token(token, self._secret, self.settings.visitors) else ""

    def _visitor(self, token: str, remote: str) -> Visitor:
        address = "" if is_loopback(remote) else network_of(remote)
        return visitor_of(token, self.settings.visitors, address)

    def _check_link(self, visitor: Visitor, code: str) -> None:
        if self.settings.may_open or visitor.folder.is_dir():
            return
        if not code:
            raise SeatError(
                "this is the server of a table, and the link to it has a code.",
                "It ends with one such as /KEGA-3F2P.",
            )
        self.check_code(code, visitor.address)

    async def _play(self, request: web.Request) -> web.StreamResponse:
        check_origin(request)
        size = _read_size(request.query)
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT_SECONDS, timeout=_CLOSE_SECONDS, max_msg_size=_LONGEST_MESSAGE
        )
        if not socket.can_prepare(request):
            raise web.HTTPBadRequest(text="This address is for the page of this server.")
        await socket.prepare(request)
        browser = Browser(socket)
        token = self._token(request)
        if not token:
            await browser.cut_off(NO_COOKIE, WSCloseCode.POLICY_VIOLATION)
            return socket
        code = ""
        with contextlib.suppress(AddressError):
            code = read_code(request.query.get("table", ""))
        visitor = replace(
            self._visitor(token, request.remote or ""),
            is_calm="calm" in request.query,
            table=code,
            is_watching=self.lobby.is_for_spectators(code),
        )
        try:
            self._check_link(visitor, code)
            session = await self.sessions.open(visitor, size)
        except GameError as error:
            await browser.cut_off(str(error), WSCloseCode.TRY_AGAIN_LATER)
            return socket
        await session.attach(browser, size)
        try:
            await _listen(socket, session)
        except web.HTTPBadRequest as error:
            await browser.cut_off(error.text or "", WSCloseCode.INVALID_TEXT)
        except TimeoutError:
            await browser.cut_off(SILENT, WSCloseCode.POLICY_VIOLATION)
        finally:
            session.detach(browser)
        return socket


async def _listen(socket: web.WebSocketResponse, session: ServedSession) -> None:
    limit: float | None = FIRST_SECONDS
    while (message := await socket.receive(limit)).type not in _ENDS:
        if message.type is not WSMsgType.TEXT:
            raise web.HTTPBadRequest(text="Messages must be text.")
        await _take(message.data, session, socket)
        limit = None


async def _take(text: str, session: ServedSession, socket: web.WebSocketResponse) -> None:
    try:
        word, *rest = json.loads(text)
        if word == "stdin":
            session.take_input(rest[0].encode())
        elif word == "resize":
            session.resize(_read_size(rest[0]))
        elif word == "ping":
            await socket.send_json(["pong", str(rest[0])])
        # "focus" and "blur" also arrive through the terminal itself.
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise web.HTTPBadRequest(text="The message could not be understood.") from None


def _read_size(values: Mapping[str, Any]) -> Size:
    try:
        columns, rows = int(values["width"]), int(values["height"])
    except (KeyError, ValueError, TypeError, OverflowError):
        raise web.HTTPBadRequest(text="A terminal has a width and a height.") from None
    if not (1 <= columns <= _MOST_CELLS and 1 <= rows <= _MOST_CELLS):
        raise web.HTTPBadRequest(text=f"A terminal has 1 to {_MOST_CELLS} columns and rows.")
    return columns, rows


def _html(name: str, status: int = 200, **values: str) -> web.Response:
    template = string.Template((_PAGE / name).read_text(encoding="utf-8"))
    text = template.substitute({key: html.escape(value) for key, value in values.items()})
    return web.Response(text=text, status=status, content_type="text/html")


def _message(status: int, text: str) -> web.Response:
    return _html("message.html", status, title="boardgames", message=text)


async def _harden(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("Cache-Control", "no-cache")
