"""Taking a session on where the program can wait for agents."""

from __future__ import annotations

import pytest

from boardgames_cli import registry
from boardgames_cli.session.blocking_loop import BlockingLoop
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.terminal.signals import SignalWatch


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toys with agents that misbehave."""
    for name in ("race", "pennies"):
        path = f"tests.plain.tables:{name.upper()}"
        monkeypatch.setitem(registry.BUILT_IN_GAMES, name, path)


def table(game: str, *seats: str) -> Session:
    return open_session(Setup(game, seats=seats, seed=1), Settings(save=False))


def loop_of(session: Session) -> BlockingLoop:
    return BlockingLoop(session, SignalWatch().waiting, lambda _: None)


def test_a_game_of_agents_is_played_to_its_end() -> None:
    session = table("race", "first", "random")
    loop = loop_of(session)
    plies = [session.match.ply]
    while loop.advance() is not Event.OVER:
        plies.append(session.match.ply)
    loop.close()
    assert session.match.is_over
    assert plies == list(range(session.match.ply + 1))
    assert loop.failures == 0


def test_a_person_is_waited_for() -> None:
    session = table("race", "human", "first")
    loop = loop_of(session)
    while loop.advance() is not Event.HUMAN:
        pass
    ply = session.match.ply
    assert loop.advance() is Event.HUMAN
    assert session.match.ply == ply
    loop.close()


def test_an_answer_that_was_given_up_is_not_taken_for_the_next() -> None:
    session = table("pennies", "failing", "first")
    loop = loop_of(session)
    stale = session.request().result()
    loop._answers.put(stale)
    assert stale.error is not None
    loop.advance()
    loop.advance()
    loop.close()
    assert session.match.ply == 1
    assert loop.failures == 1, "the stale failure is not counted, nor played for"
