"""A client's connection as a server has it: what waits to be sent, and how fast it is read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from boardgames_cli.online.messages import write
from boardgames_cli.online.server.online_table import OnlineTable
from boardgames_cli.online.server.people import Guest

_MOST_UNSENT: Final = 1 << 20
_MOST_WAITING: Final = 10_000
"""A client that lets more bytes or messages than this wait is dropped."""
_BURST: Final = 200
_MESSAGES_A_SECOND: Final = 100.0
"""How fast a client is read; faster ones wait."""


@dataclass(eq=False, slots=True)
class Connection:
    """A websocket with the messages that wait to be sent."""

    socket: web.WebSocketResponse
    address: str
    """What limits apply to: a visitor of this server, or a network."""
    loop: asyncio.AbstractEventLoop
    abort: Callable[[], None]
    """Ends the connection at once, without a closing message."""
    guest: Guest = field(init=False)
    table: OnlineTable | None = None
    has_sat: bool = False
    """Whether it has been at a table."""
    _waiting: deque[str | Iterator[str]] = field(default_factory=deque)
    _size: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _pinged: tuple[int, float] = (0, 0.0)
    _allowance: float = _BURST
    _counted: float = 0.0
    came_from_client: bool = True
    """Whether no other process has handed it on."""
    is_handed_on: bool = False
    """Whether another process talks with the client."""
    is_lost: bool = False
    """Whether nothing can be sent any more."""

    def __post_init__(self) -> None:
        self.guest = Guest(self.send, self.abort)
        self._counted = self.loop.time()

    def send(self, message: str | Iterator[str]) -> None:
        """Queue a message, or messages that are made when the client takes them.

        A client that reads too slowly is dropped; one message may have any length.
        """
        if self.is_lost:
            return
        if self._size > _MOST_UNSENT or len(self._waiting) > _MOST_WAITING:
            self.is_lost = True
            self._waiting.clear()
            self.abort()
        else:
            self._waiting.append(message)
            self._size += len(message) if isinstance(message, str) else 0
        self._wake.set()

    async def write(self) -> None:
        """Send what is queued until the connection is lost."""
        while not self.is_lost:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                message = self._waiting.popleft()
                try:
                    if isinstance(message, str):
                        self._size -= len(message)
                        await self.socket.send_str(message)
                        continue
                    for text in message:
                        await self.socket.send_str(text)
                        await asyncio.sleep(0)  # a long history must not hold others up
                except (ConnectionError, RuntimeError):
                    self.is_lost = True
                    return
        await self.socket.close()

    def excess(self) -> float:
        """Count a message; the seconds to wait before the next one is read."""
        now = self.loop.time()
        grown = self._allowance + (now - self._counted) * _MESSAGES_A_SECOND
        self._allowance = min(_BURST, grown) - 1
        self._counted = now
        return max(0.0, -self._allowance / _MESSAGES_A_SECOND)

    def ping(self) -> None:
        """Ask for a ``pong``, to learn how slow the line is, and tell what is known of it."""
        self._pinged = self._pinged[0] + 1, self.loop.time()
        self.send(write("ping", number=self._pinged[0], lag=round(self.guest.lag, 3)))

    def take_pong(self, number: int) -> None:
        """Measure the line."""
        if number == self._pinged[0]:
            self.guest.lag = self.loop.time() - self._pinged[1]
