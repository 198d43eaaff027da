"""A client's connection to a table: it comes back by itself when the line drops.

A thread runs the websocket. Messages of the server wait in a queue until the front end takes them;
nothing is sent while the line is down, because only the server knows whether it would still be
right.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import random
import ssl
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import aiohttp

from boardgames_cli.core.errors import GameError
from boardgames_cli.online.addresses import network_reason
from boardgames_cli.online.codes import VISITOR_HEADER, TableAddress
from boardgames_cli.online.messages import (
    ClientMessage,
    MessageError,
    Return,
    read_object,
    text_of,
    write_client,
)

_Socket = aiohttp.ClientWebSocketResponse

LONGEST_ANSWER: Final = 8 << 20
"""The maximum length of a server's message in bytes; the record of a long game is the longest."""
POLL_SECONDS: Final = 0.2
"""How long a wait for news lasts, after which it is looked whether it is wanted still."""
_CONNECT_SECONDS: Final = 10.0
_HEARTBEAT_SECONDS: Final = 15.0
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 15.0
_LOOK_AGAIN: Final = "Look at the address again, or try it later."
_GIVE_UP_TRIES: Final = 200
"""Attempts to come back, for about 45 minutes."""


class ConnectionFailed(GameError):
    """No table could be reached, or it was lost for good."""


@dataclass
class TableConnection:
    """A connection to a table.

    Args:
        address: Where the server is.
        first: What to say first: join, open, watch or return.
    """

    address: TableAddress
    first: ClientMessage
    seat: Return = field(default_factory=lambda: Return("", ""))
    """How to come back."""
    is_up: bool = False
    """Whether the line is up, and the server has greeted this client."""
    _news: threading.Event = field(default_factory=threading.Event)
    _inbox: queue.SimpleQueue[Mapping[str, Any]] = field(default_factory=queue.SimpleQueue)
    _closed: threading.Event = field(default_factory=threading.Event)
    _loop: asyncio.AbstractEventLoop | None = None
    _socket: _Socket | None = None
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Connect in the background; what goes wrong arrives as a message ``lost``."""
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()

    def take(self) -> Mapping[str, Any] | None:
        """The next message of the server; None if none is waiting."""
        with contextlib.suppress(queue.Empty):
            return self._inbox.get_nowait()
        return None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to take; whether there is."""
        self._news.clear()
        return not self._inbox.empty() or self._news.wait(seconds)

    def send(self, message: ClientMessage) -> bool:
        """Send a message; False if the line is down, and nothing was sent."""
        return self.is_up and self._begin(lambda socket: self._send(socket, message))

    def fail(self, message: Mapping[str, Any]) -> NoReturn:
        """Give up, for the reason that a message says."""
        self.close()
        raise ConnectionFailed(text_of(message, "message"), text_of(message, "todo"))

    def close(self) -> None:
        """Close the connection. The seat is kept by the server."""
        self._closed.set()
        self._begin(_close)
        if self._thread is not None:
            self._thread.join(2.0)

    def _begin(self, work: Callable[[_Socket], Coroutine[Any, Any, None]]) -> bool:
        loop, socket = self._loop, self._socket
        if loop is None or socket is None:
            return False

        def begin() -> None:
            # A coroutine that is made while the loop ends would be left unawaited.
            if self._loop is loop:
                loop.create_task(work(socket))

        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(begin)
            return True
        return False

    def _run(self) -> None:
        try:
            asyncio.run(self._stay())
        except Exception as error:
            self._put({"type": "lost", "message": f"the connection failed ({error})."})
        finally:
            self.is_up = False

    async def _stay(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            await self._keep_up()
        finally:
            self._loop = None

    async def _keep_up(self) -> None:
        pause, tries = _FIRST_PAUSE, 0
        async with aiohttp.ClientSession() as session:
            while True:
                why = f"{self.address.server} has closed the connection.", _LOOK_AGAIN
                try:
                    await self._talk(session)
                except (aiohttp.ClientError, OSError, TimeoutError) as error:
                    why = self._why(error)
                if self._closed.is_set():
                    return
                if not self.seat.table:  # nobody to come back as
                    self._put({"type": "lost", "message": why[0], "todo": why[1]})
                    return
                if self.is_up:
                    pause, tries = _FIRST_PAUSE, 0
                    self._set_up(is_up=False)
                tries += 1
                if tries > _GIVE_UP_TRIES:
                    self._put({"type": "lost", "message": "the server can't be reached any more."})
                    return
                # With jitter, so that a restarted server is not hit by all clients at once.
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                pause = min(_LONGEST_PAUSE, 2 * pause)

    async def _talk(self, session: aiohttp.ClientSession) -> None:
        async with asyncio.timeout(_CONNECT_SECONDS):  # it may hang, or be no such server
            connected = await session.ws_connect(
                self.address._replace(code="table").link,
                headers={VISITOR_HEADER: self.address.visitor} if self.address.visitor else None,
                heartbeat=_HEARTBEAT_SECONDS,
                max_msg_size=LONGEST_ANSWER,
                # Nobody else answers on this machine, whose certificate has another name; and a
                # visitor's session was told by its own server where that is.
                ssl=not self.address.visitor and not self.address.is_here,
                timeout=aiohttp.ClientWSTimeout(ws_close=_CONNECT_SECONDS),
            )
        async with connected as socket:
            self._socket = socket
            if self._closed.is_set():
                return
            await self._send(socket, self.seat if self.seat.token else self.first)
            async for frame in socket:
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    break
                await self._hear(socket, frame.data)
                if self._closed.is_set():
                    break

    async def _hear(self, socket: _Socket, text: str) -> None:
        try:
            message = read_object(text)
        except MessageError:
            return  # the server is trusted as little as clients are
        match message:
            case {"type": "welcome", "table": str(table), "token": str(token)}:
                self.seat = Return(table, token)
                self._set_up(is_up=True)
            case {"type": "refused"} if not self.is_up:
                if self.seat.table and not self.seat.token:  # a spectator tries it again
                    await _close(socket)
                    return
                self._closed.set()
                message = {**message, "type": "lost"}
            case {"type": "closed"}:
                self._closed.set()
        self._put(message)

    @staticmethod
    async def _send(socket: _Socket, message: ClientMessage) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError, aiohttp.ClientError):
            await socket.send_str(write_client(message))

    def _set_up(self, *, is_up: bool) -> None:
        self.is_up = is_up
        self._put({"type": "line", "is_up": is_up})

    def _put(self, message: Mapping[str, Any]) -> None:
        self._inbox.put(message)
        self._news.set()

    def _why(self, error: Exception) -> tuple[str, str]:
        server = self.address.server
        match error:
            case aiohttp.ClientConnectorCertificateError() | ssl.SSLCertVerificationError():
                todo = "If it is its owner's own, name its file in SSL_CERT_FILE."
                return f"the certificate of {server} is not valid.", todo
            case aiohttp.ClientConnectorSSLError() | aiohttp.ClientSSLError():
                return f"{server} does not speak TLS.", "Leave https:// out."
            case aiohttp.ClientConnectorDNSError():
                return f'there is no machine "{self.address.host}".', "Look at the address again."
            case aiohttp.ClientConnectorError():
                reason = network_reason(error.os_error)
                return f"nobody answers at {server} ({reason}).", "Ask whether its host still runs."
            case aiohttp.WSServerHandshakeError():
                return f"{server} is no server of boardgames (status {error.status}).", _LOOK_AGAIN
            case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError():
                return f"{server} hangs up.", "If it uses TLS, write https:// before the address."
            case TimeoutError():
                return f"{server} does not answer.", _LOOK_AGAIN
        return f"{server} can't be reached ({error}).", _LOOK_AGAIN


async def _close(socket: _Socket) -> None:
    with contextlib.suppress(ConnectionError, RuntimeError):
        await socket.close()
