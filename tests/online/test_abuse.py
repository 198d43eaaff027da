"""Clients that mean harm, or are broken: the server goes on, and other tables do not notice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from boardgames_cli.online import addresses
from boardgames_cli.online.addresses import check_origin, network_of
from boardgames_cli.online.codes import VISITOR_HEADER, new_pass
from boardgames_cli.online.messages import LONGEST_MESSAGE, Open, write_client
from boardgames_cli.online.server import table_server
from boardgames_cli.storage.paths import log_file
from tests.online.test_parts import MESSAGES
from tests.online.wire import PATIENCE_SECONDS, Room, Wire, holds, room, seat_of

CONNECTIONS = 1200
MOST_GROWTH_KB = 200_000


@contextlib.asynccontextmanager
async def beside_others(folder: Path, **options: Any) -> AsyncIterator[Room]:
    """A server at which two others play on, who must not notice what happens meanwhile."""
    async with room(folder, connections_an_address=CONNECTIONS + 100, **options) as opened:
        ann, ben = await opened.two_at("tapnswap")
        yield opened
        for wire, other, ply in ((ann, ben, 0), (ben, ann, 1)):
            seen = next(text for text in reversed(wire.texts) if '"observe"' in text)
            await wire.send("action", action=json.loads(seen)["legal"][0], ply=ply)
            await other.until("observe", ply=ply + 1)
            await wire.until("observe", ply=ply + 1)


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Room]:
    async with beside_others(tmp_path) as made:
        yield made


FRAMES = [*map(write_client, MESSAGES), '{"type": "watch", "code": "KEGA-3F2P"}']
ODD: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1e308,
    "",
    "\x00\x1b[2J",
    "\ud800",
    [],
    {},
    [[]] * 9,
    "human:,",
]


def mutated(frame: str, rng: random.Random) -> str:
    """A frame with a value, a key or some characters changed."""
    match rng.randrange(4):
        case 0:
            data = json.loads(frame)
            data[rng.choice(list(data))] = rng.choice(ODD)
            return json.dumps(data)
        case 1:
            data = json.loads(frame)
            data.pop(rng.choice(list(data)))
            return json.dumps(data)
        case 2:
            at = rng.randrange(len(frame))
            return frame[:at] + rng.choice('"{}[],:\\0x') + frame[at + rng.randrange(3) :]
        case _:
            return frame[: rng.randrange(len(frame))]


async def throw(opened: Room, frames: list[str]) -> None:
    """Send frames, with a new connection now and then and whenever the server ends one."""
    wire = await opened.connect()
    for number, frame in enumerate(frames, 1):
        if wire.socket.closed:
            wire = await opened.connect()
        with contextlib.suppress(ConnectionError):
            await wire.socket.send_str(frame.encode("utf-8", "replace").decode())
        if number % 100 == 0:  # sooner than a fast client must wait
            await wire.socket.close()


@pytest.mark.usefixtures("clean_environment")
async def test_mutated_frames_hurt_nobody(opened: Room) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rng = random.Random(3)
    await throw(opened, [mutated(rng.choice(FRAMES), rng) for _ in range(2000)])
    assert not log_file().exists(), "nothing has failed"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + MOST_GROWTH_KB


async def test_messages_that_are_too_long_end_their_connection(opened: Room) -> None:
    wire = await opened.connect()
    await wire.socket.send_str("x" * (LONGEST_MESSAGE + 1))
    with pytest.raises(TypeError):
        await wire.until("never")
    assert wire.socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG


@pytest.fixture
async def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A server that waits for nobody; its two games go on."""
    for place in (addresses, table_server):
        monkeypatch.setattr(place, "FIRST_SECONDS", 0.3)
    async with beside_others(tmp_path) as made:
        yield made


@pytest.mark.parametrize(
    "data", [b"", b"GET /table HTTP/1.1\r\nHost: 127.0"], ids=["silent", "slow"]
)
async def test_who_sends_no_whole_request_is_cut_off(data: bytes, impatient: Room) -> None:
    opened = [await asyncio.open_connection("127.0.0.1", impatient.port) for _ in range(100)]
    for _, writer in opened:
        writer.write(data)
    for reader, writer in opened:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await reader.read()
        writer.close()


@pytest.mark.parametrize("says", [[], ["tables", "say"]], ids=["silent", "talking"])
async def test_who_sits_nowhere_is_cut_off(says: list[str], impatient: Room) -> None:
    """What else they say makes no difference: nobody stays without a table."""
    wire = await impatient.connect()

    async def talk() -> None:
        while says and not wire.socket.closed:
            for kind in says:
                await wire.socket.send_str(json.dumps({"type": kind, "text": "hello"}))
            await asyncio.sleep(0.01)

    talking = asyncio.create_task(talk())
    message = await asyncio.wait_for(_last_of(wire), PATIENCE_SECONDS)
    assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
    await asyncio.gather(talking, return_exceptions=True)


async def test_who_has_no_place_any_more_is_cut_off(impatient: Room) -> None:
    ann, ben = await impatient.two_at("kuhn")
    again = await impatient.connect()
    await again.send("return", **seat_of(ben))
    await again.until("hello")
    await ben.until("closed")
    await ann.send("leave")
    for gone in (ben, ann):
        message = await asyncio.wait_for(_last_of(gone), PATIENCE_SECONDS)
        assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def _last_of(wire: Wire) -> aiohttp.WSMessage:
    while (message := await wire.socket.receive()).type is aiohttp.WSMsgType.TEXT:
        pass
    return message


async def test_a_thousand_connections_at_once(
    monkeypatch: pytest.MonkeyPatch, opened: Room
) -> None:
    for limit in ("FIRST_SECONDS", "_HEARTBEAT_SECONDS"):  # a busy machine reads no pings meanwhile
        monkeypatch.setattr(table_server, limit, 10 * PATIENCE_SECONDS)
    wires = await asyncio.gather(*(opened.connect() for _ in range(CONNECTIONS)))
    await asyncio.gather(*(wire.catch_up() for wire in wires))
    assert len(opened.server.guests) == CONNECTIONS + 2
    await asyncio.gather(*(wire.socket.close() for wire in wires))
    await holds(lambda: len(opened.server.guests) == 2)
    assert len(opened.server.limit.held) == 1


async def test_connections_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    async with beside_others(tmp_path, connections=5) as opened:
        wires = [await opened.connect() for _ in range(3)]
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await opened.connect()
        await wires[0].socket.close()
        await holds(lambda: len(opened.server.guests) == 4)
        await opened.connect()


async def test_a_slow_reader_is_dropped_and_comes_back(opened: Room) -> None:
    ann, ben = await opened.two_at("senet")
    (table,) = [one for one in opened.server.lobby if one.settings.game == "senet"]
    ben_is_read = asyncio.create_task(ben.until("never"))
    pause_reading(ann)
    for _ in range(400):
        table.people.tell("remark", text="x" * 50_000)
        await asyncio.sleep(0.005)
    await holds(lambda: 0 not in table.people.here)
    assert 1 in table.people.here
    ben_is_read.cancel()
    again = await opened.connect()
    await again.send("return", **seat_of(ben))
    await again.until("hello")


def pause_reading(wire: Wire) -> None:
    connection = wire.socket._response.connection
    assert connection is not None
    assert connection.transport is not None
    connection.transport.pause_reading()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Host": "127.0.0.1", "Origin": "ftp://127.0.0.1"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Host": "evil.example"},
        {"Host": "[::1"},
        {"Host": "127.0.0.1.evil.example:80"},
    ],
    ids=str,
)
async def test_pages_of_others_get_no_connection(headers: dict[str, str], opened: Room) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await opened.connect(headers=headers)
    assert refused.value.status in (400, 403)


async def test_guesses_keep_no_others_away(opened: Room) -> None:
    """Neither other visitors of a page, nor who has a seat at the same address."""
    ann = await opened.connect()
    await ann.send("open", game="kuhn", seats=["human:Ann", "open"])
    code = (await ann.until("welcome"))["code"]

    def as_visitor(name: str) -> dict[str, Any]:
        return {"headers": {VISITOR_HEADER: new_pass(opened.server.secret, name)}}

    guesser = await opened.connect(**as_visitor("eve"))
    reasons = [await guesser.ask("join", code="KEGA-3F2P") for _ in range(8)]
    assert "too many wrong codes" in reasons[-1]
    again = await opened.connect(**as_visitor("eve"))
    assert "too many wrong codes" in await again.ask("join", code=code)

    # Whoever makes up a pass is only an address.
    forger = await opened.connect(headers={VISITOR_HEADER: "ben " + "0" * 64})
    for _ in range(8):
        await forger.ask("join", code="KEGA-3F2P")
    ben = await opened.connect(**as_visitor("ben"))
    await ben.send("join", code=code, name="Ben")
    await ben.until("welcome")
    again = await opened.connect()
    await again.send("return", **seat_of(ann))
    await again.until("hello")


async def test_an_address_may_open_so_many_tables(tmp_path: Path) -> None:
    async with beside_others(tmp_path, tables_an_address=3) as opened:
        for _ in range(2):
            wire = await opened.connect()
            await wire.send("open", game="kuhn", seats=["human:Ann"])
            await wire.until("welcome")
            await wire.socket.close()
        wire = await opened.connect()
        assert "no room" in await wire.ask("open", game="kuhn", seats=["human:Ann"])


def test_a_page_without_encryption_gets_no_encrypted_connection() -> None:
    def request(scheme: str, origin: str) -> web.Request:
        headers = {"Host": "games.example.org", "Origin": f"{origin}://games.example.org"}
        return make_mocked_request("GET", "/table", headers).clone(scheme=scheme)

    for scheme, origin in (("http", "http"), ("https", "https"), ("http", "https")):
        check_origin(request(scheme, origin))  # the last one behind a proxy with TLS
    with pytest.raises(web.HTTPForbidden):
        check_origin(request("https", "http"))


async def test_tables_that_clients_opened_and_left_are_given_up_after_an_hour(opened: Room) -> None:
    ann = await opened.connect()
    await ann.send("open", game="kuhn", seats=["human:Ann", "open"])
    await ann.until("welcome")
    opened.server.lobby.open(None, Open("kuhn", {}, ("open", "open")), "the owner")
    await ann.socket.close()
    await holds(lambda: len(opened.server.guests) == 2)
    for table in opened.server.lobby:
        table.people.left_at -= 3700
    opened.server.lobby.sweep()
    left = [table.settings.opening for table in opened.server.lobby if table.served is None]
    assert left == ["the owner"]


def test_limits_count_the_owner_of_an_address() -> None:
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
