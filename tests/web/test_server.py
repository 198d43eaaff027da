"""The server, spoken to as a browser speaks, and as nobody should."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType

from boardgames_cli.online import addresses
from boardgames_cli.online.codes import new_token, read_pass
from boardgames_cli.online.messages import Open
from boardgames_cli.registry import make
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.web import server
from boardgames_cli.web.server import NO_COOKIE, SILENT, Server, ServerSettings
from boardgames_cli.web.sessions import ELSEWHERE, FAILED, IDLE, LEFT, STOPPED
from boardgames_cli.web.visitors import COOKIE, visitor_of
from tests.online.wire import holds
from tests.processes import is_alive
from tests.web.served import Served, begin_game, steps

PATIENCE = 60.0


@asynccontextmanager
async def serving(
    folder: Path,
    *games: str,
    most: int = 3,
    idle: float = 600,
    **tables: Any,
) -> AsyncIterator[Insider]:
    """A server in this process, whose sessions are processes as always."""
    settings = ServerSettings(
        folder / "tables",
        visitors=folder,
        games=games,
        sessions=most,
        idle_seconds=idle,
        **tables,
    )
    served = Server(settings)
    port = await served.start()
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
            yield Insider(client, f"http://127.0.0.1:{port}", served)
    finally:
        await served.stop()


class Guest:
    """Comes to a server without a browser."""

    def __init__(self, client: aiohttp.ClientSession, address: str) -> None:
        self.address = address
        self._client = client

    async def get(
        self, path: str = "/", token: str = "", method: str = "GET", **headers: str
    ) -> aiohttp.ClientResponse:
        if token:
            headers["Cookie"] = f"{COOKIE}={token}"
        response = await self._client.request(method, self.address + path, headers=headers)
        await response.read()
        return response

    async def connect(
        self,
        token: str,
        size: str = "width=100&height=30",
        *,
        is_silent: bool = False,
        **headers: str,
    ) -> Connection:
        cookie = {"Cookie": f"{COOKIE}={token}"} if token else {}
        socket = await self._client.ws_connect(
            f"{self.address}/terminal?{size}", headers={**cookie, **headers}
        )
        connection = Connection(socket)
        if not is_silent:
            await connection.send("ping", "0")  # as a page does
        return connection


class Insider(Guest):
    """Knows the server, too."""

    def __init__(self, client: aiohttp.ClientSession, address: str, server: Server) -> None:
        super().__init__(client, address)
        self.server = server

    def sit_down(self, *seats: str) -> tuple[str, Path]:
        """A visitor's token, and the save of a game that two people have begun."""
        return begin_game(self.server.settings.visitors, *seats)

    def process(self, token: str) -> int:
        visitor = visitor_of(token, self.server.settings.visitors)
        process = self.server.sessions._sessions[visitor.id]._process
        assert process is not None
        return process.pid


class Connection:
    """A websocket, and what came through it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.written = b""
        self.code: int | None = None
        self.reason = ""

    async def send(self, *message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def _receive(self) -> bool:
        message = await asyncio.wait_for(self.socket.receive(), PATIENCE)
        if message.type is WSMsgType.BINARY:
            self.written += message.data
        elif message.type is WSMsgType.CLOSE:
            self.code, self.reason = message.data, message.extra or ""
        return message.type in (WSMsgType.BINARY, WSMsgType.TEXT)

    async def wait_for(self, pattern: bytes) -> None:
        while not re.search(pattern, self.written):
            assert await self._receive(), (pattern, self.reason, self.written[-1000:])

    async def end(self) -> str:
        """Why the server has closed the connection."""
        while await self._receive():
            pass
        return self.reason


READY = rb"\d+>\d+"


# -- pages ---------------------------------------------------------------------------------------


async def test_pages_and_bad_requests_get_clear_answers(tmp_path: Path) -> None:
    async with serving(tmp_path) as guest:
        first = await guest.get()
        assert first.status == 200
        cookie = first.cookies[COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
        assert "default-src 'none'" in first.headers["Content-Security-Policy"]
        again = await guest.get(token=cookie.value)
        assert not cookie["secure"]
        as_pass = cookie.value.replace(".", " ")
        assert not read_pass(guest.server.secret, as_pass), "a token is no pass for tables"
        assert COOKIE not in again.cookies, "the browser is known"
        for made_up in ("no-token", new_token(), "a" * 43, f"{new_token()}.{'0' * 64}"):
            assert COOKIE in (await guest.get(token=made_up)).cookies
            assert await (await guest.connect(made_up)).end() == NO_COOKIE
        assert not guest.server.sessions, "a page alone starts nothing"
        assert list(tmp_path.iterdir()) == []

        text = await first.text()
        for path in re.findall(r'(?:src|href)="([^"]+)"', text):
            assert (await guest.get(f"/{path}")).status == 200
        for path in ("/nothing", "/static/", "/static/nothing", "/static/..%2f..%2fserver.py",
                     "/static/%2e%2e/%2e%2e/etc/passwd", "/download/x"):  # fmt: skip
            answer = await guest.get(path)
            assert answer.status == 404
            assert "There is nothing at this address." in await answer.text()
        assert (await guest.get(method="POST")).status == 405
        assert (await guest.get("/terminal?width=80&height=24")).status == 400
        for size in ("", "width=80", "width=a&height=2", "width=0&height=9", "width=9&height=501"):
            answer = await guest.get(f"/terminal?{size}")
            assert answer.status == 400
            assert "A terminal has" in await answer.text()


async def test_pages_of_strangers_stay_outside(tmp_path: Path) -> None:
    async with serving(tmp_path) as guest:
        assert (await guest.get(Host="evil.example")).status == 403
        for host in ("localhost", "127.0.0.1:80", "[::1]:8000"):
            assert (await guest.get(Host=host)).status == 200
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await guest.connect(new_token(), Origin="http://evil.example")
        connection = await guest.connect("", Origin=guest.address)
        assert await connection.end() == NO_COOKIE
        assert not guest.server.sessions


async def test_pages_of_a_host_are_for_those_with_the_link(tmp_path: Path) -> None:
    async with serving(tmp_path, "kuhn", may_open=False) as guest:
        table = guest.server.lobby.open(None, Open("kuhn", {}, ("open", "open")), "host kuhn")
        code = table.settings.code
        page = await guest.get(f"/{code}")
        assert page.status == 200
        token = page.cookies[COOKIE].value
        assert "link to it has a code" in await (await guest.connect(token)).end()
        size = "width=100&height=30"
        wrong = await guest.connect(token, f"{size}&table=KEGA-3F2P")
        assert "no table has this code" in await wrong.end()
        assert not guest.server.sessions
        connection = await guest.connect(token, f"{size}&table={code}")
        await connection.wait_for(rb"Your name")
        await connection.send("stdin", "\x1b")
        assert await connection.end() == LEFT, "there is no menu behind it"
        await (await guest.connect(token)).wait_for(rb"Your name")  # they were here

        stranger = (await guest.get()).cookies[COOKIE].value
        for _ in range(6):
            guess = await guest.connect(stranger, f"{size}&table=KEGA-3F2P")
            said = await guess.end()
        assert "too many wrong codes" in said


# -- sessions ------------------------------------------------------------------------------------


async def test_a_session_and_what_it_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_OWNER", "x")
    monkeypatch.setenv("NO_COLOR", "1")
    async with serving(tmp_path, "senet") as guest:
        token, save = guest.sit_down()
        first = await guest.connect(token)
        await first.wait_for(READY)
        pid = guest.process(token)
        environment = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
        names = {line.partition("=")[0] for line in environment}
        assert not names & {"A_SECRET_OF_THE_OWNER", "NO_COLOR", "BOARDGAMES_THEME", "USER"}
        assert Path(f"/proc/{pid}/cwd").readlink() == save.parents[1]
        assert f"HOME={save.parents[1]}" in environment
        assert save.parents[1].stat().st_mode & 0o777 == 0o700
        assert token not in str(save), "folders don't tell who may come in"

        # What makes no sense ends the connection, not the session.
        for text in ("", "[]", "{}", '["stdin"]', '["stdin", 3]', '["resize", {"width": 80}]',
                     '["resize", {"width": 1e999, "height": 5}]', "[" * 9000):  # fmt: skip
            odd = await guest.connect(token)
            await odd.socket.send_str(text)
            await odd.end()
            assert odd.code in (WSCloseCode.INVALID_TEXT, WSCloseCode.OK), text
            assert odd.reason
        assert await first.end() == ELSEWHERE
        back = await guest.connect(token)
        await back.wait_for(READY)
        assert guest.process(token) == pid
        await back.send("stdin", "1")
        await holds(lambda: '"0"' in save.read_text() or '"1"' in save.read_text())
        await back.send("stdin", "q")
        await back.wait_for(rb"Save and quit")
        await back.send("stdin", "1")
        assert await back.end() == LEFT
        assert not is_alive(pid)
        await holds(lambda: not guest.server.sessions)


async def test_too_many_visitors(tmp_path: Path) -> None:
    async with serving(tmp_path, "senet", most=1) as guest:
        (ann, ann_save), (ben, _) = guest.sit_down(), guest.sit_down()
        playing = await guest.connect(ann)
        await playing.wait_for(READY)
        refused = await guest.connect(ben)
        assert "All tables are taken (1)." in await refused.end()

        # Who has gone makes room.
        pid = guest.process(ann)
        await playing.socket.close()
        await holds(
            lambda: not guest.server.sessions._sessions[visitor_of(ann, tmp_path).id].is_watched
        )
        late = await guest.connect(ben)
        await late.wait_for(READY)
        assert not is_alive(pid)
        assert ann_save.read_text().endswith("\n")


async def test_who_does_nothing_is_sent_home_with_everything_saved(tmp_path: Path) -> None:
    async with serving(tmp_path, "senet", idle=0.0) as guest:
        token, save = guest.sit_down()
        connection = await guest.connect(token)
        assert await connection.end() == IDLE
        await holds(lambda: not guest.server.sessions)
        assert save.read_text().endswith("\n")


async def test_the_end_of_the_server_is_the_end_of_all_sessions(tmp_path: Path) -> None:
    async with serving(tmp_path, "kuhn", "senet") as guest:
        token, save = guest.sit_down()
        Store(save.parent).create(new_header(make("deepsea"), seed=7, seats=("human",) * 4)).close()
        menu = await guest.connect(token)
        await menu.wait_for(b" v ")
        for other in (b"TapnSwap", b"Deep"):
            assert other not in menu.written, "neither in the menu nor among the saves"
        # `c` opens the game of which the folder tells; the next session opens it by itself.
        await menu.send("stdin", "c")
        await menu.wait_for(READY)
        pid = guest.process(token)
        await guest.server.stop()
        assert await menu.end() == STOPPED
        assert not is_alive(pid)
        assert (save.parents[1] / "open-game").read_text() == save.stem
    async with serving(tmp_path, "kuhn", "senet") as guest:
        again = await guest.connect(token)
        await again.wait_for(READY)
        assert b"CONTINUE" not in again.written


async def test_a_session_that_fails_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, "nothing-of-the-kind") as guest:
        connection = await guest.connect((await guest.get()).cookies[COOKIE].value)
        assert await connection.end() == FAILED


async def test_sessions_of_a_server_that_is_killed_end_with_whole_saves(tmp_path: Path) -> None:
    with Served(tmp_path, "senet") as served:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
            guest = Guest(client, served.address)
            connection = await guest.connect((await guest.get()).cookies[COOKIE].value)
            await connection.wait_for(b"Welcome")
            sessions = served.children()
            assert sessions
            os.kill(served.pid, signal.SIGKILL)
            await holds(lambda: not [pid for pid in sessions if is_alive(pid)])
            assert len(served.saves()) == 1
            steps(served.saves()[0])


# -- what one address may have ------------------------------------------------------------------


async def test_the_proxy_is_believed_and_nobody_else(tmp_path: Path) -> None:
    said: dict[str, Any] = {"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}
    said["X-Forwarded-Proto"] = "https"
    async with serving(tmp_path, "senet") as guest:
        assert not (await guest.get(**said)).cookies[COOKIE]["secure"]
    async with serving(tmp_path, "senet", most=2, proxy="127.0.0.1") as guest:
        assert (await guest.get(**said)).cookies[COOKIE]["secure"]
        (ann, _), (ben, _) = guest.sit_down(), guest.sit_down()
        playing = await guest.connect(ann, **said)
        await playing.wait_for(READY)
        crowded = "There are 1 games from your address already."
        assert crowded in await (await guest.connect(ben, **said)).end()
        elsewhere: dict[str, Any] = {"X-Forwarded-For": "192.0.2.7, 203.0.113.9"}
        await (await guest.connect(ben, **elsewhere)).wait_for(READY)


async def test_a_server_for_all_lets_clients_of_its_tables_in(tmp_path: Path) -> None:
    async with serving(tmp_path, host="0.0.0.0") as guest:
        answer = await guest.get("/table", Host="games.example.org")
        assert "This address is for websockets" in await answer.text()


async def test_connections_of_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "is_loopback", lambda _: False)
    async with serving(tmp_path, connections_an_address=2) as guest:
        place = guest.address.removeprefix("http://").split(":")
        held = [await asyncio.open_connection(*place) for _ in range(2)]
        for _ in range(3):
            third, writer = await asyncio.open_connection(*place)
            with contextlib.suppress(ConnectionError):
                assert await third.read() == b""
            writer.close()
        held[0][1].close()
        await holds(lambda: len(guest.server._runner.server.connections) == 1)  # type: ignore[union-attr]
        reader, writer = await asyncio.open_connection(*place)
        writer.write(b"GET /static/page.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        for _, other in (*held, (reader, writer)):
            other.close()


async def test_a_silent_socket_gives_its_place_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "FIRST_SECONDS", 1.0)
    async with serving(tmp_path, "senet", most=1) as guest:
        (silent, _), (ben, _) = guest.sit_down(), guest.sit_down()
        connection = await guest.connect(silent, is_silent=True)
        assert await connection.end() == SILENT
        await (await guest.connect(ben)).wait_for(READY)


def test_what_is_compiled_for_a_visitor_is_there_for_the_next(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from boardgames_cli.algorithms.fast.jit import Compiler\n"
        "compiled = Compiler(Path(__file__))\n"
        "@compiled\n"
        "def twice(number):\n"
        "    return 2 * number\n"
        "print(bool(Compiler.cold), twice(4))\n"
    )
    told = []
    for token in ("ann", "ben"):
        visitor = visitor_of(token, tmp_path / "visitors")
        visitor.make_folder()
        words = [sys.executable, str(script)]
        ran = subprocess.run(words, env=visitor.environment(), capture_output=True, check=True)
        told.append(ran.stdout.decode().strip())
    assert told == ["True 8", "False 8"]
    assert (tmp_path / "visitors" / "cache").stat().st_mode & 0o777 == 0o700


# -- what visitors may not do --------------------------------------------------------------------


async def test_nothing_that_a_visitor_can_reach_runs_a_program(tmp_path: Path) -> None:
    command = f"cmd:sh -c 'touch {tmp_path}/ran'"
    async with serving(tmp_path / "visitors") as guest:
        token, _ = guest.sit_down("human", command)
        connection = await guest.connect(token)
        await connection.wait_for(b"You v")
        await connection.send("stdin", "c")
        await connection.wait_for(b"not for the browser")
        assert not (tmp_path / "ran").exists()
        assert b"Run it" not in connection.written
