"""What goes wrong at a table: full disks, kills at odd moments, races, and late answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest

from boardgames_cli.core.clock import Clock, TimeControl
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import CHANCE, Ending
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.online.fair_dice import commitment_of
from boardgames_cli.online.messages import Act
from boardgames_cli.online.server import online_table, served_game
from boardgames_cli.online.server.online_table import OnlineTable
from boardgames_cli.online.server.people import Guest
from boardgames_cli.online.server.table_file import TableFile, open_tables
from boardgames_cli.storage.files import LockedFile
from tests.online.servers import fill_disk, make_long_away
from tests.online.test_wire_secrecy import Desk, serve
from tests.online.wire import Room, Wire, holds, room, seat_of
from tests.toys import Race

Play = Callable[[Room], Awaitable[None]]


def run(folder: Path, *plays: Play, **settings: Any) -> None:
    """Play, each time with a new server in the same folder."""

    async def all_of_them() -> None:
        for play in plays:
            async with room(folder, **settings) as opened:
                await play(opened)

    asyncio.run(all_of_them())


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Room]:
    async with room(tmp_path) as made:
        yield made


class Disk:
    """A disk that can be full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full: Callable[[bytes], bool] = lambda _: False
        """Whether there is no space for some data."""
        fill_disk(monkeypatch, lambda data: self.is_full(data))
        for room_of in (served_game, online_table):
            monkeypatch.setattr(room_of, "_RETRY_SECONDS", 0.1)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def the_table(opened: Room) -> OnlineTable:
    (table,) = opened.server.lobby
    return table


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


# -- a full disk -----------------------------------------------------------------------------


async def test_a_clock_that_cannot_be_saved_does_not_hide_a_step(disk: Disk, opened: Room) -> None:
    ann, ben = await opened.two_at("tapnswap", clock="5m")
    disk.is_full = lambda data: b"clocks" in data
    await ann.send("action", id=the_id(opened), ply=0)
    await ben.until("observe", ply=1)
    await ann.until("observe", ply=1)


def the_id(opened: Room) -> int:
    match = the_table(opened).served.match  # type: ignore[union-attr]
    seat = match.waiting_for[0]
    return int(match.game.action_id(match.state, match.observe(seat).legal[0]))


async def test_chance_waits_for_space_while_the_action_before_it_counts(
    disk: Disk, opened: Room
) -> None:
    ann, ben = await opened.two_at("kuhn", options={"hands": 2}, clock="5m")
    disk.is_full = lambda data: b"deal" in data
    for _ in range(2):
        wire = opened_turn(opened, ann, ben)
        await wire.send("action", action="check")
        await wire.until("observe")
    await ann.until("table", running=[])
    assert "can't save" in (await ann.until("remark"))["text"]
    disk.is_full = lambda _: False
    await ann.until("observe", ply=6)
    assert (await ann.until("table"))["running"] == [1], "whoever begins the next hand"


def opened_turn(opened: Room, ann: Wire, ben: Wire) -> Wire:
    return (ann, ben)[the_table(opened).served.match.waiting_for[0]]  # type: ignore[union-attr]


async def test_real_time_goes_on_after_a_full_disk(disk: Disk, opened: Room) -> None:
    ann, _ = await opened.two_at("pommerman", options={"mode": "duel"}, tick="0.1")
    disk.is_full = lambda _: True
    await ann.until("remark")
    disk.is_full = lambda _: False
    ply = the_table(opened).served.match.ply  # type: ignore[union-attr]
    await ann.until("observe", ply=ply + 3)


async def test_a_game_that_cannot_begin_begins_when_it_can(disk: Disk, opened: Room) -> None:
    ann, ben = await opened.connect(), await opened.connect()
    await ann.send("open", game="tapnswap", seats=["human:Ann", "open"])
    code = (await ann.until("welcome"))["code"]
    disk.is_full = lambda data: b'"save"' in data
    await ben.send("join", code=code, name="Ben")
    await ben.until("remark")
    disk.is_full = lambda _: False
    await ben.until("hello")
    await ann.until("hello")


async def test_an_undo_that_cannot_be_saved_changes_nothing(disk: Disk, opened: Room) -> None:
    ann, ben = await opened.two_at("tapnswap")
    await ann.send("action", id=the_id(opened))
    await ben.until("observe", ply=1)
    disk.is_full = lambda _: True
    await ann.send("offer", what="undo")
    await ben.until("table", offer="undo")
    await ben.send("answer", agrees=True)
    assert "can't save" in (await ben.until("remark"))["text"]
    assert the_table(opened).served.match.ply == 1  # type: ignore[union-attr]
    disk.is_full = lambda _: False
    await ben.send("action", id=the_id(opened), ply=1)
    await ann.until("observe", ply=2)


# -- started again ---------------------------------------------------------------------------


def test_a_seat_that_was_left_is_open_after_a_restart(tmp_path: Path) -> None:
    async def leave(opened: Room) -> None:
        ann, ben = await opened.connect(), await opened.connect()
        await ann.send("open", game="pommerman", options={"mode": "ffa"}, seats=["human:Ann"])
        code = (await ann.until("welcome"))["code"]
        await ben.send("join", code=code, name="Ben")
        await ben.until("welcome")
        await ben.send("leave")
        await ben.catch_up()

    async def look(opened: Room) -> None:
        assert the_table(opened).open_seats == [1, 2, 3]

    run(tmp_path, leave, look)


async def to_the_end(ann: Wire) -> dict[str, Any]:
    await ann.send("resign")
    return await ann.until("over")


def test_a_revealed_secret_is_the_promise_of_the_next_game_alone(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []

    def secret_in(over: dict[str, Any]) -> str:
        (header, *_) = over["record"].split("\n")
        return str(json.loads(header)["dice"]["secret"])

    async def end(opened: Room) -> None:
        ann, ben = await opened.two_at("kuhn")
        told.extend([seat_of(ann), seat_of(ben), await to_the_end(ann)])

    async def play_again(opened: Room) -> None:
        table = the_table(opened)
        assert table.served is not None
        assert table.served.ending == Ending.by_players("resigned", 2, 0)
        ann, ben = await opened.connect(), await opened.connect()
        await ann.send("return", **told[0])
        await ann.until("over")
        await ann.send("offer", what="rematch")
        await ben.send("return", **told[1])
        await ben.until("table", offer="rematch")
        await ben.send("answer", agrees=True)
        promise = (await ann.until("hello", seat=1))["commitment"]
        assert promise == secret_in(told[2])
        assert commitment_of(secret_in(await to_the_end(ann))) == promise

    run(tmp_path, end, play_again)
    (file,) = tmp_path.glob("*.table")
    assert '{"ended": {"reason": "resigned", "loser": 0}}' in file.read_text()


async def test_who_wakes_up_when_another_has_the_table_tells_nothing(
    opened: Room, tmp_path: Path
) -> None:
    ann, _ = await opened.two_at("tapnswap")
    await ann.send("action", action="tap L>L", ply=0)
    await ann.until("observe", ply=1)
    served = the_table(opened).served
    assert served is not None
    take_over(tmp_path, "*.table")
    served.undo(0)
    take_over(tmp_path, "*.jsonl")
    with pytest.raises(StorageError):
        served.act(0, Act("tap L>L"))
    assert kinds(await ann.catch_up()) == []


def take_over(folder: Path, name: str) -> None:
    """Do with a file as another server does that thinks that this one is dead."""
    (path,) = folder.glob(name)
    LockedFile.take_over(path, 10**6).close()


@pytest.mark.parametrize(
    "line",
    [
        '{"seat": 1, "name": "Ben"}',
        '{"seat": 1, "name": "Ben", "token": 7}',
        '{"seat": 1, "name": "Ben", "token": "", "nonce": [], "is_bot": false}',
        '{"left": "Ann"}',
        '{"ply": 1.5, "chosen": "bet", "by": 0}',
        '{"clocks": [300, "300"]}',
        '{"ended": {"reason": "over"}}',
        '{"seat": 1, "seat": 1}',
        "[]",
        "no",
    ],
)
def test_a_table_with_a_wrong_line_is_passed_over(line: str, tmp_path: Path) -> None:
    async def play(opened: Room) -> None:
        for _ in range(2):
            await (await opened.connect()).send("open", game="kuhn", seats=["human:Ann", "open"])
        await holds(lambda: len([*tmp_path.glob("*.table")]) == 2)

    async def look(opened: Room) -> None:
        assert len(opened.server.lobby) == 1

    run(tmp_path, play)
    spoilt, _ = tmp_path.glob("*.table")
    with spoilt.open("a") as file:
        file.write(f"{line}\n")
    run(tmp_path, look)


class Looked(LockedFile):
    """A file that somebody looks for just before it is deleted."""

    found: ClassVar[list[object]] = []

    def unlink(self) -> None:
        self.found.extend(open_tables(self.path.parent))
        super().unlink()


def test_nobody_joins_a_table_elsewhere_while_it_is_given_up(tmp_path: Path) -> None:
    async def open_one(opened: Room) -> None:
        ann = await opened.connect()
        await ann.send("open", game="kuhn", seats=["human:Ann", "open"])
        await ann.until("welcome")

    run(tmp_path, open_one)
    (path,) = tmp_path.glob("*.table")
    TableFile(Looked.open(path)).discard()
    assert Looked.found == []
    assert not path.exists()


async def test_a_game_goes_on_when_the_file_of_its_table_was_deleted(
    tmp_path: Path, opened: Room
) -> None:
    ann, _ = await opened.two_at("tapnswap")
    (file,) = tmp_path.glob("*.table")
    file.unlink()
    await ann.send("action", action="tap L>L", ply=0)
    await ann.until("observe", ply=1)


def test_a_choice_in_a_joint_step_survives_a_restart(tmp_path: Path) -> None:
    seats: list[dict[str, Any]] = []

    async def choose(opened: Room) -> None:
        ann, ben = await opened.two_at("pommerman", options={"mode": "duel"})
        ply = the_table(opened).served.match.ply  # type: ignore[union-attr]
        await ann.send("action", action="up", ply=ply)
        await ben.until("table", committed=[0])
        seats.extend([seat_of(ann), seat_of(ben)])

    async def go_on(opened: Room) -> None:
        ben = await opened.connect()
        await ben.send("return", **seats[1])
        await ben.until("table", committed=[0])
        served = the_table(opened).served
        assert served is not None
        assert [str(action) for action in served.match.committed.values()] == ["up"]

    run(tmp_path, choose, go_on)


# -- races -----------------------------------------------------------------------------------


def test_who_comes_back_is_welcomed_before_the_game_goes_on(tmp_path: Path) -> None:
    seats: list[dict[str, Any]] = []

    async def play(opened: Room) -> None:
        ann, _ = await opened.two_at("kuhn", options={"hands": 2})
        seats.append(seat_of(ann))
        table = the_table(opened)
        # Killed after the action, before the next cards were dealt.
        assert table.served is not None
        for _ in range(2):
            table.served.match.submit(table.served.match.waiting_for[0], "check")
            table.served.journal.record(table.served.match)

    async def come_back(opened: Room) -> None:
        ann = await opened.connect()
        await ann.send("return", **seats[0])
        await ann.until("observe", ply=6)
        told = kinds([json.loads(text) for text in ann.texts])
        assert told.index("welcome") < told.index("hello")
        assert told.count("hello") == 1
        assert told.count("observe") == 7

    run(tmp_path, play, come_back)


async def test_a_claim_is_void_when_they_are_back(opened: Room) -> None:
    wires = [await opened.connect() for _ in range(3)]
    await wires[0].send("open", game="deepsea", options={"players": 3}, seats=["human:Ann"])
    code = (await wires[0].until("welcome"))["code"]
    for wire, name in zip(wires[1:], ("Ben", "Cleo"), strict=True):
        await wire.send("join", code=code, name=name)
        await wire.until("welcome")
    await wires[2].socket.close()
    await wires[0].until("table", away=[[2, 120]])
    assert "nobody has been away long enough" in await wires[0].ask("offer", what="claim")
    make_long_away(opened.server, 2)
    await wires[0].send("offer", what="claim")
    await wires[1].until("table", offer="claim")
    back = await opened.connect()
    await back.send("return", **seat_of(wires[2]))
    await back.until("hello")
    assert "nothing is offered" in await wires[1].ask("answer", agrees=True)
    assert the_table(opened).offer is None


async def test_an_undo_is_asked_for_declined_and_made_void_by_a_step(opened: Room) -> None:
    ann, ben = await opened.two_at("tapnswap")
    for wire in (ann, ben):  # before anybody is asked
        assert "no decision of yours" in await wire.ask("offer", what="undo")
    assert the_table(opened).offer is None
    await ann.send("action", id=the_id(opened))
    await ann.send("offer", what="undo")
    await ben.until("table", offer="undo")
    assert "something else" in await ben.ask("answer", agrees=True, what="rematch")
    await ben.send("answer", agrees=False, what="undo")
    assert (await ann.until("declined"))["what"] == "undo"
    await ann.send("offer", what="undo")
    await ann.until("table", offer="undo")
    await ben.send("action", id=the_id(opened), ply=1)
    await ann.until("table", offer=None)


async def test_every_clock_of_a_joint_step_runs_out(opened: Room) -> None:
    _, ben = await opened.two_at("pommerman", options={"mode": "duel"}, clock="2s")
    served = the_table(opened).served
    assert served is not None
    served.clock = Clock(TimeControl(2.0), [0.3, 0.6])
    served.go_on()
    served.act(0, Act("up"))
    over = await ben.until("over")
    assert (over["reason"], over["loser"]) == ("clock", 1)


@pytest.mark.parametrize("game", ["kuhn", "senet", "deepsea"])
async def test_whose_time_passes_is_told_after_every_throw_and_deal(
    game: str, opened: Room
) -> None:
    options = {"kuhn": {"hands": 9}, "deepsea": {"players": 2}}.get(game, {})
    clients = await opened.two_at(game, options=options, clock="5m+3s")
    served = the_table(opened).served
    assert served is not None
    while served.match.ply < 25:
        (seat,) = served.match.waiting_for
        legal = served.match.observe(seat).legal
        if len(legal) == 1:  # it is taken without being asked for
            await asyncio.sleep(0.02)
            continue
        for wire in clients:
            await wire.catch_up()
            told = [json.loads(text) for text in wire.texts if '"type": "table"' in text]
            assert told[-1]["running"] == [seat]
        await clients[seat].send("action", action=str(legal[0]))
        await clients[seat].until("observe", ply=served.match.ply + 1)


async def test_real_time_keeps_its_tick_however_fast_people_are(opened: Room) -> None:
    ann, ben = await opened.two_at("pommerman", options={"mode": "duel"}, tick="0.2")
    loop = asyncio.get_running_loop()
    await ann.until("observe")
    begun, first = loop.time(), the_table(opened).served.match.ply  # type: ignore[union-attr]
    for ply in range(first + 1, first + 6):
        for wire in (ann, ben):
            await wire.send("action", action="up")
        await ann.until("observe", ply=ply)
        await ben.until("observe", ply=ply)
    assert loop.time() - begun > 0.7


def test_what_was_taken_back_while_it_could_not_be_saved_is_not_done_later() -> None:
    desk: Any = Desk()
    served = serve(Race(), desk)

    def record(match: AnyMatch) -> None:
        if match.steps[-1].is_chance:
            raise StorageError("the disk is full.")

    desk.record, desk.rewrite = record, lambda _: None
    served.act(0, Act("step"))
    assert served.match.waiting_for == (CHANCE,)
    served.undo(0)
    assert served.match.waiting_for == (0,)


def test_who_reads_nothing_is_dropped_but_not_for_a_long_history() -> None:
    dropped: list[bool] = []
    nobody, loop = Mock(), asyncio.new_event_loop()
    for text, fewest, most in (("x" * 50_000, 20, 22), ("", 10_000, 10_001)):
        guest = Guest(nobody, "192.0.2.1", loop, lambda: dropped.append(True))
        guest.send(iter(["x" * 50_000] * 100))  # made when it is taken
        sent = 0
        while not guest.is_lost:
            guest.send(text)
            sent += 1
        assert fewest <= sent <= most
        assert dropped.pop()
    loop.close()
