"""Several servers with one lobby: real processes, and a real Redis as its users start it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from boardgames_cli.core.errors import GameError
from boardgames_cli.online.client.arrival import list_tables, sit_down
from boardgames_cli.online.codes import TableAddress, read_address
from boardgames_cli.online.messages import Join, ListedTable, Open
from boardgames_cli.online.server.shared_lobby import ALIVE_SECONDS
from boardgames_cli.session.session import Event
from tests.e2e.test_plain_terminal import pipe
from tests.online.servers import PATIENCE_SECONDS, begin
from tests.online.test_killed import Patience, act_once, actions, free_port, play_until
from tests.web.served import Served

PROGRAM = shutil.which("redis-server")
FOR_EVER = -1
"""What Redis says of what it never forgets."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.second_try("waits for several servers"),
    pytest.mark.skipif(PROGRAM is None, reason="needs redis-server (apt-get install redis-server)"),
]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    assert PROGRAM is not None
    port = free_port()
    command = [PROGRAM, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while "Ready to accept connections" not in process.stdout.readline():
        assert process.poll() is None
    yield f"redis://127.0.0.1:{port}/0"
    process.terminate()
    process.wait()
    process.stdout.close()


def server(folder: Path, redis: str, port: int = 0) -> Served:
    return Served(folder, "--redis", redis, *(["--port", str(port)] if port else []))


def listed(address: TableAddress, words: str) -> ListedTable:
    """Wait until a server lists a table."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        for table in list_tables(address):
            if words in table.label:
                return table
        time.sleep(0.2)
    raise AssertionError(f"no table has {words}")


def test_a_table_outlives_its_server(redis: str, tmp_path: Path) -> None:
    rng, port = random.Random(3), free_port()
    with server(tmp_path, redis, port) as first, server(tmp_path, redis) as second:
        here, there = read_address(first.address), read_address(second.address)
        opening = Open("senet", {}, ("human:Ann", "open"))
        ann = sit_down(here, opening)
        table = listed(there, "senet, Ann v open")
        assert table.code == ann.welcome.code
        # The second server hands both on to the first.
        ben = sit_down(there, Join(table.code, "Ben"))
        sessions = [begin(ann), begin(ben)]
        eve = begin(sit_down(there, Join(table.watch)))
        assert eve.names == sessions[0].names
        play_until(sessions, 8, rng)
        patience = Patience(sessions)
        while sessions[1].next_event() is not Event.HUMAN:  # who would act at the wrong server
            patience.check()
            act_once(sessions[0], rng)
            sessions[1].poll()

        first.stop(signal.SIGKILL)
        # It is noticed in ten seconds, and the second one, which has the folder, goes on.
        (tmp_path / "elsewhere").mkdir()
        with server(tmp_path / "elsewhere", redis, port):
            play_until(sessions, 20, rng)
            patience = Patience([eve])
            while eve.match.ply < 20:
                patience.check()
                act_once(eve, rng)
            for session in (*sessions, eve):
                session.close()


def owners(known: Redis, table: str) -> list[str]:
    """The processes that have published a table."""
    published = known.hgetall("boardgames:tables").items()
    return [str(process) for process, said in published if f'"id": "{table}"' in str(said)]


@pytest.mark.parametrize("wakes_up", [True, False], ids=["wakes up", "is killed"])
def test_a_table_leaves_a_server_that_hangs(redis: str, tmp_path: Path, wakes_up: bool) -> None:
    """One of two others opens it; the one that hung has it no more."""
    rng = random.Random(4)
    with (
        server(tmp_path, redis) as first,
        server(tmp_path, redis) as second,
        server(tmp_path, redis),
        Redis.from_url(redis, decode_responses=True) as known,
    ):
        here, there = read_address(first.address), read_address(second.address)
        ann = sit_down(there, Open("senet", {}, ("human:Ann", "open"), clock="1h"))
        table = ann.connection.seat.table
        code = listed(here, "senet, Ann v open").code
        ben = sit_down(here, Join(code, "Ben"))  # at the owner or not, as it comes
        sessions = [begin(ann), begin(ben)]
        play_until(sessions, 8, rng)
        steps = [actions(session) for session in sessions]
        (old,) = owners(known, table)
        os.kill(second.pid, signal.SIGSTOP)
        try:
            patience = Patience(sessions)
            while old in owners(known, table):  # until the others have forgotten it
                patience.check()
                time.sleep(0.2)
            assert len(owners(known, table)) == 1
            if not wakes_up:
                second.stop(signal.SIGKILL)
        finally:
            if wakes_up:
                os.kill(second.pid, signal.SIGCONT)
        if wakes_up:
            play_until(sessions, 20, rng)
        patience = Patience(sessions)
        for session, before in zip(sessions, steps, strict=True):
            while actions(session)[: len(before)] != before:  # all of it may be on its way again
                patience.check()
                act_once(session, rng)
        (new,) = owners(known, table)
        assert new != old
        for session in sessions:
            session.close()


def test_tables_that_nobody_can_open_are_shown_as_away(redis: str, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    with server(folders[0], redis) as first, server(folders[1], redis) as second:
        there = read_address(second.address)
        opening = Open("kuhn", {}, ("human:Ann", "open"))
        ann = sit_down(read_address(first.address), opening)
        code = listed(there, "join: kuhn, Ann v open").code
        ann.close()
        first.stop(signal.SIGKILL)
        assert not listed(there, "away: kuhn, Ann v open").code
        with pytest.raises(GameError, match="away"):
            sit_down(there, Join(code, "Ben"))
        with pytest.raises(GameError, match="no table has this code"):
            sit_down(there, Join("KEGA-3F2P", "Ben"))
        with server(folders[0], redis):
            assert listed(there, "join: kuhn, Ann v open").code == code
            ben = sit_down(there, Join(code, "Ben"))
            ben.close()


def test_redis_forgets_a_process_that_is_silent_for_ten_seconds(redis: str, tmp_path: Path) -> None:
    with server(tmp_path, redis), Redis.from_url(redis) as known:
        lives = [known.ttl(name) for name in known.keys("boardgames:alive:*")]
        assert len(lives) == 1
        assert lives[0] != FOR_EVER
        assert lives[0] <= ALIVE_SECONDS


def test_a_redis_that_was_emptied_is_told_of_all_tables_again(redis: str, tmp_path: Path) -> None:
    with server(tmp_path, redis) as served, Redis.from_url(redis) as known:
        ann = sit_down(read_address(served.address), Open("kuhn", {}, ("human:Ann", "open")))
        known.flushall()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while ann.welcome.code not in str(known.hvals("boardgames:tables")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        ann.close()


def test_a_server_without_redis_says_so(tmp_path: Path) -> None:
    for url, words in (
        (f"redis://127.0.0.1:{free_port()}", "Redis can't be used"),
        ("nonsense", "not the address of a Redis server"),
    ):
        told = pipe(tmp_path, "serve", "--port", "0", "--redis", url)
        assert told.returncode == 2
        assert words in told.stderr
        assert "Traceback" not in told.stderr
