"""Whole games between clients and a server, over real sockets."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import threading
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from boardgames_cli import make
from boardgames_cli.core.errors import GameError, IllegalActionError
from boardgames_cli.core.game import LOST, WON, read_ending
from boardgames_cli.core.record import read_lines
from boardgames_cli.evaluation.review_text import closing_review
from boardgames_cli.evaluation.reviewer import check_reviewable
from boardgames_cli.online import fair_dice
from boardgames_cli.online.addresses import read_listen
from boardgames_cli.online.client import arrival, connection
from boardgames_cli.online.client.arrival import KeptSeat, KeptSeats, play_bot
from boardgames_cli.online.client.connection import TableConnection
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import DEFAULT_PORT, TableAddress
from boardgames_cli.online.messages import (
    ClientMessage,
    Join,
    ListTables,
    Offer,
    Open,
    Return,
    Welcome,
    write_fields,
)
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.table_server import Hosting, OnlineServer
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.replay import replay_of
from boardgames_cli.session.session import Event
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.viewpoint import ALL_SEEING, is_secret
from boardgames_cli.storage.played_games import read_results, statistics
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.menu import outcome
from tests.online.servers import (
    all_reach,
    arrive,
    begin,
    both,
    cut,
    hosting_in,
    make_long_away,
    play_at_random,
    serving,
    sit_down,
    told,
    two_at,
    wait_until,
)
from tests.online.wire import room

GAMES = [
    ("kuhn", {"hands": 5}),
    ("senet", {"rules": "skyruk"}),
    ("tapnswap", {}),
    ("deepsea", {"players": 2}),
    ("pommerman", {"mode": "duel"}),
]


def test_who_leads_and_gives_up_has_lost_in_score_statistics_and_saves(tmp_path: Path) -> None:
    results = Settings(results_file=tmp_path / "results.jsonl")
    with serving(tmp_path / "server") as served:
        people = two_at(served, tmp_path, "kuhn", hands=20)
        for session in people:
            note_results(session, results)
        both(*(partial(play_until_somebody_leads, session) for session in people))
        returns = people[0].match.returns
        leader = returns.index(max(returns))
        people[leader].talk("resign", "")
        all_reach(people, lambda session: session.saving.journal is not None)
        for session in people:
            assert session.match.winners == [1 - leader]
            assert session.games_won[leader] == 0
            with pytest.raises(GameError, match="the game is over"):
                session.submit(leader, "bet")
            assert session.snapshot().result.endswith(f": {session.names[1 - leader]} wins.")
        for seat, folder in enumerate(("ann", "ben")):
            store = Store(tmp_path / folder)
            (save,) = store.summaries()
            assert outcome(save) == f"{people[0].names[1 - leader]} won"
            replay = replay_of(store.find(save.name))
            check_reviewable(replay.match, save.name)
            assert replay.ending() == people[seat].snapshot().result
            assert not is_secret(replay.match)
            (mine,) = (
                one
                for one in statistics(read_results(tmp_path / "results.jsonl")[0])
                if one.player == people[0].names[seat]
            )
            assert (mine.total.won, mine.total.lost) == ((0, 1) if seat == leader else (1, 0))
            assert mine.best is None, "the chips of that moment are no result"
        people[0].propose(Offer.REMATCH)
        wait_until(people[1], lambda: people[1].table.offer is not None)
        people[1].answer(agrees=True)
        all_reach(people, lambda session: session.company.games == 2)
        for session in people:
            assert session.games_won == [int(leader == 0), int(leader == 1)]
            session.close()


def play_until_somebody_leads(session: RemoteSession) -> None:
    """Bet and call until somebody has won a hand."""
    wait_until(session, lambda: session.next_event() is not Event.AGENT or has_leader(session))
    while not has_leader(session):
        if session.next_event() is Event.HUMAN:
            session.submit(session.humans[0], session.observe(session.humans[0]).legal[-1])
        session.accept(session.request().result())


def has_leader(session: RemoteSession) -> bool:
    return any(session.match.returns)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[name for name, _ in GAMES])
def test_two_people_play_a_whole_game(
    game: str, options: dict[str, object], tmp_path: Path
) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, game, **options)
        both(lambda: play_at_random(ann, 1), lambda: play_at_random(ben, 2))
        assert ann.match.returns == ben.match.returns
        assert ann.match.game.is_over(ann.match.state)
        # Both keep the game, and it is the one that the server saved.
        saves = [load_record(next((tmp_path / name).glob("*.jsonl"))) for name in ("ann", "ben")]
        kept = next((tmp_path / "server").glob("*.jsonl")).read_text()
        assert saves[0] == saves[1] == read_lines(kept.splitlines(keepends=True))
        assert saves[0].header.dice is not None
        if game != "tapnswap":
            assert "Chance was fair" in told(ann)
        for session in (ann, ben):
            if game == "kuhn":
                wait_until(session, partial(getattr, session.match, "is_whole"))
                assert session.journal is not None
                whole = restore(load_record(session.journal.path))
                text = closing_review(whole, session.names, session.viewer())
                assert session.review() == text != []
            session.close()


def test_who_comes_to_watch_sees_the_clocks(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, clock="5m")
        viewer = arrive(served, Join(ann.welcome.watch))
        wait_until(viewer, lambda: len(viewer.company.clocks()) == 2)
        with pytest.raises(IllegalActionError, match="still plays"):
            viewer.follow(ALL_SEEING)  # their machine never learns the cards
        for session in (ann, ben, viewer):
            session.close()


class Slow(TableConnection):
    """A connection over which one message comes at a time."""

    def __init__(self, messages: Iterable[Mapping[str, Any]]) -> None:
        super().__init__(TableAddress("127.0.0.1", 1, ""), ListTables(), is_up=True)
        self._coming = iter([part for message in messages for part in (message, None)])

    def take(self) -> Mapping[str, Any] | None:
        return next(self._coming)

    def wait(self, seconds: float | None = None) -> bool:
        return True


def test_a_history_that_comes_anew_is_taken_whole(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, "tapnswap")
        wait_until(ann, lambda: ann.next_event() is Event.HUMAN)
        ann.submit(0, ann.observe(0).legal[0])
        wait_until(ann, lambda: ann.match.ply == 1)
        (table,) = served.lobby
        game = table.served
        assert game is not None
        texts = [
            game.hello(0, [0, 1], fair_dice.read_dice(game.journal.header.dice)),
            *game.observations(0),
        ]
        for session in (ann, ben):
            session.close()
    ann.connection = Slow([*map(json.loads, texts), {"type": "line", "is_up": True}])
    assert ann.poll()
    assert ann.match.ply == 1


def test_an_ending_that_a_save_makes_up_is_ignored() -> None:
    for made_up in ({}, {"reason": ["x"]}, {"reason": "clock", "loser": 2}, {"reason": "clock"}):
        assert read_ending(made_up, 2) is None
    ending = read_ending({"reason": "clock", "loser": 1}, 2)
    assert ending is not None
    assert ending.outcomes == (WON, LOST)
    assert ending.in_words(("Ann", "Ben"), 5) == "Ben ran out of time: Ann wins."
    agreed = read_ending({"reason": "draw"}, 2)  # as 0.2 ended some
    assert agreed is not None
    assert agreed.in_words(("Ann", "Ben"), 5) == "The game ended without a winner, as agreed."


def test_an_agent_sits_in_for_who_is_away_until_they_return(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path, "tapnswap")
        seat = ann.connection.seat
        ann.connection.close()
        wait_until(ben, lambda: 0 in dict(ben.table.away))
        make_long_away(served, 0)
        ben.propose(Offer.AGENT)
        wait_until(ben, lambda: ben.next_event() is Event.HUMAN)
        assert "Ann is away; medium plays." in told(ben)
        again = arrive(served, Return(seat.table, seat.token))
        assert again.humans == (0,)
        wait_until(ben, lambda: "Ann is back." in told(ben))
        again.close()
        ben.close()


@pytest.mark.parametrize(
    ("first", "what"),
    [
        (Join("KEGA-3F2P", "Eve"), "no table has this code"),
        (Join("nonsense", "Eve"), "not the code of a table"),
        (Open("sennet"), "unknown game"),
        (Open("kuhn", {"hands": 0}), "hands"),
        (Open("kuhn", seats=("human:Ann", "cmd:rm -rf")), "can't sit at a table"),
        (Open("kuhn", seats=("open",) * 3), "seats"),
        (Open("kuhn", clock="soon"), "not a time"),
        (Open("kuhn", tick="0.5"), "real time"),
        *((Open("pommerman", tick=tick), "tick") for tick in ("nan", "1e-9", "-1")),
        (Open("kuhn", seats=(f"human:{'n' * 50}", "open")), "name"),
    ],
)
def test_what_is_wrong_gets_one_sentence(first: object, what: str, tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        with pytest.raises(GameError, match=what):
            sit_down(served, first)  # type: ignore[arg-type]
        assert not len(served.lobby)


def test_what_is_right_is_no_guess(tmp_path: Path) -> None:
    """Who has a code of the table, but gets no seat, is not slowed down, nor others there."""
    with serving(tmp_path / "server") as served:
        ann = sit_down(served, Open("kuhn", {}, ("human:Ann", "open")))
        code, watch = ann.welcome.code, ann.welcome.watch
        names = ("Ann", "ann", "\uff21nn", "\u0410nn", "A n\u0301n", "open", "spectator")
        refuse(served, "is called", *(Join(code, name) for name in names))
        refuse(served, "not open", *[Join(code, "Ben", seat=7)] * 3)
        refuse(served, "the code for spectators", *[Join(watch, "Ben", is_bot=True)] * 3)
        sit_down(served, Join(watch)).close()
        ben = sit_down(served, Join(code, "Ben"))
        refuse(served, "all seats of this table are taken", *[Join(code, "Cleo")] * 7)
        refuse(served, "no table has this code", *[Join("KEGA-3F2P")] * 6)
        refuse(served, "too many wrong codes", Join("KEGA-3F2P"))
        ann.close()
        ben.close()


def refuse(served: OnlineServer, why: str, *wishes: ClientMessage) -> None:
    for first in wishes:
        with pytest.raises(GameError, match=why):
            sit_down(served, first)


def test_a_bot_agrees_to_an_undo_and_plays_again_with_seats_exchanged(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        first = sit_down(served, Open("tapnswap", {}, ("human:Ann", "open")))
        ben = arrive(served, Join(first.welcome.code, "Ben", is_bot=True))
        ann = begin(first)

        def play() -> None:
            wait_until(ann, lambda: ann.next_event() is Event.HUMAN)
            ann.submit(0, ann.observe(0).legal[0])
            wait_until(ann, lambda: ann.match.ply >= 2 and ann.next_event() is Event.HUMAN)
            ann.propose(Offer.UNDO)
            wait_until(ann, lambda: ann.match.ply == 0)
            ann.talk("resign", "")
            wait_until(ann, lambda: ann.next_event() is Event.OVER)
            ann.propose(Offer.REMATCH)
            wait_until(ann, lambda: ann.company.games == 2)
            assert ann.names == ("Ben", "Ann")
            wait_until(ann, lambda: ann.next_event() is Event.HUMAN)  # it has acted first
            ann.talk("resign", "")
            wait_until(ann, lambda: ann.next_event() is Event.OVER)
            ann.close()  # the bot stays for a rematch until everybody has left

        said = list[str]()
        both(play, lambda: play_bot(ben, "easy", said.append))
        assert ben.company.games == 2
        assert said.count("Ann gave up: Ben wins.") == 2, said
        ben.close()


def test_bots_among_themselves_leave_after_their_game(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        first = sit_down(served, Open("kuhn", {"hands": 1}, ("open", "open")))
        code = first.welcome.code
        first.close()
        there = [sit_down(served, Join(code, name, is_bot=True)) for name in ("Bea", "Bob")]
        bots = [begin(one) for one in there]
        both(*(partial(play_bot, bot, "easy", lambda _: None) for bot in bots))
        for bot in bots:
            assert bot.company.games == 1
            bot.close()


def test_a_second_server_takes_a_free_port(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        other = hosting_in(tmp_path / "other", port=served.port, ports=20)
        assert served.port < other.server.port < served.port + 20
        other.stop()
    assert read_listen("127.0.0.1") == ("127.0.0.1", DEFAULT_PORT, 20)
    assert read_listen("[::1]:7000") == ("::1", 7000, 1)


def test_an_address_in_use_is_told_without_repeating_it(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as served,
        pytest.raises(GameError) as refused,
    ):
        hosting_in(tmp_path / "other", port=served.port)
    reason = os.strerror(errno.EADDRINUSE)
    assert refused.value.message == f"127.0.0.1, port {served.port}, can't be served ({reason})."


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost"])
def test_a_server_finds_itself_wherever_it_listens(tmp_path: Path, host: str) -> None:
    hosting = hosting_in(tmp_path / "server", host=host)
    try:
        table, _ = hosting.open(Open("kuhn", {}, ("human:Ann", "open")))
        here = hosting.server.own_address
        arrival.sit_down(here, Join(table.settings.code, "Ann")).close()
        for_others = hosting.server.address_for_others("").host
        assert (":" in for_others) == (host == "::")
    finally:
        hosting.stop()


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        pass
    with pytest.raises(GameError, match=f"nobody answers at 127.0.0.1:{served.port}"):
        sit_down(served, ListTables())


def test_a_server_that_only_accepts_connections_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = TableAddress("127.0.0.1", silent.getsockname()[1], "")
        with pytest.raises(GameError, match="does not answer"):
            arrival.sit_down(address, ListTables())


def test_a_server_that_wants_tls_is_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:  # as a server with TLS does that hears something else
            with contextlib.suppress(OSError):
                while True:  # it is tried twice
                    heard, _ = server.accept()
                    heard.recv(1)
                    heard.close()

        threading.Thread(target=hang_up, daemon=True).start()
        address = TableAddress("127.0.0.1", server.getsockname()[1], "")
        with pytest.raises(GameError, match=r"hangs up\. +If it uses TLS, write https://"):
            arrival.sit_down(address, ListTables())
        server.shutdown(socket.SHUT_RDWR)


class Odd(OnlineServer):
    """Answers everybody with the same texts; without any it hangs up."""

    def __init__(self, folder: Path, *texts: str) -> None:
        super().__init__(OnlineSettings(folder))
        self._texts = texts

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        for text in self._texts:
            await answer.send_str(text)
        if self._texts:
            await answer.receive()
            await answer.receive()  # until the client hangs up
        return answer


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ((), "has closed the connection"),
        (({"protocol": 3},), "the server has another version of boardgames"),
        (({"rules_version": 99},), "the server has another version of boardgames"),
    ],
)
def test_a_server_that_answers_oddly_is_named(
    tmp_path: Path, texts: tuple[dict[str, int], ...], why: str
) -> None:
    version = make("kuhn").info.rules_version
    greeting = json.loads(write_fields("welcome", Welcome("kuhn", {}, version, "5" * 64, seat=0)))
    said = [json.dumps(greeting | fields) for fields in texts]
    hosting = Hosting(lambda: Odd(tmp_path, *said))
    with pytest.raises(GameError, match=why):
        sit_down(hosting.server, Join("KEGA-3F2P", "Ben"))
    assert "table" not in {thread.name for thread in threading.enumerate()}, "it is connected"
    hosting.stop()


def test_a_seat_at_a_table_that_is_gone_is_given_up(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as served:
        ann, ben = two_at(served, tmp_path)
        ann.connection.seat = Return("gone", ann.connection.seat.token)
        cut(served)
        wait_until(ann, lambda: ann.company.is_gone)
        ben.close()
    assert "this table is not here any more. Join another one with a code." in told(ann)
    assert not ann.connection.is_up


def test_tokens_are_not_in_the_files_of_a_server(tmp_path: Path) -> None:
    opening = Open("kuhn", {}, ("human:Ann", "open"))
    with serving(tmp_path / "server") as served:
        ann = sit_down(served, opening)
        token = ann.connection.seat.token
        ann.close()
    hosting = hosting_in(tmp_path / "server")
    own, is_known = hosting.open(opening)
    assert not is_known
    assert hosting.open(opening) == (own, True)
    hosting.stop()
    written = b"".join(path.read_bytes() for path in (tmp_path / "server").iterdir())
    assert len(token) > 40
    assert token.encode() not in written


async def test_the_game_waits_for_numbers_that_the_server_could_not_know(tmp_path: Path) -> None:
    """The server is bound to its secret before anybody tells it a number."""
    async with room(tmp_path) as opened:
        ann, nonce = await opened.connect(), fair_dice.new_secret()
        await ann.send("open", game="kuhn", seats=["human:Ann", "hard"], contributes=True)
        welcome = await ann.until("welcome")
        await ann.catch_up()
        (table,) = opened.server.lobby
        assert table.served is None
        await ann.send("nonce", nonce=nonce)
        hello = await ann.until("hello")
        assert hello["commitment"] == welcome["commitment"]
        assert hello["nonces"] == [nonce]
        await ann.send("nonce", nonce=fair_dice.new_secret())  # too late, and nothing happens
        assert not {"hello", "refused"}.intersection(one["type"] for one in await ann.catch_up())


def test_two_people_of_one_machine_have_two_seats(tmp_path: Path) -> None:
    """The list of seats is the machine's, so that a seat is known by its person's name too."""
    kept = KeptSeats(tmp_path / "seats.json")
    with serving(tmp_path) as served:
        ann = arrival.sit_down(
            served.own_address, Open("kuhn", {}, ("human:name=Ann", "open")), kept
        )
        code = ann.welcome.code
        nameless = Join(code)
        ben = arrival.sit_down(served.own_address, nameless, kept)
        assert not ben.is_back
        there = begin(ann), begin(ben)
        assert [session.humans for session in there] == [(0,), (1,)]
        assert there[0].names == ("Ann", "player 2")
        for first, seat in ((Join(code, "Ann"), (0,)), (nameless, (1,))):
            again = arrival.sit_down(served.own_address, first, kept)
            assert again.is_back
            assert begin(again).humans == seat
            again.close()
        with pytest.raises(GameError, match=r"all seats .* taken.*under the same name"):
            arrival.sit_down(served.own_address, Join(code, "Eve"), kept)
        ann.close()
        ben.close()


@pytest.mark.usefixtures("clean_environment")
def test_the_seat_of_a_host_is_its_own(tmp_path: Path) -> None:
    """Nobody else finds it on this machine, and the host finds it wherever it listens now."""
    opening = Open("kuhn", {}, ("human", "open"))
    for is_again in (False, True):
        hosting = hosting_in(tmp_path)
        table, _ = hosting.open(opening)
        own = hosting.sit_down(table, opening)
        assert own is not None
        ben = arrival.sit_down(hosting.server.own_address, Join(own.welcome.code), KeptSeats())
        assert own.is_back is is_again
        assert (begin(own).humans, begin(ben).humans) == ((0,), (1,))
        hosting.stop()
        for session in (own, ben):
            session.close()


def test_seats_that_were_kept_without_names_are_read(tmp_path: Path) -> None:
    old = {"server": "s:1", "code": "KEGA-3F2P", "table": "t", "token": "k", "nonce": "n"}
    (tmp_path / "seats.json").write_text(json.dumps([old]))
    seat = KeptSeats(tmp_path / "seats.json").find("s:1", "KEGA-3F2P", "")
    assert seat == KeptSeat(name="", **old)
