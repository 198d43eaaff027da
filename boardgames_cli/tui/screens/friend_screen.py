"""Play with a friend: open a table that others join, or join one."""

from __future__ import annotations

import functools
import os
import shlex
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Checkbox, Input, OptionList, Static

from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import chosen_words, option_values
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.text import Span
from boardgames_cli.session.seats import HUMAN
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.paths import SERVER_VARIABLE
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import Frame, KeyHint
from boardgames_cli.tui.widgets.picture import Sides

if TYPE_CHECKING:
    from boardgames_cli.online.client.remote_session import RemoteSession
    from boardgames_cli.online.codes import TableAddress
    from boardgames_cli.online.messages import ClientMessage, ListedTable, Open
    from boardgames_cli.online.server.table_server import Hosting

_HERE: Final = "127.0.0.1"
_ANYWHERE: Final = "0.0.0.0"  # noqa: S104  # asked for
_REFRESH_SECONDS: Final = 3.0

Seated = tuple["RemoteSession", "TableAddress | None"]
"""Whoever has sat down, and where others join, if that is known."""


class MarkedBox(Checkbox):
    """A checkbox that tells without colours, too, whether it is checked."""

    def render(self) -> Content:
        label = self.label.stylize_before(self.get_visual_style("toggle--label"))
        return Content(f"[{'x' if self.value else ' '}] ") + label


class FriendScreen(Frame):
    """Opens a table of the chosen game, or joins one by its address and code.

    In a browser all tables are on the server that shows the page, and are listed. A link may have
    led to the code.
    """

    AUTO_FOCUS = "#friend-name"
    HAS_COMMAND = True
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "friend",
        ("down", "app.focus_next", "field below", "down"),
        ("up", "app.focus_previous", "field above", "up"),
        ("ctrl+s", "start", "open the table, or join it", "start"),
        ("escape", "leave", "go back", "leave"),
    )

    def __init__(self, game: AnyGame, settings: Settings, code: str = "") -> None:
        super().__init__()
        self._code = code
        self._game = game
        self._settings = settings
        self._tables: list[ListedTable] = []
        self._is_busy = False

    def content(self) -> ComposeResult:
        names = self._settings.preferences.names
        with Vertical(id="friend"):
            yield Static("Your name")
            yield Input(names[0] if names else "", compact=True, id="friend-name")
            yield Static("To join: the code that your friend's screen shows", markup=False)
            example = "KEGA-3F2P" if is_confined() else "192.0.2.7:7777/KEGA-3F2P"
            hint = f"such as {example}; empty opens a table"
            yield Input(self._code, hint, compact=True, id="friend-code")
            yield Static("To open one: its clock")
            yield Input("", "such as 5m+3s; empty for none", compact=True, id="friend-clock")
            yield Static("To open one: seats of agents")
            yield Input("", "such as hard, or easy hard", compact=True, id="friend-agents")
            if is_confined():
                label = "it is in no list, and only those with its code find it"
                yield MarkedBox(label, compact=True, id="friend-private")
                yield Static("Tables here")
                yield OptionList(id="friend-tables")
            else:
                label = "others on this network may join, not only this machine"
                yield MarkedBox(label, compact=True, id="friend-network")

    def on_mount(self) -> None:
        if is_confined():
            self._look_for_tables()
            self.set_interval(_REFRESH_SECONDS, self._look_for_tables)

    def _typed(self, field: str) -> str:
        return self.query_one(f"#friend-{field}", Input).value.strip()

    @property
    def _listen(self) -> str:
        return _ANYWHERE if self.query_one("#friend-network", Checkbox).value else _HERE

    @property
    def command(self) -> str:
        name, code, clock = (self._typed(field) for field in ("name", "code", "clock"))
        if code:
            named = ["--name", name] if name else []
            return shlex.join(["boardgames", "join", code, *named])
        words = [
            "boardgames",
            "host",
            self._game.info.id,
            *chosen_words(self._game),
            "-s",
            _person(name),
        ]
        words += [word for agent in self._agents for word in ("-s", agent)]
        words += ["--clock", clock] if clock else []
        if not is_confined() and self._listen != _HERE:
            words += ["--listen", self._listen]
        return shlex.join(words)

    @property
    def _agents(self) -> tuple[str, ...]:
        return tuple(self._typed("agents").replace(",", " ").split())

    def title_bar(self) -> Sides:
        """The game that is opened; which one is joined, its table says."""
        what = "" if self._typed("code") else self._game.info.name
        return [Span("Play with a friend", "title"), Span(f"  {what}", "muted")], ()

    def command_bar(self) -> str:
        """The equivalent command line; a browser has none."""
        return "" if is_confined() else self.command

    def key_hints(self) -> Sequence[KeyHint]:
        what = "join" if self._typed("code") else "open a table"
        start, back = ("enter", what, "screen.start"), ("esc", "back", "screen.leave")
        return [start, ("↑↓", "field", "app.focus_next"), back]

    @on(Input.Changed)
    @on(Checkbox.Changed)
    def _changed(self) -> None:
        self.message = ""
        self.redraw()

    @on(Input.Submitted)
    def action_start(self) -> None:
        name, code, clock = (self._typed(field) for field in ("name", "code", "clock"))
        if code:
            self._connect(lambda: join(code, name))
            return
        opening = _opening(self._game, name, clock, self._agents)
        if is_confined():
            is_private = self.query_one("#friend-private", Checkbox).value
            self._connect(lambda: at_server(replace(opening, is_private=is_private)))
        else:
            self._connect(functools.partial(host, opening, self._settings, self._listen))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        table, name = self._tables[event.option_index], self._typed("name")
        self._connect(lambda: join(table.code or table.watch, name))

    def _connect(self, sit_down: Callable[[], Seated]) -> None:
        """Sit down in another thread, since a server may take its time."""
        if self._is_busy:
            return
        self._is_busy = True
        self.say("Connecting …")

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
        self.say(message)

    def _seated(self, seated: Seated) -> None:
        from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

        self._is_busy = False
        self.message = ""
        session, address = seated
        self.app.push_screen(WaitingScreen(session, self._settings, address))

    def _look_for_tables(self) -> None:
        def work() -> None:
            from boardgames_cli.online.client.arrival import list_tables

            self.from_thread(self._list, list_tables(_server()[0]))

        if self.is_active:
            threading.Thread(target=work, name="list of tables", daemon=True).start()

    def _list(self, tables: list[ListedTable]) -> None:
        if tables == self._tables:
            return
        self._tables = tables
        shown = self.query_one(OptionList)
        shown.clear_options()
        shown.add_options([table.label for table in tables])
        shown.highlighted = 0 if tables else None


def _person(name: str) -> str:
    return f"{HUMAN}:name={name}" if name else HUMAN


def _server() -> tuple[TableAddress, TableAddress]:
    """The server that shows this page: where it is for this process, and for others."""
    from boardgames_cli.online.codes import read_address

    address = os.environ.get(SERVER_VARIABLE, "")
    if not address:
        raise GameError("there are no tables here.", "Its owner updates the server.")
    here, others, visitor = address.split(" ", 2)
    return read_address(here)._replace(visitor=visitor), read_address(others)


def at_server(first: ClientMessage) -> Seated:
    """Open, join or watch a table of the server that shows this page."""
    here, others = _server()
    session = _sit_down(here, first)
    return session, others._replace(code=session.welcome.code)


def _sit_down(address: TableAddress, first: ClientMessage) -> RemoteSession:
    from boardgames_cli.online.client.arrival import KeptSeats, sit_down

    return sit_down(address, first, KeptSeats())


def join(text: str, name: str) -> Seated:
    """Take a seat; visitors can't reach other machines through a server."""
    from boardgames_cli.online.codes import read_address, read_code
    from boardgames_cli.online.messages import Join

    if is_confined():
        return at_server(Join(read_code(text.rpartition("/")[2]), name))
    address = read_address(text)
    return _sit_down(address, Join(address.code, name)), None


def _opening(game: AnyGame, name: str, clock: str, agents: Sequence[str] = ()) -> Open:
    from boardgames_cli.online.messages import Open

    options = option_values(game)
    seats = (_person(name), *agents, *["open"] * (game.seats - 1 - len(agents)))
    return Open(game.info.id, options, seats, clock)


def host(opening: Open, settings: Settings, listen: str) -> Seated:
    """Open a table in this process, or again the one that was opened in the same way."""
    assert settings.open_server is not None, "visitors' tables are at their server"
    hosting: Hosting = settings.open_server(listen)
    table, _ = hosting.open(opening)
    session = hosting.sit_down(table, opening)
    assert session is not None, "a person opens it"
    return session, hosting.server.address_for_others(table.settings.code)
