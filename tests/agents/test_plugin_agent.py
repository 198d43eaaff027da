"""Agents in processes of their own, good and bad, and what their game sees of them."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.remote import client as remote_client
from boardgames_cli.agents.remote.log import LOG_VARIABLE
from boardgames_cli.agents.remote.program import PluginAgent
from boardgames_cli.core.agent import (
    Budget,
    EvaluatesActions,
    ExplainsActions,
    RunsElsewhere,
    Thinking,
)
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.match import AnyMatch, Match, brief, play
from boardgames_cli.registry import make, make_agent
from tests.processes import is_alive, wait_until
from tests.strangers import installed

GAME = make("tapnswap")
SEEN = Match(GAME, seed=1).observe(0)
SHORT = Budget(seconds=0.1)


@pytest.fixture(autouse=True)
def strangers(time_to_end: None) -> Iterator[None]:
    with installed("guest", "odd", "learner"):
        yield


@pytest.fixture
def seat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., PluginAgent]]:
    """Seat an agent; it is ended when the test is over."""
    monkeypatch.setattr(remote_client, "GRACE_SECONDS", 0.2)
    seated = []

    def make_seat(text: str, **more: Any) -> PluginAgent:
        agent = PluginAgent(text, GAME, **more)
        seated.append(agent)
        return agent

    yield make_seat
    for agent in seated:
        agent.close()


def pid_of(agent: PluginAgent) -> int:
    assert agent._child is not None
    return agent._child.pid


def thinking(budget: Budget = Budget(), cancelled: bool = False) -> Thinking:  # noqa: B008  # frozen
    return Thinking(random.Random(1), budget, lambda: cancelled)


def take_part(agent: PluginAgent) -> Any:
    """Let it begin a game, watch and act."""
    brief(agent, GAME, 0, [SEEN])
    return agent.act(SEEN, thinking())


def test_it_answers_with_the_games_own_action(seat: Callable[..., PluginAgent]) -> None:
    agent = seat("guest")
    agent.reset(GAME, 0)
    reports: list[str] = []
    asked = thinking()
    asked.report = reports.append
    answer = agent.act(SEEN, asked)
    assert any(answer is action for action in SEEN.legal)
    assert reports == ["drawing"]
    assert isinstance(agent, RunsElsewhere)


def test_it_plays_like_the_agent_itself(seat: Callable[..., PluginAgent]) -> None:
    direct: AnyMatch = Match(GAME, seed=5, max_plies=12)
    play(direct, [make_agent("learner", GAME)] * 2)
    elsewhere: AnyMatch = Match(GAME, seed=5, max_plies=12)
    play(elsewhere, [seat("learner"), seat("learner")])
    assert elsewhere.steps == direct.steps


def test_it_can_what_the_agent_can(seat: Callable[..., PluginAgent]) -> None:
    guest, learner = seat("guest"), seat("learner")
    for agent in (guest, learner):
        assert agent.prepare(60.0)
        agent.reset(GAME, 0)
    assert isinstance(guest, EvaluatesActions)
    assert isinstance(guest, ExplainsActions)
    assert not isinstance(learner, EvaluatesActions | ExplainsActions)
    values = guest.evaluate_actions(SEEN, thinking())
    assert values == {action: float(place) for place, action in enumerate(SEEN.legal)}
    assert guest.explain_actions(SEEN, thinking())[SEEN.legal[1]] == "place 1"


def test_a_short_seed_can_not_be_found_by_trying_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    derive = hashlib.pbkdf2_hmac

    def count(kind: str, secret: bytes, salt: bytes, iterations: int) -> bytes:
        rounds.append(iterations)
        return derive(kind, secret, salt, 1)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", count)
    assert remote_client.slow_key(b"1") != remote_client.slow_key(b"2")
    assert min(rounds) >= 100_000


def test_its_luck_can_be_repeated_and_hangs_on_the_secret(
    seat: Callable[..., PluginAgent],
) -> None:
    def drawn(secret: int) -> list[int]:
        agent = seat("guest", seed=secret)
        agent.reset(GAME, 0)
        return [agent._draw(Thinking(random.Random(number))) for number in range(4)]

    assert drawn(1) == drawn(1)
    assert not set(drawn(1)) & set(drawn(2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("odd:colour=red", 'unknown odd option "colour"'),
        ("odd:when=never", "when can't be 'never'"),
        ("odd:way=error,when=init", 'agent "odd" failed while it was made (ValueError: out of'),
        (
            "odd:way=exit,when=supports",
            'agent "odd" failed when it was asked whether it plays this game (SystemExit: 3)',
        ),
        ("odd:way=die,when=init", 'agent "odd" ended unexpectedly (exit code 7)'),
        ("nobody", 'unknown agent "nobody"'),
    ],
)
def test_one_that_cant_be_made_says_why(
    seat: Callable[..., PluginAgent], text: str, message: str
) -> None:
    agent = seat(text)
    for _ in range(2):
        with pytest.raises(GameError) as caught:
            agent.prepare(60.0)
        assert message in caught.value.message
        assert caught.value.todo


@pytest.mark.parametrize("when", ["reset", "watch", "act"])
@pytest.mark.parametrize("way", ["error", "mute", "exit", "interrupt", "generator", "die", "crash"])
def test_one_that_fails_is_named_and_begins_anew(
    seat: Callable[..., PluginAgent], way: str, when: str
) -> None:
    agent = seat(f"odd:way={way},when={when}")
    for _ in range(2):
        with pytest.raises(AgentError, match=r'agent "odd" (failed|ended)') as caught:
            take_part(agent)
        assert "Seat another agent" in caught.value.todo
        assert "Traceback" not in str(caught.value)


def test_one_that_does_not_come_back_is_ended(seat: Callable[..., PluginAgent]) -> None:
    agent = seat("odd:way=hog")
    agent.reset(GAME, 0)
    pid = pid_of(agent)
    with pytest.raises(AgentError, match="did not answer in time"):
        agent.act(SEEN, thinking(SHORT))
    wait_until(lambda: not is_alive(pid))
    agent.reset(GAME, 0)
    assert pid_of(agent) != pid


def test_one_that_does_not_listen_when_hurried_is_ended(seat: Callable[..., PluginAgent]) -> None:
    agent = seat("odd:way=hog")
    agent.reset(GAME, 0)
    with pytest.raises(AgentError, match="did not answer in time"):
        agent.act(SEEN, thinking(cancelled=True))


def test_one_that_listens_answers_when_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_client, "GRACE_SECONDS", 60.0)
    game = make("pommerman", mode="duel")
    agent = PluginAgent("hard", game)
    match: AnyMatch = Match(game, seed=1)
    while match.waiting_for == (-1,):
        match.resolve_chance()
    try:
        agent.reset(game, 0)
        assert agent.act(match.observe(0), thinking(cancelled=True)) in match.observe(0).legal
    finally:
        agent.close()


def test_another_thread_can_stop_it(seat: Callable[..., PluginAgent]) -> None:
    agent = seat("odd:way=hog")
    agent.reset(GAME, 0)
    problems: list[str] = []

    def ask() -> None:
        try:
            agent.act(SEEN, thinking())
        except AgentError as error:
            problems.append(error.message)

    thread = threading.Thread(target=ask)
    thread.start()
    agent.stop()
    thread.join(20)
    assert problems == ['agent "odd" ended unexpectedly (signal SIGKILL).']
    agent.close()
    with pytest.raises(AgentError, match="is closed"):
        agent.reset(GAME, 0)


def test_what_only_claims_to_be_legal_is_refused(seat: Callable[..., PluginAgent]) -> None:
    agent = seat("odd:answer=win")
    agent.reset(GAME, 0)
    with pytest.raises(AgentError, match='answered "win" at ply 0, which is not legal'):
        agent.act(SEEN, thinking())


def test_it_neither_prints_nor_reads(
    seat: Callable[..., PluginAgent],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path / "agents.log"))
    agent = seat("odd:way=print")
    agent.reset(GAME, 0)
    with pytest.raises(AgentError, match=r"EOFError"):
        agent.act(SEEN, thinking())
    assert capfd.readouterr() == ("", "")
    agent.close()  # then all that it has written is in the log
    assert (tmp_path / "agents.log").read_text() == "stray output\nmore of it\n"
