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

from boardgames_cli.core.errors import GameError
from boardgames_cli.online.arrival import Arrival, ListedTable, list_tables
from boardgames_cli.online.codes import TableAddress, read_address
from boardgames_cli.online.messages import Join, Open, Watch
from boardgames_cli.session.session import Event
from tests.online.servers import begin
from tests.online.test_killed import act_once, actions, free_port, play_until
from tests.web.served import Served

PROGRAM = shutil.which("redis-server")
PATIENCE_SECONDS = 60.0

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for several servers"),
    pytest.mark.skipif(PROGRAM is None, reason="needs redis-server (apt-get install redis-server)"),
]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    """The URL of a Redis server."""
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
        opening = Open("senet", {}, ("human:Ann", "open"), is_watchable=True)
        ann = Arrival(here, opening)
        table = listed(there, "senet, Ann v open")
        assert table.code == ann.welcome.code
        # The second server hands both on to the first.
        ben = Arrival(there, Join(table.code, "Ben"))
        sessions = [begin(ann), begin(ben)]
        eve = begin(Arrival(there, Watch(table.watch)))
        assert eve.names == sessions[0].names
        play_until(sessions, 8, rng)
        known = [actions(session) for session in sessions]

        os.kill(first.pid, signal.SIGKILL)
        first._process.wait()
        # It is noticed in ten seconds, and the second one, which has the folder, goes on.
        (tmp_path / "elsewhere").mkdir()
        with server(tmp_path / "elsewhere", redis, port):
            deadline = time.monotonic() + 2 * PATIENCE_SECONDS
            while any(session.match.ply < 10 for session in sessions):
                assert time.monotonic() < deadline
                for session in sessions:
                    act_once(session, rng)
            play_until(sessions, 20, rng)
            for session, steps in zip(sessions, known, strict=True):
                assert actions(session)[: len(steps)] == steps
            assert eve.next_event() is not Event.OVER
            act_once(eve, rng)
            assert eve.match.ply >= 8
            for session in (*sessions, eve):
                session.close()


def test_tables_that_nobody_can_open_are_shown_as_away(redis: str, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    with server(folders[0], redis) as first, server(folders[1], redis) as second:
        there = read_address(second.address)
        opening = Open("kuhn", {}, ("human:Ann", "open"))
        ann = Arrival(read_address(first.address), opening)
        code = listed(there, "join: kuhn, Ann v open").code
        ann.close()
        os.kill(first.pid, signal.SIGKILL)
        first._process.wait()
        killed = time.monotonic()
        assert not listed(there, "away: kuhn, Ann v open").code
        assert time.monotonic() - killed < 15
        with pytest.raises(GameError, match="away"):
            Arrival(there, Join(code, "Ben"))
        with pytest.raises(GameError, match="no table has this code"):
            Arrival(there, Join("KEGA-3F2P", "Ben"))
        with server(folders[0], redis):
            assert listed(there, "join: kuhn, Ann v open").code == code
            ben = Arrival(there, Join(code, "Ben"))
            ben.close()


def test_a_server_without_redis_says_so(tmp_path: Path) -> None:
    from tests.e2e.screens import environment
    from tests.online.test_discovery import program

    for url, words in (
        (f"redis://127.0.0.1:{free_port()}", "Redis can't be used"),
        ("nonsense", "not the address of a Redis server"),
    ):
        told = subprocess.run(
            program("serve", "--port", "0", "--redis", url),
            capture_output=True,
            text=True,
            timeout=60,
            env=environment(tmp_path),
            check=False,
        )
        assert told.returncode == 2
        assert words in told.stderr
        assert "Traceback" not in told.stderr
