"""Sitting down at a table elsewhere, waiting for the game, and letting an agent play there."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.codec.derived import read_entries
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.text import Glyphs, counted
from boardgames_cli.online.client.connection import ConnectionFailed, TableConnection
from boardgames_cli.online.client.remote_session import RemoteSession, read_welcome
from boardgames_cli.online.codes import TableAddress
from boardgames_cli.online.fair_dice import new_secret
from boardgames_cli.online.messages import (
    AGENT_SECONDS,
    ClientMessage,
    Contribute,
    Join,
    ListedTable,
    ListTables,
    MessageError,
    Open,
    Return,
    TableState,
    Welcome,
    read_fields,
    text_of,
)
from boardgames_cli.registry import resolve_level
from boardgames_cli.session.driven_match import DrivenMatch
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Event
from boardgames_cli.storage.files import change_file
from boardgames_cli.storage.paths import data_folder
from boardgames_cli.storage.store import Store

_POLL_SECONDS: Final = 0.2
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
    """Host and port."""
    code: str
    """The code with which it was taken."""
    table: str
    token: str
    nonce: str
    """The number that this side adds to the dice."""
    name: str = ""
    """The name that was asked for: several people may sit at one table from one machine."""


class KeptSeats:
    """The file of seats."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = data_folder() / "seats.json" if path is None else path

    def find(self, server: str, code: str, name: str | None) -> KeptSeat | None:
        """The last seat that was taken with a code, under a name (None: any)."""
        content = _SEATS.read_bytes(self._path) if self._path.exists() else b""
        for seat in reversed(self._parsed(content)):
            if (seat.server, seat.code) == (server, code) and name in (None, seat.name):
                return seat
        return None

    def keep(self, seat: KeptSeat) -> None:
        """Add a seat; the oldest ones are dropped."""

        def add(content: bytes) -> bytes:
            seats = [one for one in self._parsed(content) if one != seat]
            kept = [*seats, seat][-_MOST_SEATS:]
            return f"{json.dumps([dataclasses.asdict(one) for one in kept])}\n".encode()

        change_file(self._path, _LARGEST_LIST, add)

    def _parsed(self, content: bytes) -> list[KeptSeat]:
        subject = _SEATS.subject(self._path)
        text = _SEATS.decode(content, subject)

        def wrong(key: str) -> StorageError:
            return StorageError(f'{subject} is damaged: "{key}" is missing or wrong.', _REMEDY)

        listed: Any = _SEATS.parse(text, subject) if text else []
        if not isinstance(listed, list):
            raise StorageError(f"{subject} is damaged: it is not a list.", _REMEDY)
        return [read_entries(KeptSeat, _SEATS.check_object(one, subject), wrong) for one in listed]


class Arrival:
    """A client that sits down.

    Args:
        address: Where the server is.
        first: What it wants: to open, join or watch a table.
        kept: The seats of this machine; None neither uses nor keeps any.
        is_checked: Whether the certificate of an encrypted connection must be valid.
        waiting: Lets a signal end the wait.
    """

    def __init__(
        self,
        address: TableAddress,
        first: ClientMessage,
        kept: KeptSeats | None = None,
        *,
        is_checked: bool = True,
        waiting: Waiting = nullcontext,
    ) -> None:
        self.address = address
        self._waiting = waiting
        self._nonce = new_secret()
        self.table = TableState()
        """What the server said last about the table."""
        code, name = _asked(first)
        person = None if address.visitor else name  # a visitor of a server is one person
        known = kept.find(address.server, code, person) if kept is not None and code else None
        if known is not None:
            first, self._nonce = Return(known.table, known.token), known.nonce
        elif isinstance(first, Open | Join):
            first = replace(first, contributes=True)
        self.connection = TableConnection(address, first, is_checked)
        self.is_back = known is not None
        """Whether a seat that was taken before is used again."""
        self.connection.start()
        self.welcome = self._wait_for_welcome()
        self._contribute()
        seat = self.connection.seat
        if kept is not None and seat.token and known is None:
            code = code or self.welcome.code  # whoever opens a table learns it now
            kept.keep(KeptSeat(address.server, code, seat.table, seat.token, self._nonce, name))

    def _contribute(self) -> None:
        if self.connection.seat.token:
            self.connection.send(Contribute(self._nonce))

    def wait(
        self, tell: Callable[[str], None], store: Store | None, glyphs: Glyphs = Glyphs.ASCII
    ) -> RemoteSession:
        """Wait until the game begins.

        Args:
            tell: Called with a sentence whenever somebody comes, goes or says something.
            store: Where the finished game is kept; None keeps nothing.
            glyphs: Which characters views may use.
        """
        while (session := self.poll(tell, store, glyphs)) is None:
            self._wait_for_news()
        return session

    def poll(
        self, tell: Callable[[str], None], store: Store | None, glyphs: Glyphs = Glyphs.ASCII
    ) -> RemoteSession | None:
        """Take what has arrived; see `wait`.

        Returns:
            The session, once the game has begun; the rest is for it to take.
        """
        while (message := self.connection.take()) is not None:
            match message["type"]:
                case "hello":
                    return RemoteSession(
                        self.connection, self.welcome, message, store, self._nonce, glyphs
                    )
                case "welcome":
                    self._contribute()  # the connection was lost meanwhile
                case "table":
                    self._tell_changes(read_fields(TableState, message), tell)
                case "said":
                    tell(f"{text_of(message, 'name')}: {text_of(message, 'text')}")
                case "line" if not message["is_up"]:
                    tell("The connection is down; it comes back by itself.")
                case "closed" | "lost" | "refused":
                    self._fail(message)
        return None

    def close(self) -> None:
        self.connection.close()

    def _wait_for_welcome(self) -> Welcome:
        while True:
            match self.connection.take():
                case None:
                    self._wait_for_news()
                case {"type": "welcome"} as message:
                    return read_welcome(message)
                case {"type": "refused" | "lost" | "closed"} as message:
                    self._fail(message)

    def _wait_for_news(self) -> None:
        with self._waiting():
            self.connection.wait(_POLL_SECONDS)

    def _fail(self, message: Mapping[str, Any]) -> NoReturn:
        self.connection.close()
        raise ConnectionFailed(text_of(message, "message"), text_of(message, "todo"))

    def _tell_changes(self, table: TableState, tell: Callable[[str], None]) -> None:
        before, self.table = self.table, table
        if table.state != "waiting" or (before.open, before.here) == (table.open, table.here):
            return
        here = [table.names[seat] for seat in table.here if seat < len(table.names)]
        missing, told = len(table.open), f"At the table: {', '.join(here) or 'nobody'}."
        verb = "is" if missing == 1 else "are"
        tell(f"{told} {counted(missing, 'seat')} {verb} open." if missing else told)


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
                connection.wait(_POLL_SECONDS)
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
