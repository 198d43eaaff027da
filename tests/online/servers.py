"""A server of tables in a thread, and people who play at them by rule."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgames_cli.online.client import arrival
from boardgames_cli.online.client.connection import POLL_SECONDS
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import TableAddress
from boardgames_cli.online.messages import ClientMessage, Join, Open
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.table_server import OnlineServer
from boardgames_cli.session.session import Event
from boardgames_cli.storage.store import Store

PATIENCE_SECONDS = 60.0


@dataclass
class Served:
    """A running server."""

    port: int
    server: OnlineServer
    loop: asyncio.AbstractEventLoop

    def address(self, code: str = "") -> TableAddress:
        return TableAddress("127.0.0.1", self.port, code)


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Served]:
    """Serve tables whose files are in a folder."""
    ready: threading.Event = threading.Event()
    found: list[Served] = []
    stop: list[asyncio.Event] = []

    async def serve() -> None:
        server = OnlineServer(OnlineSettings(folder, **settings))
        stop.append(asyncio.Event())
        found.append(Served(await server.start(), server, asyncio.get_running_loop()))
        ready.set()
        await stop[0].wait()
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    try:
        yield found[0]
    finally:
        found[0].loop.call_soon_threadsafe(stop[0].set)
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def sit_down(served: Served, first: ClientMessage) -> RemoteSession:
    """Sit down."""
    return arrival.sit_down(served.address(), first)


def arrive(served: Served, first: ClientMessage, saves: Path | None = None) -> RemoteSession:
    """Sit down, and wait until the game begins."""
    return begin(sit_down(served, first), saves)


def begin(session: RemoteSession, saves: Path | None = None) -> RemoteSession:
    """Wait until the game begins."""
    session.store = Store(saves) if saves else None
    while not session.has_begun:
        session.connection.wait(POLL_SECONDS)
        session.poll()
    return session


def play_at_random(session: RemoteSession, seed: int, most: int = 10_000) -> None:
    """Play a seat at random until the game is over."""
    rng = random.Random(seed)
    deadline = time.monotonic() + PATIENCE_SECONDS
    for _ in range(most):
        assert time.monotonic() < deadline, session.log.lines()[-5:]
        match session.next_event():
            case Event.OVER:
                return
            case Event.HUMAN:
                seat = session.humans[0]
                session.submit(seat, rng.choice(session.observe(seat).legal))
            case _:
                session.accept(session.request().result())


def both(*actions: Callable[[], object]) -> None:
    """Run several blocking things at once."""
    failures: list[BaseException] = []

    def run(action: Callable[[], object]) -> None:
        try:
            action()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE_SECONDS)
    if failures:
        raise failures[0]


def two_at(
    served: Served, saves: Path, game: str = "kuhn", **options: Any
) -> tuple[RemoteSession, RemoteSession]:
    """Two people at a table of a game."""
    fields: dict[str, Any] = {
        name: value for name, value in options.items() if name in Open.__dataclass_fields__
    }
    rest = {name: value for name, value in options.items() if name not in fields}
    seats = fields.pop("seats", ("human:Ann", "open"))
    opening = Open(game, rest, seats=seats, **fields)
    ann = sit_down(served, opening)
    ben = arrive(served, Join(ann.welcome.code, "Ben"), saves / "ben")
    return begin(ann, saves / "ann"), ben
