"""All tables of a server: opening, finding, restoring and giving them up."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import GameError, SeatError, StorageError
from boardgames_cli.online.codes import WrongSecretError, new_code, read_code
from boardgames_cli.online.fair_dice import new_secret
from boardgames_cli.online.messages import Join, ListedTable, Open, Return
from boardgames_cli.online.server.online_table import OPEN, OnlineTable
from boardgames_cli.online.server.people import Guest
from boardgames_cli.online.server.served_game import TableServices, holders_of
from boardgames_cli.online.server.table_file import (
    TableFile,
    TableSettings,
    open_tables,
    table_path,
)
from boardgames_cli.registry import make, spec_of
from boardgames_cli.session.seats import HUMAN
from boardgames_cli.session.settings import check_tick
from boardgames_cli.storage.paths import note_error

_ID_BYTES: Final = 8
_WAITING_SECONDS: Final = 24 * 3600.0
"""After this time without anybody at it a table without a game is given up."""
_CLIENTS_SECONDS: Final = 3600.0
"""The same for a table that a client has opened."""
_KEPT_SECONDS: Final = 7 * 24 * 3600.0
"""After this time without anybody at it a table is given up."""
_OVER_SECONDS: Final = 3600.0
"""After this time without anybody at it a table whose game is over is given up."""


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """How a server listens, and how much it takes on."""

    folder: Path
    """Where tables and their saves are kept."""
    host: str = "127.0.0.1"
    port: int = 0
    """0 lets the system choose."""
    ports: int = 1
    """How many are tried from there on, if others are in use."""
    tables: int = 1000
    """The maximum number of tables."""
    tables_an_address: int = 20
    """The maximum number of tables that clients of one address have opened."""
    may_open: bool = True
    """Whether clients may open tables, and see the codes of open ones; otherwise only the server's
    owner opens them, and gives the codes away."""
    connections: int = 5000
    """The maximum number of connections."""
    connections_an_address: int = 200
    certificate: Path | None = None
    """The file of the certificate for TLS, with the chain."""
    key: Path | None = None
    proxy: str = ""
    """The address of the reverse proxy that is believed about clients, and may have any number of
    connections; empty for none."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table as other processes of a cluster must know it."""

    id: str
    names: tuple[str, ...]
    """All that a client may call it: its id and codes."""
    listed: ListedTable | None
    """What is shown of it; None if it is in no list."""


class Lobby:
    """The tables of a server."""

    def __init__(self, services: TableServices, settings: OnlineSettings) -> None:
        self._settings = settings
        self._services = services
        self._tables: dict[str, OnlineTable] = {}
        """The tables by their ids and codes."""
        self._asked: dict[Guest, OnlineTable] = {}
        """The table at which a client wanted a place last; the table knows whether it has one."""

    def __iter__(self) -> Iterator[OnlineTable]:
        return iter(dict.fromkeys(self._tables.values()))

    def __len__(self) -> int:
        return len({*self._tables.values()})

    def restore(self, taken: Collection[str] | None = None) -> int:
        """Open the tables that an earlier server left.

        Args:
            taken: Those that a dead process of a cluster may still have locked; None opens all
                that no other process has.

        Returns:
            The number of tables of this server.
        """
        for file, record in open_tables(self._services.store.folder, taken):
            try:
                self._add(OnlineTable.restore(self._services, file, record))
            except (GameError, IndexError, KeyError) as error:
                file.close()
                note_error(error)
        return len(self)

    def open(
        self, guest: Guest | None, message: Open, opening: str = "", address: str = ""
    ) -> OnlineTable:
        """Open a table; whoever opens it gets the first seat of a person.

        Args:
            guest: Who opens it; None opens it without taking a seat.
            message: The table.
            opening: The words of the owner of the server; empty for clients, who may do less.
            address: Where the client is.
        """
        if not opening and not self._settings.may_open:
            raise SeatError("tables of this server are opened by its owner only.", "Join one.")
        opened = sum(table.opener == address for table in self) if address else 0
        if len(self) >= self._settings.tables or opened >= self._settings.tables_an_address:
            raise SeatError("this server has no room for another table.", "Try it later.")
        settings, secret = self._table_settings(message, opening), new_secret()
        file = TableFile.create(self._services.store.folder, settings, secret)
        table = OnlineTable(self._services, settings, file, secret)
        table.opener = address
        self._add(table)
        if guest is not None:
            self._asked[guest] = table
            try:
                if message.own_seat is None:
                    table.watch(guest, table.settings.code)
                else:
                    seat, name = message.own_seat
                    table.take_seat(guest, seat, Join("", name, message.contributes))
            except GameError:
                self.give_up(table)
                raise
        return table

    def _table_settings(self, message: Open, opening: str) -> TableSettings:
        game = make(message.game, **dict(message.options))
        # People's seats are open until they sit down.
        given = [OPEN if split_agent(x)[0] in (HUMAN, OPEN) else x for x in message.seats]
        seats = (*given, *[OPEN] * (game.seats - len(given)))
        if not opening:
            _check_levels(seats, list(spec_of(game).levels))
        if len(seats) != game.seats:
            raise SeatError(f"{game.info.name} has {game.seats} seats, not {len(seats)}.")
        holders_of(game, [spec if spec != OPEN else HUMAN for spec in seats])
        read_time_control(message.clock, message.move_time)
        try:
            tick = float(message.tick) if message.tick else None
        except ValueError:
            raise SeatError(f'a tick can\'t be "{message.tick}".', "Write the seconds.") from None
        if tick is not None:
            check_tick(game, tick)
        return TableSettings(
            id=secrets.token_hex(_ID_BYTES),
            game=message.game,
            options=message.options,
            seats=seats,
            code=new_code(),
            watch_code=new_code(),
            clock=message.clock,
            move_time=message.move_time,
            tick=tick,
            is_private=message.is_private,
            created=time.time(),
            opening=opening,
        )

    def table_of(self, guest: Guest) -> OnlineTable | None:
        """The table that a client is at now."""
        table = self._asked.get(guest)
        return table if table is not None and guest in table.people else None

    def drop(self, guest: Guest) -> None:
        table = self.table_of(guest)
        self._asked.pop(guest, None)
        if table is not None:
            table.drop(guest)

    def join(self, guest: Guest, message: Join) -> None:
        """Give a client an open seat of the table with a code, or let it watch there."""
        table = self._asked[guest] = self.with_code(message.code)
        if not self.is_for_spectators(read_code(message.code)):
            table.join(guest, message)
        elif message.is_bot:
            raise SeatError("this is the code for spectators.", "Ask for the one for players.")
        else:
            table.watch(guest)

    def come_back(self, guest: Guest, message: Return) -> None:
        table = self._tables.get(message.table)
        if table is None:
            raise SeatError("this table is not here any more.", "Join another one with a code.")
        self._asked[guest] = table
        table.come_back(guest, message)

    def opened_by(self, opening: str) -> OnlineTable | None:
        """The last table that the owner opened with some words, if its game is not over."""
        found = [t for t in self if t.settings.opening == opening and not t.is_over]
        # One at which a game goes on comes before a later one that nobody has joined.
        return max(reversed(found), key=lambda table: table.served is not None, default=None)

    def listed(self) -> list[ListedTable]:
        """The tables that somebody can join or watch, for a list of them.

        Their codes are in it only where everybody may join.
        """
        return [
            _summary(table, has_codes=self._settings.may_open)
            for table in self
            if not table.settings.is_private
        ]

    def published(self) -> Iterator[PublishedTable]:
        """All tables as other processes of a cluster must know them."""
        for table in filter(lambda one: one.is_own, self):  # who wakes up may not know it yet
            listed = None if table.settings.is_private else _summary(table)
            yield PublishedTable(table.settings.id, table.settings.names, listed)

    def could_restore(self, name: str) -> bool:
        """Whether a table that is not here has its file in the folder of this server."""
        return not self.has(name) and table_path(self._services.store.folder, name).exists()

    def forget_taken(self) -> None:
        """Let go of tables that another process has taken over; their clients look for it."""
        for table in self:
            if not table.is_own:
                self._forget(table)
                table.close()

    def has(self, name: str) -> bool:
        """Whether there is a table with an id or a code."""
        return name in self._tables

    def is_for_spectators(self, code: str) -> bool:
        """Whether a code lets spectators in to a table."""
        return code in self._tables and self._tables[code].settings.watch_code == code

    def sweep(self) -> None:
        """Give up tables that nobody will come back to; to be called regularly."""
        now = self._services.loop.time()
        for table in self:
            unused = _WAITING_SECONDS if table.settings.opening else _CLIENTS_SECONDS
            unfinished = unused if table.served is None else _KEPT_SECONDS
            longest = _OVER_SECONDS if table.is_over else unfinished
            if not [*table.people] and now - table.people.left_at > longest:
                with contextlib.suppress(StorageError):
                    self.give_up(table)

    def give_up(self, table: OnlineTable) -> None:
        """Close a table for good. The save of its game stays."""
        self._forget(table)
        table.discard()

    def close(self) -> None:
        """Close all tables; a server that is started again opens them."""
        for table in self:
            table.close("The server stops. Your seat is kept.")
        self._tables.clear()

    def with_code(self, text: str) -> OnlineTable:
        """The table that a code lets in to, as a player or as a spectator.

        Raises:
            WrongSecretError: No table has the code.
        """
        table = self._tables.get(read_code(text))
        if table is None:
            raise WrongSecretError(
                "no table has this code.", "Look at it again; codes end with their table."
            )
        return table

    def _add(self, table: OnlineTable) -> None:
        self._tables |= dict.fromkeys(table.settings.names, table)

    def _forget(self, table: OnlineTable) -> None:
        for name in table.settings.names:
            self._tables.pop(name, None)


def _summary(table: OnlineTable, *, has_codes: bool = True) -> ListedTable:
    return ListedTable(
        game=table.game.info.id,
        options=table.settings.options,
        names=tuple(table.name_of(seat) for seat in range(table.game.seats)),
        open=len(table.open_seats),
        clock=str(table.control),
        code=table.settings.code if has_codes and table.open_seats else "",
        watch=table.settings.watch_code if has_codes else "",
    )


def _check_levels(seats: Sequence[str], levels: Sequence[str]) -> None:
    for spec in seats:
        if spec != OPEN and spec not in levels:
            raise SeatError(
                f'"{spec}" can\'t sit at a table of another machine.',
                f"Choose {', '.join(levels)}, or join with it: boardgames join ... --agent {spec}",
            )
