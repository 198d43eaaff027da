"""Play with a friend: open a table that others join, or join one."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.online.codes import ANYWHERE, ONLY_HERE
from boardgames_cli.session.seats import HUMAN, checked_name, with_names
from boardgames_cli.session.settings import Settings, remember_name
from boardgames_cli.storage.paths import SERVER_VARIABLE
from boardgames_cli.storage.preferences import PreferencesFile
from boardgames_cli.tui.screens.dialogs import Answer, ChoiceDialog, NameDialog
from boardgames_cli.tui.theme import Palette

if TYPE_CHECKING:
    from boardgames_cli.online.client.remote_session import RemoteSession
    from boardgames_cli.online.codes import TableAddress
    from boardgames_cli.online.messages import ClientMessage, ListedTable, Open
    from boardgames_cli.online.server.table_server import Hosting

_REFRESH_SECONDS: Final = 3.0
_ON_NETWORK: Final = "Open a table for friends on this network", "Open one for this machine only"
_AT_SERVER: Final = "Open a table", "Open one that is in no list"
_ALONE: Final = "Nobody has a table open here; yours is listed"

Seated = tuple["RemoteSession", "TableAddress | None"]
"""A session that has sat down, and where others join, if that is known."""


class FriendScreen(ChoiceDialog):
    """Opens a table of the chosen game, or joins one by its code.

    In a browser all tables are on the server that shows the page, and are listed. A link may have
    led to the code.
    """

    STAYS = True

    def __init__(
        self, game: AnyGame, settings: Settings, code: str = "", *, is_watching: bool = False
    ) -> None:
        self._code = code
        self._game = game
        self._settings = settings
        names = settings.preferences.names
        with contextlib.suppress(GameError):
            if settings.config_file is not None:  # what was typed here before is only there
                names = names or PreferencesFile(settings.config_file).read().names
        self._person = names[0] if names else ""
        self._tables: list[ListedTable] = []
        self._is_busy = False
        self._is_watching = is_watching
        told = [] if is_confined() else [f"On the command line: boardgames host {game.info.id}"]
        title = f"{game.info.name} with a friend"
        super().__init__(title, told, self._ways(), Palette(settings.theme))

    def on_mount(self) -> None:
        if is_confined():
            self._look_for_tables()
            self.set_interval(_REFRESH_SECONDS, self._look_for_tables)
        if self._code and self._is_watching:
            self._begin(lambda: join(self._code, ""))
        elif self._code:
            self._join(self._code)

    def action_close(self) -> None:
        """Go back to the screen below, or out of the program if there is none."""
        if len(self.app.screen_stack) > 2:  # the first is Textual's own
            super().action_close()
        else:
            self.app.exit(return_code=0)

    def _ways(self) -> list[Answer]:
        by_code: list[Answer] = [
            ("Join with the code on your friend's screen", self._ask_code),
            (f"Your name: {self._person or 'none'}", self._ask_name),
        ]
        if self._code:  # a link leads to its table alone
            return by_code
        for_all, for_few = _AT_SERVER if is_confined() else _ON_NETWORK
        return [
            (for_all, functools.partial(self._open, ANYWHERE)),
            (for_few, functools.partial(self._open, ONLY_HERE, is_private=True)),
            *by_code,
            *((table.label, functools.partial(self._sit_at, table)) for table in self._tables),
            *([(_ALONE, None)] if is_confined() and not self._tables else []),
        ]

    def _refresh(self) -> None:
        self.offer(self._ways(), ())
        self._fill()
        self._show()

    def _ask_name(self, then: Callable[[], None] = lambda: None) -> None:
        def follow(text: str | None) -> None:
            if text is None:
                if self._code:  # nothing else is behind a link
                    self.action_close()
                return
            try:
                self._person = checked_name(text)
                remember_name(self._settings, self._person)
            except GameError as error:
                self._failed(str(error))
                return
            self._refresh()
            then()

        hint = "enter takes it, esc goes back"
        self.app.push_screen(NameDialog("Your name", self._person, hint), follow)

    def _ask_code(self) -> None:
        def follow(text: str | None) -> None:
            if text:
                self._join(text)

        example = "KEGA-3F2P" if is_confined() else "192.0.2.7:7777/KEGA-3F2P"
        title = f"The code on your friend's screen, such as {example}"
        self.app.push_screen(NameDialog(title, self._code, "enter joins, esc goes back"), follow)

    def _join(self, code: str) -> None:
        self._connect(lambda: join(code, self._person))

    def _sit_at(self, table: ListedTable) -> None:
        if table.code:
            self._join(table.code)
        else:
            self._begin(lambda: join(table.watch, ""))

    def _open(self, listen: str, *, is_private: bool = False) -> None:
        def sit_down() -> Seated:
            from boardgames_cli.online.messages import Open

            game, options = self._game, option_values(self._game)
            (person,) = with_names([HUMAN], [self._person])
            seats = person, *["open"] * (game.seats - 1)
            opening = Open(game.info.id, options, seats, is_private=is_private)
            return at_server(opening) if is_confined() else self._host(opening, listen)

        self._connect(sit_down)

    def _host(self, opening: Open, listen: str) -> Seated:
        assert self._settings.open_server is not None, "visitors' tables are at their server"
        hosting: Hosting = self._settings.open_server(listen)
        table, _ = hosting.open(opening)
        session = hosting.sit_down(table, opening)
        assert session is not None, "a person opens it"
        return session, hosting.server.address_for_others(table.settings.code)

    def _connect(self, sit_down: Callable[[], Seated]) -> None:
        if self._person:
            self._begin(sit_down)
        else:
            self._ask_name(lambda: self._begin(sit_down))

    def _begin(self, sit_down: Callable[[], Seated]) -> None:
        if self._is_busy:
            return
        self._is_busy = True

        def work() -> None:
            try:
                self.from_thread(self._seated, sit_down())
            except GameError as error:
                self.from_thread(self._failed, str(error))
            except ImportError:
                missing = MissingPackageError("tables over a network", "aiohttp", "online")
                self.from_thread(self._failed, str(missing))

        threading.Thread(target=work, name="sitting down", daemon=True).start()

    def _failed(self, message: str) -> None:
        self._is_busy = False
        self.app.open_notice(message)

    def _seated(self, seated: Seated) -> None:
        from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

        self._is_busy = False
        session, address = seated
        self.app.push_screen(WaitingScreen(session, self._settings, address))

    def _look_for_tables(self) -> None:
        def work() -> None:
            from boardgames_cli.online.client.arrival import list_tables

            self.from_thread(self._list, list_tables(_server()[0]))

        if self.is_active:
            threading.Thread(target=work, name="list of tables", daemon=True).start()

    def _list(self, tables: list[ListedTable]) -> None:
        self._tables = tables
        self._refresh()


def _server() -> tuple[TableAddress, TableAddress]:
    from boardgames_cli.online.codes import read_address

    address = os.environ.get(SERVER_VARIABLE, "")
    if not address:
        raise GameError("there are no tables here.", "Its owner updates the server.")
    here, others, visitor = address.split(" ", 2)
    return read_address(here)._replace(visitor=visitor), read_address(others)


def at_server(first: ClientMessage) -> Seated:
    """Open, join or watch a table of the server that shows this page."""
    from boardgames_cli.online.client.arrival import KeptSeats, sit_down

    here, others = _server()
    session = sit_down(here, first, KeptSeats())
    return session, others._replace(code=session.welcome.code)


def join(text: str, name: str) -> Seated:
    """Take a seat; visitors can't reach other machines through a server."""
    from boardgames_cli.online.client.arrival import KeptSeats, sit_down
    from boardgames_cli.online.codes import read_address, read_code
    from boardgames_cli.online.messages import Join

    if is_confined():
        return at_server(Join(read_code(text.rpartition("/")[2]), name))
    address = read_address(text)
    return sit_down(address, Join(address.code, name), KeptSeats()), None
