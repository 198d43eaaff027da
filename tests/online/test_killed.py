"""A server that is killed at any moment: nothing that was acknowledged is lost."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardgames_cli.online.client.arrival import KeptSeats, sit_down
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import TableAddress
from boardgames_cli.online.messages import Join, Offer
from boardgames_cli.session.session import Event
from tests.online.servers import begin
from tests.online.test_tables import wait_until

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 60.0
KILLS = 3
HANDS = "9"
"""So few because an agent at a server takes more than a second for every answer."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def hosting(folder: Path, port: int, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that serves one table, and the code of its open seats."""
    command = [
        *(sys.executable, "-m", "boardgames_cli", "host", *words),
        *("--listen", f"127.0.0.1:{port}", "--save-dir", str(folder), "--no-color"),
    ]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        code = ""
        for line in process.stdout:
            found = re.search(r"/([A-Z0-9]{4}-[A-Z0-9]{4})", line)
            code = code or (found[1] if found else "")  # the second is for spectators
            if line.startswith("Ctrl+C"):
                break
        yield process, code
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def arrive(port: int, code: str, name: str) -> RemoteSession:
    return sit_down(TableAddress("127.0.0.1", port, code), Join(code, name))


def act_once(session: RemoteSession, rng: random.Random) -> bool:
    """Take news, and act if it is this side's turn; whether the game goes on."""
    session.connection.wait(0.02)
    session.poll()
    if session.next_event() is Event.HUMAN and session.connection.is_up:
        seat = session.humans[0]
        session.submit(seat, rng.choice(session.observe(seat).legal))
    return session.next_event() is not Event.OVER


@pytest.mark.parametrize(
    "words",
    [("senet", "-s", "open"), ("kuhn", "--hands", "60", "-s", "open")],
    ids=["senet", "kuhn"],
)
def test_kill_9_loses_nothing_that_was_acknowledged(words: tuple[str, ...], tmp_path: Path) -> None:
    port, rng = free_port(), random.Random(7)
    sessions: list[RemoteSession] = []
    for kill in range(KILLS + 1):
        with hosting(tmp_path, port, *words) as (process, code):
            if not sessions:
                there = [arrive(port, code, name) for name in ("Ann", "Ben")]
                sessions = [begin(one) for one in there]
            target = max(session.match.ply for session in sessions) + rng.randrange(5, 30)
            if kill == KILLS:
                target = 10_000
            play_until(sessions, target, rng)
            known = [actions(session) for session in sessions]
            os.kill(process.pid, signal.SIGKILL)
        for session, steps in zip(sessions, known, strict=True):
            assert actions(session)[: len(steps)] == steps
    for session in sessions:
        assert session.match.game.is_over(session.match.state)
        session.close()


@pytest.mark.parametrize(
    "words", [("-s", "open"), ("-s", "open", "-s", "easy")], ids=["people", "agent"]
)
def test_the_second_game_goes_on_after_kill_9(words: tuple[str, ...], tmp_path: Path) -> None:
    """Seats are exchanged, the dice are those of this game, and a restarted client knows it."""
    port, rng = free_port(), random.Random(5)
    kept = KeptSeats(tmp_path / "seats.json")
    with hosting(tmp_path, port, "kuhn", "--hands", HANDS, *words) as (process, code):
        address = TableAddress("127.0.0.1", port, code)
        is_alone = "easy" in words
        names = ["Ann"] if is_alone else ["Ann", "Ben"]
        there = [
            sit_down(address, Join(code, name), kept if name == "Ann" else None) for name in names
        ]
        sessions = [begin(one) for one in there]
        ann = sessions[0]
        play_until(sessions, 5, rng)
        ann.talk("resign", "")
        for one in sessions:
            wait_until(one, lambda one=one: one.next_event() is Event.OVER)  # type: ignore[misc]
        ann.propose(Offer.REMATCH)
        if not is_alone:
            wait_until(sessions[1], lambda: sessions[1].table.offer is Offer.REMATCH)
            sessions[1].answer(agrees=True)
        for one in sessions:
            wait_until(one, lambda one=one: one.company.games == 2)  # type: ignore[misc]
        play_until(sessions, 12, rng)
        known, holders = actions(ann), ann.names
        assert (ann.humans, holders[1]) == ((1,), "Ann")
        os.kill(process.pid, signal.SIGKILL)
    with hosting(tmp_path, port, "kuhn", "--hands", HANDS, *words):
        ann.close()
        again = sit_down(address, Join(code, "Ann"), kept)
        assert again.is_back
        sessions[0] = ann = begin(again)
        play_until(sessions, 24, rng)
        assert (ann.humans, ann.names) == ((1,), holders)
        assert actions(ann)[: len(known)] == known
        play_until(sessions, 10_000, rng)
        for one in sessions:
            wait_until(one, lambda one=one: one.match.is_whole)  # type: ignore[misc]
    for session in sessions:
        assert any("The dice were fair" in line.text for line in session.log.lines())
        session.close()


class Patience:
    """Fails when nothing has happened at a table for a long time."""

    def __init__(self, sessions: Sequence[RemoteSession]) -> None:
        self._sessions = sessions
        self._known: list[int] = []
        self._deadline = 0.0

    def check(self) -> None:
        """To be called again and again."""
        known = [len(session.log.lines()) + session.match.ply for session in self._sessions]
        if known != self._known:
            self._known, self._deadline = known, time.monotonic() + PATIENCE_SECONDS
        said = [[line.text for line in session.log.lines()[-5:]] for session in self._sessions]
        assert time.monotonic() < self._deadline, said


def play_until(sessions: list[RemoteSession], ply: int, rng: random.Random) -> None:
    """Let both sides act at random until a ply or the end; what they knew must come back."""
    known = [actions(session) for session in sessions]
    patience = Patience(sessions)
    while sessions[0].match.ply < ply:
        patience.check()
        goes_on = [act_once(session, rng) for session in sessions]
        if not any(goes_on):
            break
    for session, steps in zip(sessions, known, strict=True):
        assert actions(session)[: len(steps)] == steps


def actions(session: RemoteSession) -> list[dict[int, object]]:
    """What the seats did; outcomes of chance are revealed at the end."""
    return [dict(step.joint) for step in session.match.steps]
