"""Several server processes with one lobby, which tell each other of their tables through Redis.

Every process publishes its tables, and that it is alive. Whoever asks one process for a table of
another is handed on to it: their messages are passed to the owner and back. A process that is not
heard of for ten seconds is dead: another one that has its folder opens its tables again, and until
then they are shown as away. It may only have hung: its files are replaced by copies, so that it
can't acknowledge anything any more when it wakes up, and lets go of the tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import aiohttp
from aiohttp import WSMsgType, web
from redis import RedisError
from redis.asyncio import Redis

from boardgames_cli.codec.derived import object_codec, read_entries
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.online.client.connection import LONGEST_ANSWER
from boardgames_cli.online.codes import (
    HANDED_ON,
    VISITOR_HEADER,
    AddressError,
    TableAddress,
    new_pass,
    new_token,
    read_code,
)
from boardgames_cli.online.messages import (
    ClientMessage,
    Join,
    ListedTable,
    MessageError,
    Return,
    read_client,
    write,
)
from boardgames_cli.online.server.lobby import Lobby, PublishedTable
from boardgames_cli.online.server.people import Guest
from boardgames_cli.storage.paths import note_error

ALIVE_SECONDS: Final = 10
"""A process that is not heard of for so long is dead."""

_ROOM: Final = "boardgames:"
_SECRET: Final = f"{_ROOM}secret"
_TABLES: Final = f"{_ROOM}tables"
_ALIVE: Final = f"{_ROOM}alive:"
_HEIR: Final = f"{_ROOM}heir:"
"""Which process opens the tables of a dead one."""
_LOOK_SECONDS: Final = 0.5
_KEPT_SECONDS: Final = 7 * 24 * 3600.0
"""How long the tables of a dead process are shown as away."""
_ANSWER_SECONDS: Final = 5.0
"""The time in which Redis or another process must answer."""

Socket = web.WebSocketResponse | aiohttp.ClientWebSocketResponse


@dataclass(slots=True)
class Process:
    """Another process of the cluster, as it was last heard of."""

    id: str
    place: str
    """Host and port."""
    seen: float
    """The time in seconds since 1970 when its tables last changed."""
    tables: tuple[PublishedTable, ...] = ()
    is_alive: bool = True


class SharedLobby:
    """The lobby of this process among those of the others."""

    def __init__(self, redis: Redis, lobby: Lobby, server: TableAddress) -> None:
        self.secret = ""
        """What signs the passes of visitors, the same in all processes."""
        self._redis = redis
        self._lobby = lobby
        self._place = server.server
        self.id = secrets.token_hex(8)
        """What the others call this process, which another may follow at the same place."""
        self._others: dict[str, Process] = {}
        self._heard_at = self._hears_since = 0.0
        """When Redis answered last, and since when without a long pause."""
        self._published: tuple[PublishedTable, ...] | None = None
        self._is_failing = False
        self._http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self._work: asyncio.Task[None] | None = None
        self._has_started = asyncio.Event()

    async def start(self) -> None:
        """Find the others, and tell them of this process."""
        try:
            await self._redis.set(_SECRET, new_token(), nx=True)
            self.secret = str(await self._redis.get(_SECRET))
            await self._exchange()
        except (RedisError, OSError) as error:
            await self.stop()
            raise GameError(
                f"Redis can't be used ({error}).", "Start it, or correct --redis URL."
            ) from error
        self._has_started.set()
        self._work = asyncio.create_task(self._keep_up())

    async def stop(self) -> None:
        """Leave the cluster: the tables of this process are away at once."""
        if self._work is not None:
            self._work.cancel()
            with contextlib.suppress(RedisError, OSError):
                await self._redis.delete(f"{_ALIVE}{self.id}")
        await self._http.close()
        await self._redis.aclose()

    async def _keep_up(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self._lobby.forget_taken()
            try:
                await self._exchange()
                self._is_failing = False
            except (RedisError, OSError) as error:
                if not self._is_failing:  # the tables of this process go on
                    self._is_failing = True
                    note_error(error)

    async def _exchange(self) -> None:
        await self._redis.set(f"{_ALIVE}{self.id}", "1", ex=ALIVE_SECONDS)
        published = await self._redis.hgetall(_TABLES)
        if published.pop(self.id, None) is None:
            self._published = None  # Redis has forgotten it
        await self._publish()
        names = [str(name) for name in published]
        alive = await self._redis.mget([f"{_ALIVE}{name}" for name in names]) if names else []
        self._others = {name: _read_process(name, str(published[name])) for name in names}
        for process, sign in zip(self._others.values(), alive, strict=True):
            # Who was at the place of this process is not there any more.
            process.is_alive = sign is not None and process.place != self._place
        dead = {name for name, process in self._others.items() if not process.is_alive}
        await self._forget_taken_over(dead)
        if self._is_judge():
            for name in dead & self._others.keys():
                await self._inherit(self._others[name])

    def _is_judge(self) -> bool:
        # After a pause of this machine or of Redis, all processes seem to be silent.
        now = time.time()
        if now - self._heard_at > ALIVE_SECONDS / 2:
            self._hears_since = now
        self._heard_at = now
        return now - self._hears_since >= ALIVE_SECONDS

    async def _inherit(self, process: Process) -> None:
        found = [one.id for one in process.tables if self._lobby.could_restore(one.id)]
        heir = f"{_HEIR}{process.id}"
        if found and await self._redis.set(heir, self.id, nx=True, ex=ALIVE_SECONDS):
            self._lobby.restore(found)
            await self._publish()  # every table has an owner at any time

    async def _publish(self) -> None:
        tables = tuple(self._lobby.published())
        if tables != self._published:
            own = _PROCESS.write(Process(self.id, self._place, time.time(), tables))
            await self._redis.hset(_TABLES, self.id, json.dumps(own))
            self._published = tables

    async def _forget_taken_over(self, dead: set[str]) -> None:
        owned = {table.id for process in self._living for table in process.tables}
        owned |= {table.settings.id for table in self._lobby}
        for name in dead:
            process = self._others[name]
            process.tables = tuple(one for one in process.tables if one.id not in owned)
            if not process.tables or time.time() - process.seen > _KEPT_SECONDS:
                del self._others[name]
                await self._redis.hdel(_TABLES, name)

    @property
    def _living(self) -> Iterator[Process]:
        return (process for process in self._others.values() if process.is_alive)

    def listed(self) -> list[ListedTable]:
        """The tables of the other processes that somebody can join or watch."""
        found = {
            table.id: table.listed
            if process.is_alive
            else replace(table.listed, code="", watch="", is_away=True)
            for process in sorted(self._others.values(), key=lambda one: one.seen)
            for table in process.tables
            if table.listed is not None and not self._lobby.has(table.id)
        }
        return [*found.values()]

    async def hand_on(self, guest: Guest, text: str) -> bool:
        """Pass a client's messages on to the process that has its table, until either ends.

        Returns:
            Whether that was for another process, alive or dead.
        """
        try:
            message = read_client(text)
        except MessageError:
            return False
        await self._has_started.wait()
        owner = await self._owner_of(message)
        if owner is None and not (self._is_failing and isinstance(message, Return)):
            return False
        is_passed = owner is not None and owner.is_alive and await self._pass_on(guest, owner, text)
        if is_passed or isinstance(message, Return):
            await guest.socket.close()  # a client with a seat comes back by itself
        else:
            away = "the server of this table is away."
            guest.send(write("refused", message=away, todo="Try it again later."))
        return True

    async def _owner_of(self, message: ClientMessage) -> Process | None:
        wanted = _wanted(message)
        if not wanted or self._lobby.has(wanted):
            return None
        owner = self._known_owner(wanted)
        if owner is None or not owner.is_alive:  # it may have been opened just now
            await asyncio.sleep(2 * _LOOK_SECONDS)
            owner = self._known_owner(wanted)
        return owner

    def _known_owner(self, wanted: str) -> Process | None:
        found = [
            process
            for process in self._others.values()
            if any(wanted in table.names for table in process.tables)
        ]
        return max(found, key=lambda process: (process.is_alive, process.seen), default=None)

    async def _pass_on(self, guest: Guest, owner: Process, text: str) -> bool:
        visitor = new_pass(self.secret, guest.address)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):  # it may hang
                there = await self._http.ws_connect(
                    f"http://{owner.place}/table",
                    headers={VISITOR_HEADER: visitor, HANDED_ON: owner.id},
                    heartbeat=float(ALIVE_SECONDS),
                    max_msg_size=LONGEST_ANSWER,
                    timeout=aiohttp.ClientWSTimeout(ws_close=_ANSWER_SECONDS),
                )
            await there.send_str(text)
        except (aiohttp.ClientError, OSError, TimeoutError):
            return False
        async with there:
            ways = [
                asyncio.create_task(pass_on(guest.socket, there, guest.excess)),
                asyncio.create_task(pass_on(there, guest.socket, lambda: 0.0)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
        return True


_PROCESS: Final = object_codec(Process, "id", "is_alive")
_READER: Final = JsonReader("", 64 << 20, StorageError)


def _read_process(name: str, text: str) -> Process:
    with contextlib.suppress(GameError):
        return read_entries(
            Process, _READER.parse(text, name), StorageError, id=name, is_alive=True
        )
    return Process(name, "", time.time())


def connect_redis(url: str) -> Redis:
    """The server at a URL."""
    try:
        found: Redis = Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=_ANSWER_SECONDS,
            socket_connect_timeout=_ANSWER_SECONDS,
        )
    except ValueError as error:
        raise GameError(
            f"that is not the address of a Redis server ({error}).",
            "Write redis://HOST:PORT, or rediss:// with TLS.",
        ) from error
    return found


def _wanted(message: ClientMessage) -> str:
    match message:
        case Join():
            with contextlib.suppress(AddressError):
                return read_code(message.code)
        case Return():
            return message.table
    return ""


async def pass_on(source: Socket, target: Socket, pause: Callable[[], float]) -> None:
    """Pass text messages on until either side ends."""
    with contextlib.suppress(ConnectionError, RuntimeError, aiohttp.ClientError):
        async for frame in source:
            if frame.type is not WSMsgType.TEXT:
                break
            await target.send_str(frame.data)
            await asyncio.sleep(pause())
