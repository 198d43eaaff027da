"""A table on a server as the full screen and plain text show it."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import threading
import time
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from boardgames_cli import make
from boardgames_cli.cli.serve import server_of_menu
from boardgames_cli.core.text import Glyphs
from boardgames_cli.online.client import arrival
from boardgames_cli.online.client.arrival import list_tables
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import read_address
from boardgames_cli.online.messages import Join, Offer, Open
from boardgames_cli.online.server.table_server import OnlineServer
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.plain.line_mode import Left, PlainTable
from boardgames_cli.session.session import Event
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.effects import large_text
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, NameDialog
from boardgames_cli.tui.screens.friend_screen import FriendScreen, at_server, join
from boardgames_cli.tui.screens.table_dialogs import ResultScene
from boardgames_cli.tui.screens.waiting_screen import WaitingScreen
from tests.online.servers import (
    PATIENCE_SECONDS,
    arrive,
    cut,
    make_long_away,
    serving,
    sit_down,
    told,
    two_at,
    wait_until,
)
from tests.tui.tables import game_screen, my_turn, says, settings, shown, until


async def type_line(pilot: Pilot[None], text: str) -> None:
    await pilot.press("colon")
    for sign in text:
        await pilot.press("space" if sign == " " else sign)
    await pilot.press("enter")


async def answer(pilot: Pilot[None], app: BoardgamesApp, key: str) -> None:
    """Press a key of a dialog until it counts: one that comes too early was meant otherwise."""
    dialog = app.screen
    while app.screen is dialog:
        await pilot.press(key)
        await pilot.pause(0.02)


async def fill_in(pilot: Pilot[None], app: BoardgamesApp, text: str) -> None:
    await until(pilot, lambda: isinstance(app.screen, NameDialog))
    app.screen.query_one(Input).value = text
    await pilot.press("enter")


async def move_each(pilot: Pilot[None], app: BoardgamesApp, ben: RemoteSession) -> None:
    """A move of Ann's and one of Ben's, which he could ask to take back."""
    await my_turn(pilot, app)
    await pilot.press("1")
    wait_until(ben, lambda: ben.next_event() is Event.HUMAN)
    ben.submit(1, ben.observe(1).legal[0])
    wait_until(ben, lambda: ben.match.ply == 2)
    await my_turn(pilot, app)


def both_at(
    served: OnlineServer, folder: Path, game: str = "tapnswap", **options: Any
) -> tuple[RemoteSession, RemoteSession, BoardgamesApp]:
    ann, ben = two_at(served, folder, game, **options)
    return ann, ben, BoardgamesApp(ann, settings())


async def test_others_speak_and_offer_while_it_is_my_turn(tmp_path: Path) -> None:
    """An offer is a dialog that goes when it is void."""
    with serving(tmp_path / "server") as served:
        ann, ben, app = both_at(served, tmp_path)
        async with app.run_test(size=(80, 24)) as pilot:
            await move_each(pilot, app, ben)
            ben.talk("say", "good luck")
            await until(pilot, lambda: "Ben: good luck" in says(app, "#message"))
            await type_line(pilot, "say thanks")
            wait_until(ben, lambda: "Ann: thanks" in told(ben))
            await pilot.press("t", *"too", "enter")
            wait_until(ben, lambda: "Ann: too" in told(ben))
            await type_line(pilot, "mute")
            ben.talk("say", "hello again")
            ben.talk("offer", "undo")
            await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
            assert "hello again" not in told(ann)
            wait_until(ben, lambda: ben.table.offer is Offer.UNDO)
            ben.talk("decline", "")
            await until(pilot, lambda: app.screen is game_screen(app))
            ben.talk("offer", "undo")
            await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
            await answer(pilot, app, "escape")
            assert "take the last decision back. o answers" in says(app, "#news")
            await pilot.press("o")
            await answer(pilot, app, "1")
            wait_until(ben, lambda: ben.table.offer is None)
        ben.close()


async def test_after_a_rematch_the_screen_shows_the_new_game(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben, app = both_at(served, tmp_path)
        async with app.run_test(size=(60, 20)) as pilot:
            await move_each(pilot, app, ben)
            await pilot.press("R", "enter")
            assert app.screen is game_screen(app)
            await pilot.press("R", "2")
            await until(pilot, lambda: isinstance(app.screen, ResultScene))
            assert any("Ann gave up: Ben wins." in line for line in shown(app))
            await until(pilot, lambda: any("That moment" in line for line in shown(app)))
            await answer(pilot, app, "r")
            wait_until(ben, lambda: ben.table.offer is Offer.REMATCH)
            assert ben.company.question.startswith("Ann offers a rematch")
            ben.talk("agree", "")
            wait_until(ben, lambda: ben.next_event() is Event.HUMAN)
            assert ben.humans == (0,)
            ben.submit(0, ben.observe(0).legal[0])
            await until(pilot, lambda: (ann.humans, ann.match.ply) == ((1,), 1))
            screen = await my_turn(pilot, app)
            assert app.screen is screen
            assert screen.listed
        ben.close()


async def test_who_only_watched_is_offered_no_rematch(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        opening = Open("kuhn", {"hands": 1}, ("human:Ann", "hard"))
        ann = arrive(served, opening)
        app = BoardgamesApp(arrive(served, Join(ann.welcome.watch)), settings())
        async with app.run_test(size=(80, 24)) as pilot:
            ann.talk("resign", "")
            await until(pilot, lambda: isinstance(app.screen, ResultScene))
            await until(pilot, lambda: any("Review" in line for line in shown(app)))
            assert not any("Rematch" in line for line in shown(app))
        ann.close()


async def test_clocks_and_absence_run_on_between_messages(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben, app = both_at(served, tmp_path, clock="5m")
        async with app.run_test(size=(80, 24)) as pilot:
            await my_turn(pilot, app)
            await until(pilot, lambda: ">Ann 4:5" in says(app, "#news"))
            assert "Ben 5:00" in says(app, "#news")
            ben.close()
            await until(pilot, lambda: "Ben is away; 1:5" in says(app, "#news"))
            make_long_away(served, 1)
            sit_down(served, Join(ann.welcome.watch)).close()  # all are told how long it has been
            await until(pilot, lambda: "Ben stays away; o offers" in says(app, "#news"))
            await pilot.press("o", "3")
            await until(pilot, lambda: isinstance(app.screen, ResultScene))
            assert any("Ben stayed away: Ann wins." in line for line in shown(app))


async def test_while_the_line_is_down_moves_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben, app = both_at(served, tmp_path)
        async with app.run_test(size=(80, 24)) as pilot:
            await my_turn(pilot, app)
            await pilot.pause()
            cut(served)
            await until(pilot, lambda: not ann.connection.is_up)
            await pilot.press("1")
            assert ann.match.ply == 0
            assert not ann.match.is_whole
            await until(pilot, lambda: "After 120 seconds the others may claim" in told(ann))
            await until(pilot, lambda: ann.connection.is_up)
            await until(pilot, lambda: "up again" in told(ann))
            await pilot.press("1")
            await until(pilot, lambda: ann.match.ply == 1)
            await until(pilot, lambda: "waiting for Ben" in says(app, "#prompt"))
        ben.close()


class Typed:
    """Somebody who types lines whenever they like, at a terminal or into a pipe."""

    def __init__(self, session: RemoteSession, *, is_terminal: bool = True) -> None:
        self.out = io.StringIO()
        # A terminal's own end comes second, a pipe's first.
        ends = os.openpty() if is_terminal else os.pipe()[::-1]
        self.keys, source = ends[0], os.fdopen(ends[1], encoding="utf-8")
        interrupts = SignalWatch()
        console = Console(interrupts, source, self.out, self.out)
        table = PlainTable(session, settings(), console, interrupts)

        def play() -> None:
            with source, contextlib.suppress(EndOfInput, Left):
                table.play()

        self.thread = threading.Thread(target=play, daemon=True)
        self.thread.start()

    def type(self, text: str) -> None:
        os.write(self.keys, f"{text}\n".encode())

    def waits_for(self, text: str, count: int = 1) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.out.getvalue().count(text) < count:
            assert time.monotonic() < deadline, self.out.getvalue()
            time.sleep(0.01)

    def leave(self) -> str:
        """Leave the table; all that was shown."""
        self.type("q")
        self.thread.join(PATIENCE_SECONDS)
        assert not self.thread.is_alive(), self.out.getvalue()
        os.close(self.keys)
        return self.out.getvalue()


def test_plain_text_talks_and_agrees(tmp_path: Path) -> None:
    """Also what happens while a line is awaited is told, and the question asked again."""
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, "tapnswap")
        typed = Typed(ann, is_terminal=False)
        typed.waits_for("Ann> ")
        typed.type("say hello there")
        wait_until(ben, lambda: "Ann: hello there" in told(ben))
        ben.talk("say", "hi \x1b[2J\x07 Ann")
        typed.waits_for("Ben: hi [2J Ann\nAnn> ")
        cut(served)
        typed.waits_for("The connection is down")
        typed.waits_for("The connection is up again")
        typed.type("offer nonsense")
        typed.type("offer draw")
        typed.type("1")
        wait_until(ben, lambda: ben.next_event() is Event.HUMAN)
        ben.submit(1, ben.observe(1).legal[0])
        typed.type("1")
        wait_until(ben, lambda: ben.match.ply == 3)
        ben.talk("offer", "undo")
        typed.waits_for("Answer: agree or decline")
        typed.type("decline")  # while it is Ben's turn
        wait_until(ben, lambda: "Ann declines: undo." in told(ben))
        ben.talk("offer", "undo")
        typed.waits_for("Answer: agree or decline", 2)
        typed.type("agree")
        wait_until(ben, lambda: ben.table.offer is None)
        text = typed.leave()
        for line in (
            "Ann: hello there",
            '"nonsense" can\'t be offered.',
            '"draw" is gone since 0.3.',
            "Ben asks to take the last decision back. Answer: agree or decline.",
        ):
            assert line in text, text
        ben.close()


def test_a_rematch_is_told_once_and_before_its_steps(tmp_path: Path) -> None:
    begins = "Another game begins, with seats exchanged."
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, "kuhn", hands=1)
        typed = Typed(ann)
        for line in ("resign", "", "resign", "y"):
            typed.type(line)
        typed.waits_for("offer rematch plays again")
        typed.type("offer rematch")
        wait_until(ben, lambda: ben.table.offer is Offer.REMATCH)
        ben.talk("say", "gladly")
        ben.talk("agree", "")
        wait_until(ben, lambda: ben.next_event() is Event.HUMAN)
        ben.talk("resign", "")
        typed.waits_for("offer rematch plays again", 2)
        text = typed.leave()
        assert "goes on after step" not in text, text
        assert text.count(begins) == text.count("Ben: gladly") == 1, text
        assert text.count("Ann offers a rematch") == 1, text
        log = told(ben)
        assert log.index(begins) < log.index("Ben got the"), log
        ben.close()


def test_who_waits_speaks_and_an_undo_asks_anew(tmp_path: Path) -> None:
    """What was typed while nothing was asked answers no question."""
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, "tapnswap")
        typed = Typed(ben)
        typed.waits_for("Type ? for help.")
        typed.type("1")
        typed.waits_for('"1" was not played: nothing is asked now.')
        typed.type("say well?")
        wait_until(ann, lambda: "Ben: well?" in told(ann))
        ann.submit(0, ann.observe(0).legal[0])
        typed.waits_for("Ben> ")
        assert ben.match.ply == 1
        shown = typed.out.getvalue()
        question = shown[shown.rindex("Ann (seat 1)") :]
        typed.type("1")
        wait_until(ann, lambda: ann.match.ply == 2)
        ann.submit(0, ann.observe(0).legal[0])
        typed.waits_for("Ben> ", 2)
        typed.type("undo")
        wait_until(ann, lambda: ann.table.offer is Offer.UNDO)
        ann.answer(agrees=True)
        typed.waits_for("Ben took the last decision back.")
        typed.waits_for(question, 2)
        typed.leave()
        ann.close()


async def test_the_code_is_shown_large_until_the_game_begins(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann = sit_down(served, Open("kuhn", {}, ("human:Ann", "open")))
        screen = WaitingScreen(ann, settings())
        app = BoardgamesApp(None, settings(), only=screen)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: any("2: open" in line for line in shown(app)))
            code = ann.welcome.code
            text = "\n".join(shown(app))
            assert f"boardgames join 127.0.0.1:{served.port}/{code}" in text
            assert all(row in text for row in large_text(code, Glyphs.UNICODE))
            await pilot.press("c")
            assert app.clipboard == screen.join_line
            ben = arrive(served, Join(code, "Ben"))
            table_screen = await my_turn(pilot, app)
            assert table_screen.session.names == ("Ann", "Ben")
        ben.close()


async def test_a_friend_joins_from_the_menu_and_lists_tables_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann = sit_down(served, Open("kuhn", {}, ("human:Ann", "open")))
        (listed,) = list_tables(served.own_address)
        assert listed.label == "join: kuhn, Ann v open"
        assert (listed.code, listed.watch) == (ann.welcome.code, ann.welcome.watch)
        app = BoardgamesApp(None, settings())
        async with app.run_test(size=(80, 24)) as pilot:
            app.push_screen(FriendScreen(make("kuhn", hands=3), settings()))
            await until(pilot, lambda: isinstance(app.screen, FriendScreen))
            await pilot.press("3")
            await fill_in(pilot, app, str(served.address_for_others(listed.code)))
            await fill_in(pilot, app, "Ben")
            await until(pilot, lambda: app.session is not None)
            assert app.session is not None
            assert app.session.names == ("Ann", "Ben")
        ann.close()


@pytest.mark.usefixtures("clean_environment")
async def test_a_table_is_opened_from_the_menu() -> None:
    hosts = settings(open_server=lambda listen: server_of_menu(f"{listen}:0"))
    app = BoardgamesApp(None, hosts)
    async with app.run_test(size=(100, 24)) as pilot:
        app.push_screen(FriendScreen(make("deepsea", players=2), hosts))
        await until(pilot, lambda: isinstance(app.screen, FriendScreen))
        await pilot.press("4")
        await fill_in(pilot, app, "Ann")
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, WaitingScreen))
        waiting = cast("WaitingScreen", app.screen)
        address = read_address(waiting.join_line.split()[-1])
        assert address.link in "".join(shown(app))
        assert waiting.query_one("#sign").display is not address.is_here
        page = await asyncio.to_thread(urllib.request.urlopen, address.link)
        assert page.status == HTTPStatus.OK
        ben = arrival.sit_down(address, Join(address.code, "Ben"))
        await until(pilot, lambda: app.session is not None)
        assert app.session is not None
        assert app.session.names == ("Ann", "Ben")
        ben.close()
    server_of_menu("0.0.0.0:0").stop()
    server_of_menu.cache_clear()


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlineServer]:
    """The server on whose page a visitor plays, as the visitor's process knows it."""
    monkeypatch.setattr("boardgames_cli.tui.screens.friend_screen.is_confined", lambda: True)
    with serving(tmp_path / "server") as served:
        places = f"{served.own_address.server} 192.0.2.7:8000"
        monkeypatch.setenv("BOARDGAMES_SERVER", f"{places} ann 00")
        yield served


async def test_visitors_reach_only_tables_of_the_server(page: OnlineServer) -> None:
    ann, others = at_server(Open("kuhn", seats=("human:Ann", "open")))
    assert str(others) == f"192.0.2.7:8000/{ann.welcome.code}"
    ben, _ = join(f"192.0.2.1:9/{ann.welcome.code}", "Ben")
    assert ben.connection.address.server == page.own_address.server
    ann.close()
    ben.close()


async def test_a_table_that_was_opened_in_private_is_in_no_list(page: OnlineServer) -> None:
    app = BoardgamesApp(None, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(FriendScreen(make("kuhn"), settings()))
        await until(pilot, lambda: "Nobody has a table open here" in "".join(shown(app)))
        await pilot.press("2")
        await fill_in(pilot, app, "Ann")
        await until(pilot, lambda: isinstance(app.screen, WaitingScreen))
        assert list_tables(page.own_address) == []
        (table,) = page.lobby
        sit_down(page, Join(table.settings.code, "Ben")).close()


@pytest.mark.usefixtures("page")
async def test_a_link_for_spectators_whose_table_is_gone_says_so() -> None:
    linked = FriendScreen(make("kuhn"), settings(), "KEGA-3F2P", is_watching=True)
    app = BoardgamesApp(None, settings(), only=linked)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "no table has this code" in "".join(shown(app)))
        await pilot.press("escape", "escape")
    assert app.return_code == 0
