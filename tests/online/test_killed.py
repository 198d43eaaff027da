"""A server that is killed at any moment: nothing that was acknowledged is lost."""

from __future__ import annotations

import random
import signal
import socket
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardgames_cli.online.client.arrival import KeptSeats, sit_down
from boardgames_cli.online.client.remote_session import RemoteSession
from boardgames_cli.online.codes import read_address
from boardgames_cli.online.messages import Join, Offer
from boardgames_cli.session.session import Event
from tests.online.servers import PATIENCE_SECONDS, all_reach, begin, told, wait_until
from tests.web.served import Served

pytestmark = pytest.mark.slow

KILLS = 3
HANDS = "9"
"""So few because an agent at a server takes more than a second for every answer."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def hosting(folder: Path, port: int, *words: str) -> Served:
    place = ("--listen", f"127.0.0.1:{port}", "--save-dir", str(folder))
    return Served(folder, *words, *place, verb="host")


def sit_down_at(host: Served, name: str, kept: KeptSeats | None = None) -> RemoteSession:
    address = read_address(host.address)
    return sit_down(address, Join(address.code, name), kept)


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
        with hosting(tmp_path, port, *words) as host:
            if not sessions:
                there = [sit_down_at(host, name) for name in ("Ann", "Ben")]
                sessions = [begin(one) for one in there]
            target = max(session.match.ply for session in sessions) + rng.randrange(5, 30)
            if kill == KILLS:
                target = 10_000
            play_until(sessions, target, rng)
            host.stop(signal.SIGKILL)
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
    with hosting(tmp_path, port, "kuhn", "--hands", HANDS, *words) as host:
        address, is_alone = read_address(host.address), "easy" in words
        there = [sit_down_at(host, "Ann", kept)]
        if not is_alone:
            there.append(sit_down_at(host, "Ben"))
        sessions = [begin(one) for one in there]
        ann = sessions[0]
        play_until(sessions, 5, rng)
        ann.talk("resign", "")
        all_reach(sessions, lambda one: one.next_event() is Event.OVER)
        ann.propose(Offer.REMATCH)
        if not is_alone:
            wait_until(sessions[1], lambda: sessions[1].table.offer is Offer.REMATCH)
            sessions[1].answer(agrees=True)
        all_reach(sessions, lambda one: one.company.games == 2)
        play_until(sessions, 12, rng)
        known, holders = actions(ann), ann.names
        assert (ann.humans, holders[1]) == ((1,), "Ann")
        host.stop(signal.SIGKILL)
    with hosting(tmp_path, port, "kuhn", "--hands", HANDS, *words):
        ann.close()
        again = sit_down(address, Join(address.code, "Ann"), kept)
        assert again.is_back
        sessions[0] = ann = begin(again)
        play_until(sessions, 24, rng)
        assert (ann.humans, ann.names) == ((1,), holders)
        assert actions(ann)[: len(known)] == known
        play_until(sessions, 10_000, rng)
        all_reach(sessions, lambda one: one.match.is_whole)
    for session in sessions:
        assert "Chance was fair" in told(session)
        session.close()


class Patience:
    """Fails when nothing has happened at a table for a long time."""

    def __init__(self, sessions: Sequence[RemoteSession]) -> None:
        self._sessions = sessions
        self._known: list[int] = []
        self._deadline = 0.0

    def check(self) -> None:
        known = [len(session.log.lines()) + session.match.ply for session in self._sessions]
        if known != self._known:
            self._known, self._deadline = known, time.monotonic() + PATIENCE_SECONDS
        assert time.monotonic() < self._deadline, [told(session) for session in self._sessions]


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
