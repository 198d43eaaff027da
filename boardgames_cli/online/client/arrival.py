"""Sitting down at a table elsewhere, waiting for the game, and letting an agent play there."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.codec.derived import codec_of
from boardgames_cli.codec.fields import Codec
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import PositionError, StorageError
from boardgames_cli.online.client.connection import POLL_SECONDS, TableConnection
from boardgames_cli.online.client.remote_session import RemoteSession, read_welcome
from boardgames_cli.online.codes import TableAddress
from boardgames_cli.online.fair_dice import new_secret
from boardgames_cli.online.messages import (
    AGENT_SECONDS,
    ClientMessage,
    Join,
    ListedTable,
    ListTables,
    MessageError,
    Open,
    Return,
    Welcome,
    read_fields,
)
from boardgames_cli.registry import resolve_level
from boardgames_cli.session.driven_match import DrivenMatch
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Event
from boardgames_cli.storage.files import change_file
from boardgames_cli.storage.paths import data_folder

_LIST_SECONDS: Final = 5.0
_LARGEST_LIST: Final = 1_000_000
_MOST_SEATS: Final = 100
_REMEDY: Final = "Move it away: seats at tables that are still open are lost then."
_SEATS: Final = JsonReader("the list of seats", _LARGEST_LIST, StorageError, _REMEDY)

Waiting = Callable[[], AbstractContextManager[None]]
"""Returns a context in which a signal may end the wait."""


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """A seat at a table of a server."""

    server: str
    """Host and port; empty for a server in the same program, whose seat nobody else finds."""
    code: str
    """The code with which it was taken."""
    table: str
    token: str
    nonce: str
    """The number that this side adds to the dice."""
    name: str = ""
    """The name that was asked for: several people may sit at one table from one machine."""


_KEPT: Final[Codec[tuple[KeptSeat, ...]]] = codec_of(tuple[KeptSeat, ...])


class KeptSeats:
    """The file of seats."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = data_folder() / "seats.json" if path is None else path

    def find(self, server: str, code: str, name: str | None) -> KeptSeat | None:
        """The last seat that was taken with a code, under a name (None: any).

        A server that was started again may have another port.
        """
        content = _SEATS.read_bytes(self._path) if self._path.exists() else b""
        host = server.rpartition(":")[0]
        for seat in reversed(self._parsed(content)):
            is_there = (seat.server.rpartition(":")[0], seat.code) == (host, code)
            if is_there and name in (None, seat.name):
                return seat
        return None

    def keep(self, seat: KeptSeat) -> None:
        """Add a seat; the oldest ones are dropped."""

        def add(content: bytes) -> bytes:
            seats = [one for one in self._parsed(content) if one != seat]
            return json.dumps(_KEPT.write((*seats, seat)[-_MOST_SEATS:])).encode() + b"\n"

        change_file(self._path, _LARGEST_LIST, add)

    def _parsed(self, content: bytes) -> tuple[KeptSeat, ...]:
        subject = _SEATS.subject(self._path)
        text = _SEATS.decode(content, subject)
        try:
            return _KEPT.read(_SEATS.parse(text, subject) if text else [], "seats")
        except PositionError as error:
            raise StorageError(f"{subject} is damaged: {error.message}", _REMEDY) from None


def sit_down(
    address: TableAddress,
    first: ClientMessage,
    kept: KeptSeats | None = None,
    waiting: Waiting = nullcontext,
    *,
    is_own: bool = False,
) -> RemoteSession:
    """Take a place at a table, whose game may begin later.

    Args:
        address: Where the server is.
        first: What is wanted: to open, join or watch a table.
        kept: The seats of this machine; None neither uses nor keeps any.
        waiting: Lets a signal end the wait.
        is_own: Whether the server is in this program.

    Raises:
        ConnectionFailed: The server refuses, or can't be reached.
        GameError: It has another version.
    """
    code, name = _asked(first)
    person = None if address.visitor else name  # a visitor of a server is one person
    server, nonce = "" if is_own else address.server, new_secret()
    known = kept.find(server, code, person) if kept is not None and code else None
    if known is not None:
        first, nonce = Return(known.table, known.token), known.nonce
    elif isinstance(first, Open | Join):
        first = replace(first, contributes=True)
    connection = TableConnection(address, first)
    connection.start()
    try:
        welcome = _welcomed(connection, waiting)
    except BaseException:  # a signal, too
        connection.close()
        raise
    session = RemoteSession(connection, welcome, nonce, is_back=known is not None)
    seat = connection.seat
    if kept is not None and seat.token and known is None:
        code = code or welcome.code  # whoever opens a table learns it now
        kept.keep(KeptSeat(server, code, seat.table, seat.token, nonce, name))
    return session


def _welcomed(connection: TableConnection, waiting: Waiting) -> Welcome:
    while True:
        match connection.take():
            case None:
                with waiting():
                    connection.wait(POLL_SECONDS)
            case {"type": "welcome"} as message:
                return read_welcome(message)
            case {"type": "refused" | "lost" | "closed"} as message:
                connection.fail(message)


def _asked(first: ClientMessage) -> tuple[str, str]:
    match first:
        case Join(code, name):
            return code, name
        case Open(own_seat=(_, name)):
            return "", name
    return "", ""


def list_tables(address: TableAddress) -> list[ListedTable]:
    """The tables of a server that can be joined or watched; empty if it does not answer in time."""
    connection = TableConnection(address, ListTables())
    connection.start()
    ends = time.monotonic() + _LIST_SECONDS
    try:
        while time.monotonic() < ends:
            message = connection.take()
            if message is None:
                connection.wait(POLL_SECONDS)
            elif message["type"] == "lost":
                break
            elif message["type"] == "tables":
                return list(_listed(message.get("tables")))
    finally:
        connection.close()
    return []


def _listed(tables: Any) -> Iterator[ListedTable]:
    for table in tables if isinstance(tables, list) else ():
        with contextlib.suppress(MessageError):  # of another version
            yield read_fields(ListedTable, table if isinstance(table, dict) else {})


def play_bot(session: RemoteSession, spec: str, tell: Callable[[str], None]) -> None:
    """Let an agent play this side's seat until the game is over.

    It agrees to whatever the others offer, and stays for a rematch until the people at the table
    have left.

    Args:
        session: The table.
        spec: The agent, such as ``hard`` or ``cmd:python bot.py``.
        tell: Called with every new line of the log.
    """
    company = session.company
    while True:
        played = company.games
        _play_one(session, spec, tell)
        if company.games > played:  # the end came together with the next game
            tell(session.result_before)
        elif session.match.has_result:
            tell(session.snapshot().result)
        played = company.games
        while company.games == played:
            others = {*session.table.here} - {*session.table.bots, *session.humans}
            if company.is_gone or not others:
                return
            _take_news(session, tell)


def _play_one(session: RemoteSession, spec: str, tell: Callable[[str], None]) -> None:
    seat, game, number = session.humans[0], session.game, session.company.games
    agent = seat_agent(resolve_level(spec, session.spec), game, 0, seat, AGENT_SECONDS)
    prepare([agent])
    holders = list(session.holders)
    holders[seat] = SeatHolder(spec, session.names[seat], agent)
    driven = DrivenMatch(session.match, holders, Budget(AGENT_SECONDS), tell)
    try:
        while (event := session.next_event()) is not Event.OVER and session.company.games == number:
            if event is Event.HUMAN:
                session.submit(seat, driven.action_of(driven.request_of(seat).result()))
            _take_news(session, tell)
    finally:
        close([agent])


def _take_news(session: RemoteSession, tell: Callable[[str], None]) -> None:
    told, asked = len(session.log.lines()), session.company.question
    session.accept(session.request().result())
    for line in session.log.lines()[told:]:
        tell(line.text)
    if session.company.question not in ("", asked):
        session.answer(agrees=True)
