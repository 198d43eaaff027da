"""What a client may see and do follows from its place at a table, whatever it did before elsewhere.

A state machine lets three clients open, join, watch, return, leave, talk and play at two tables, in
two worlds that differ in the cards of second seats. A small model says who is where. Who is not on
a second seat must be sent the same bytes in both worlds.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from boardgames_cli.core.errors import SeatError
from boardgames_cli.online.codes import WrongSecretError
from boardgames_cli.online.server import table_server
from boardgames_cli.online.server.lobby import OnlineSettings
from boardgames_cli.online.server.online_table import OnlineTable
from boardgames_cli.online.server.people import AWAY_SECONDS, Guest
from boardgames_cli.online.server.table_server import OnlineServer
from tests.online.servers import fill_disk
from tests.online.wire import draw_alike
from tests.secrecy import kuhn_twins, timeless

CLIENTS = st.integers(0, 8)
"""One of the three; two times of three one for whom it makes sense, if there is one."""
TABLES = st.integers(0, 1)
SEEDS = tuple(twin.seed for twin in kuhn_twins(0, 2, hands=1))


class ToyLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still but for `wait`."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.settle()

    def settle(self) -> None:
        for _ in range(3):
            self.run_until_complete(asyncio.sleep(0))


class Socket:
    """The websocket of a client, as far as the server writes to it."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def send_str(self, text: str) -> None:
        self.texts.append(text)

    async def close(self) -> None:
        """Nobody listens."""


class World:
    """A server with three clients, and what it draws at random."""

    def __init__(self, folder: Path, seed: int) -> None:
        async def serve() -> OnlineServer:
            return OnlineServer(OnlineSettings(folder))

        self.loop, self.seed = ToyLoop(), seed
        self.rng = random.Random(1)
        self.server = self.loop.run_until_complete(serve())
        self.sockets: dict[Guest, Socket] = {}
        self.guests = [self.guest() for _ in range(3)]

    def guest(self) -> Guest:
        socket: Any = Socket()
        guest = Guest(socket, "192.0.2.1", self.loop, lambda: None)
        self.sockets[guest] = socket
        self.loop.create_task(guest.write())
        self.loop.settle()
        return guest

    def table(self, known: str) -> OnlineTable:
        return next(one for one in self.server.lobby if one.settings.id == known)

    def close(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.settle()
        self.loop.close()

    def lose(self, client: int) -> None:
        self.server.lobby.drop(self.guests[client])
        self.guests[client] = self.guest()

    def take_sent(self) -> list[list[str]]:
        """What every client was sent since the last time; who was told to go connects again."""
        known = -1
        while known != (known := sum(len(socket.texts) for socket in self.sockets.values())):
            self.loop.settle()
        sent = []
        for client, guest in enumerate(self.guests):
            sent.append([timeless(text) for text in self.sockets[guest].texts])
            self.sockets[guest].texts.clear()
            if guest.is_lost:
                assert self.server.lobby.table_of(guest) is None, "it may still talk"
                self.lose(client)
        return sent


@dataclass
class Known:
    """What the model knows of a table."""

    id: str
    code: str
    watch: str
    holders: dict[int, str] = field(default_factory=dict)
    """The token of every seat that is taken."""
    tokens: list[str] = field(default_factory=list)
    """All that were ever given."""
    here: dict[int, str] = field(default_factory=dict)
    """The clients at the table, and their tokens; none for spectators."""
    to_act: int | None = None
    is_over: bool = False
    offered: set[int] = field(default_factory=set)
    """Who has offered a draw, or a rematch."""
    is_closed: bool = False

    @property
    def has_begun(self) -> bool:
        return self.is_over or self.to_act is not None

    def seat(self, client: int) -> int | None:
        token = self.here[client]
        return next((seat for seat, one in self.holders.items() if one == token), None)

    def begin(self) -> None:
        self.to_act, self.is_over = 0, False
        self.offered.clear()

    def end(self) -> None:
        self.to_act, self.is_over = None, True
        self.offered.clear()


class Tables(RuleBasedStateMachine):
    """Three clients and two tables in two worlds, and what the model says of them."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.folder = tempfile.TemporaryDirectory()
        self.plays = 0
        self.is_full = False
        """Whether nothing can be saved."""
        self.tables: list[Known] = []
        self.worlds = [
            World(Path(self.folder.name) / str(number), seed) for number, seed in enumerate(SEEDS)
        ]
        self.world = self.worlds[0]
        self.act_alike()

    def act_alike(self) -> None:
        """Make all that is drawn at random the same in both worlds, but the cards."""

        def fail(error: BaseException) -> None:
            if not self.is_full:
                raise AssertionError("the server failed") from error

        fill_disk(self.patch, lambda _: self.is_full)
        self.patch.setattr(table_server, "note_error", fail)
        draw_alike(self.patch, lambda: self.world.rng, lambda: self.world.seed)

    def teardown(self) -> None:
        for world in self.worlds:
            world.server.lobby.close()
            world.close()
        self.patch.undo()
        self.folder.cleanup()

    def pick(self, client: int, fitting: Callable[[int], bool]) -> int:
        found = [one for one in range(3) if fitting(one)]
        return found[client % len(found)] if client > 2 and found else client % 3

    def is_free(self, client: int) -> bool:
        return self.table_of(client) is None

    def may_leave(self, client: int) -> bool:
        """Whether a client has a seat that is open again when it leaves."""
        table = self.table_of(client)
        return table is not None and table.seat(client) is not None and not table.has_begun

    def has_seat(self, client: int) -> bool:
        table = self.table_of(client)
        return table is not None and table.has_begun and table.seat(client) is not None

    def may_act(self, client: int) -> bool:
        table = self.table_of(client)
        return table is not None and table.to_act is not None and table.seat(client) == table.to_act

    # -- what is checked -------------------------------------------------------------------

    def table_of(self, client: int) -> Known | None:
        return next((table for table in self.tables if client in table.here), None)

    def knows_more(self, client: int) -> bool:
        """Whether a client may be told the card of the second seat."""
        table = self.table_of(client)
        return table is not None and (table.is_over or table.seat(client) == 1)

    def do(self, work: Callable[[World], None]) -> None:
        """Do the same in both worlds, and keep what the clients are sent."""
        self.before = [self.knows_more(one) for one in range(3)]
        self.sent = []
        for world in self.worlds:
            self.world = world
            work(world)
            self.sent.append(self.world.take_sent())

    def say(self, client: int, kind: str, **fields: Any) -> dict[str, Any] | None:
        """Send a message in both worlds; the ``refused`` or ``welcome`` that answers it."""
        text = json.dumps({"type": kind, **fields})
        self.do(lambda world: world.server._take(world.guests[client], text))
        answers = [json.loads(text) for text in self.sent[0][client]]
        return next((one for one in answers if one["type"] in ("refused", "welcome")), None)

    def check(self) -> None:
        """What was sent, now that the model knows who is where, and whether the server agrees."""
        for world in self.worlds:
            for client, guest in enumerate(world.guests):
                known, found = self.table_of(client), world.server.lobby.table_of(guest)
                assert (known and known.id) == (found and found.settings.id)
                if known is not None and found is not None:
                    assert found.people.seat_of(guest) == known.seat(client)
            for known in self.tables:
                if not known.is_closed:
                    free = [seat for seat in (0, 1) if seat not in known.holders]
                    open_seats = world.table(known.id).open_seats
                    assert open_seats == ([] if known.has_begun else free)
        for client, (one, other) in enumerate(zip(*self.sent, strict=True)):
            if self.before[client] or self.knows_more(client):
                continue
            assert one == other
            table = self.table_of(client)
            seat = None if table is None else table.seat(client)
            for message in map(json.loads, one):
                if message["type"] in ("welcome", "hello"):
                    assert message["seat"] == seat
                elif message["type"] == "observe":
                    assert table is not None
                    assert message["position"]["cards"][1] in (None, "?")
                    assert not message["legal"] or seat == 0

    def accept(self, client: int, kind: str, *, when: bool, **fields: Any) -> bool:
        """Send what must be accepted in a case and refused otherwise; whether it was accepted."""
        answer = self.say(client, kind, **fields)
        assert (answer is None or answer["type"] != "refused") == when, (kind, answer)
        return when

    # -- coming and going ------------------------------------------------------------------

    @initialize(order=st.permutations(range(3)), steps=st.integers(0, 9))
    def begin(self, order: list[int], steps: int) -> None:
        """Begin in the middle of things: both games run, and somebody looks at the other one."""
        ann, ben, cleo = order
        story: list[Callable[[], None]] = [
            lambda: self.open(ann, 0),
            lambda: self.join(ben, 0, None),
            lambda: self.try_on_a_full_disk(ann, "action"),
            lambda: self.open(cleo, 1),
            lambda: self.leave(ben),
            lambda: self.join(ben, 1, None),
            lambda: self.leave(cleo),
            lambda: self.watch(cleo, 0),
            lambda: self.leave(ben),
        ]
        for step in story[:steps]:
            step()

    @rule(client=CLIENTS, own=st.sampled_from([0, 1, None]))
    def open(self, client: int, own: int | None) -> None:
        client = self.pick(client, self.is_free)
        seats = ["human:Ann" if seat == own else "open" for seat in range(2)]
        if len(self.tables) == 2 and self.table_of(client) is None:
            return
        fields = {"game": "kuhn", "seats": seats}
        answer = self.say(client, "open", **fields)
        assert answer is not None
        assert (answer["type"] == "welcome") == (self.table_of(client) is None)
        if answer["type"] == "welcome":
            table = Known(answer["table"], answer["code"], answer["watch"])
            self.tables.append(table)
            table.here[client] = answer["token"]
            if own is not None:
                table.holders[own] = answer["token"]
                table.tokens.append(answer["token"])
        self.check()

    @precondition(lambda self: self.tables)
    @rule(client=CLIENTS, number=TABLES, seat=st.sampled_from([None, 0, 1]))
    def join(self, client: int, number: int, seat: int | None) -> None:
        table = self.tables[number % len(self.tables)]
        client = self.pick(client, self.is_free)
        free = [one for one in (0, 1) if one not in table.holders and not table.is_closed]
        wanted = (free or [0])[0] if seat is None else seat
        may = self.table_of(client) is None and wanted in free
        self.plays += 1
        answer = self.say(client, "join", code=table.code, name=f"Ben {self.plays}", seat=seat)
        assert answer is not None
        assert (answer["type"] == "welcome") == may, answer
        if may:
            assert answer["seat"] == wanted
            table.here[client] = table.holders[wanted] = answer["token"]
            table.tokens.append(answer["token"])
            if len(table.holders) == 2:
                table.begin()
        self.check()

    @precondition(lambda self: self.tables)
    @rule(client=CLIENTS, number=TABLES)
    def watch(self, client: int, number: int) -> None:
        table = self.tables[number % len(self.tables)]
        client = self.pick(client, self.is_free)
        may = self.table_of(client) is None and not table.is_closed
        if self.accept(client, "watch", when=may, code=table.watch):
            table.here[client] = ""
        self.check()

    @precondition(lambda self: any(table.tokens for table in self.tables))
    @rule(client=CLIENTS, number=TABLES, which=st.integers(0, 3), is_other=st.booleans())
    def come_back(self, client: int, number: int, which: int, *, is_other: bool) -> None:
        """Also with the token of somebody who is here, who has left, or of another table."""
        table = self.tables[number % len(self.tables)]
        client = self.pick(client, self.is_free)
        tokens = (self.tables[-1] if is_other else table).tokens
        token = tokens[which % len(tokens)] if tokens else "token"
        may = self.table_of(client) is None and token in table.holders.values()
        may = may and not table.is_closed
        if self.accept(client, "return", when=may, table=table.id, token=token):
            for before in [one for one, held in table.here.items() if held == token]:
                del table.here[before]
                assert '"closed"' in self.sent[0][before][-1]
            table.here[client] = token
        self.check()

    @rule(client=CLIENTS)
    def leave(self, client: int) -> None:
        client %= 3
        table = self.table_of(client)
        self.accept(client, "leave", when=table is not None)
        if table is not None:
            seat = table.seat(client)
            if seat is not None and not table.has_begun:
                del table.holders[seat]
            del table.here[client]
        self.check()

    @rule(client=CLIENTS)
    def lose_line(self, client: int) -> None:
        client %= 3
        self.do(lambda world: world.lose(client))
        if (table := self.table_of(client)) is not None:
            del table.here[client]
        self.check()

    @precondition(lambda self: any(not table.is_closed for table in self.tables))
    @rule()
    def close_first(self) -> None:
        """Give up a table while people are at it."""
        table = next(one for one in self.tables if not one.is_closed)
        self.do(lambda world: world.server.lobby.give_up(world.table(table.id)))
        table.is_closed = True
        table.here.clear()
        self.check()

    @precondition(lambda self: self.tables)
    @rule(client=CLIENTS, kind=st.sampled_from(["leave", "join", "action", "resign"]))
    def try_on_a_full_disk(self, client: int, kind: str) -> None:
        """What can't be saved is refused, and nothing has changed: it can be done later."""
        fitting = {"join": self.is_free, "leave": self.may_leave, "action": self.may_act}
        client = self.pick(client, fitting.get(kind, self.has_seat))
        if kind == "leave" and not self.may_leave(client):
            return  # nothing is saved
        self.is_full = True
        fields: dict[str, Any] = {"code": self.tables[0].code} if kind == "join" else {}
        fields |= {"id": 0} if kind == "action" else {}
        self.accept(client, kind, when=False, **fields)
        assert self.folder.name not in str(self.sent), "where files are is nobody's business"
        self.is_full = False
        self.check()
        later = {"leave": self.leave, "action": self.act, "resign": self.resign}.get(kind)
        if later is not None:
            later(client)

    # -- at a table ------------------------------------------------------------------------

    @precondition(lambda self: any(table.here for table in self.tables))
    @rule(client=CLIENTS)
    def talk(self, client: int) -> None:
        client %= 3
        table = self.table_of(client)
        if self.accept(client, "say", when=table is not None, text="Well."):
            assert table is not None
            told = [any('"said"' in text for text in texts) for texts in self.sent[0]]
            assert told == [one in table.here for one in range(3)]
            is_nobody = any('"name": "Spectator"' in text for text in self.sent[0][client])
            assert is_nobody == (table.seat(client) is None)
        self.check()

    @precondition(lambda self: any(table.has_begun for table in self.tables))
    @rule(client=CLIENTS)
    def act(self, client: int) -> None:
        client = self.pick(client, self.has_seat)
        table, may = self.table_of(client), self.may_act(client)
        if self.accept(client, "action", when=may, id=0) and table is not None:
            if table.to_act == 1:
                table.end()
            else:
                table.to_act = 1
                table.offered.clear()
        self.check()

    @precondition(lambda self: any(table.has_begun for table in self.tables))
    @rule(client=CLIENTS)
    def resign(self, client: int) -> None:
        client = self.pick(client, self.has_seat)
        table = self.table_of(client)
        may = table is not None and table.to_act is not None and table.seat(client) is not None
        if self.accept(client, "resign", when=may) and table is not None:
            table.end()
        self.check()

    @precondition(lambda self: any(table.has_begun for table in self.tables))
    @rule(client=CLIENTS)
    def offer(self, client: int) -> None:
        client = self.pick(client, self.has_seat)
        table = self.table_of(client)
        seat = None if table is None else table.seat(client)
        may = table is not None and table.is_over and table.has_begun
        if self.accept(client, "offer", when=may and seat is not None, what="rematch"):
            assert table is not None
            assert seat is not None
            table.offered.add(seat)
            if table.offered == {0, 1}:
                table.holders = {1 - one: token for one, token in table.holders.items()}
                table.begin()
        self.check()

    @rule()
    def wait(self) -> None:
        self.do(lambda world: world.loop.wait(AWAY_SECONDS / 2))
        self.check()


TestEveryOrder = Tables.TestCase
TestEveryOrder.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)


def guess(world: World, times: int) -> None:
    for _ in range(times):
        with pytest.raises(WrongSecretError):
            world.server.check_code("KEGA-3F2P", "192.0.2.7")


def test_no_number_of_guesses_is_too_large_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    world = World(tmp_path, 1)
    for _ in range(1100):
        guess(world, 1)
        world.loop.wait(600)
    world.loop.run_until_complete(world.server.start())
    world.loop.wait(61)
    guess(world, 6)
    with pytest.raises(SeatError, match="too many wrong codes"):
        world.server.check_code("KEGA-3F2P", "192.0.2.7")
    world.loop.run_until_complete(world.server.stop())
    world.close()
