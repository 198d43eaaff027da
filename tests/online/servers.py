"""A server of tables in a thread, and people who play at them by rule."""

from __future__ import annotations

import errno
import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.game import Seat
from boardgames_cli.online.client import arrival
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.messages import ClientMessage, Join, Open
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.people import AWAY_SECONDS
from boardgames_cli.online.server.table_server import Hosting, OnlineServer
from boardgames_cli.session.session import Event
from boardgames_cli.storage import files
from boardgames_cli.storage.store import Store

PATIENCE_SECONDS = 60.0


def hosting_in(folder: Path, **settings: Any) -> Hosting:
    """A server in a thread, as `boardgames host` has it."""
    return Hosting(lambda: OnlineServer(OnlineSettings(folder, **settings)))


def fill_disk(patch: pytest.MonkeyPatch, is_full: Callable[[bytes], bool]) -> None:
    """Let files find no space for the data of which this is so."""
    write = files.write_all

    def try_write(descriptor: int, data: bytes) -> None:
        if is_full(data):
            raise OSError(errno.ENOSPC, "No space left on device")
        write(descriptor, data)

    patch.setattr(files, "write_all", try_write)


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[OnlineServer]:
    """Serve tables whose files are in a folder."""
    hosting = hosting_in(folder, **settings)
    try:
        yield hosting.server
    finally:
        hosting.stop()


def sit_down(served: OnlineServer, first: ClientMessage) -> RemoteSession:
    return arrival.sit_down(served.own_address, first)


def arrive(served: OnlineServer, first: ClientMessage, saves: Path | None = None) -> RemoteSession:
    """Sit down, and wait until the game begins."""
    return begin(sit_down(served, first), saves)


def begin(session: RemoteSession, saves: Path | None = None) -> RemoteSession:
    session.store = Store(saves) if saves else None
    wait_until(session, lambda: session.has_begun)
    return session


def wait_until(session: RemoteSession, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, told(session)
        session.connection.wait(0.05)
        session.poll()


def all_reach(sessions: Iterable[RemoteSession], holds: Callable[[RemoteSession], bool]) -> None:
    """Take news until something is so for everybody."""
    for session in sessions:
        wait_until(session, partial(holds, session))


def told(session: RemoteSession) -> str:
    return "\n".join(line.text for line in session.log.lines())


def cut(served: OnlineServer) -> None:
    """Cut all lines without a word; clients come back by themselves."""
    for guest in [*served.guests]:
        served.loop.call_soon_threadsafe(guest.drop)


def make_long_away(served: OnlineServer, seat: Seat) -> None:
    """Let somebody be away for as long as the others must wait."""
    (table,) = served.lobby
    table.people.players[seat].away_since -= AWAY_SECONDS


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
    with ThreadPoolExecutor(len(actions)) as pool:
        for running in [pool.submit(action) for action in actions]:
            running.result(2 * PATIENCE_SECONDS)


def two_at(
    served: OnlineServer, saves: Path, game: str = "kuhn", **options: Any
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
