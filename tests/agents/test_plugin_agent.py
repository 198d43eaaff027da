"""Agents in processes of their own, good and bad, and what their game sees of them."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardgames_cli.agents.remote.client import draw_number, slow_key
from boardgames_cli.agents.remote.log import LOG_VARIABLE
from boardgames_cli.agents.remote.program import PluginAgent
from boardgames_cli.core.agent import (
    EvaluatesActions,
    ExplainsActions,
    RunsElsewhere,
)
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make, make_agent
from tests.agents.seats import GAME, PATIENT, SEEN, SHORT, Seat, take_part, thinking
from tests.campaigns.test_strangers import left_behind
from tests.processes import wait_until
from tests.strangers import installed


@pytest.fixture(autouse=True)
def strangers(time_to_end: None) -> Iterator[None]:
    with installed("guest", "odd", "learner"):
        yield


def test_it_answers_with_the_games_own_action(seat: Seat) -> None:
    agent = seat(PluginAgent("guest", GAME))
    agent.reset(GAME, 0)
    reports: list[str] = []
    asked = thinking()
    asked.report = reports.append
    answer = agent.act(SEEN, asked)
    assert any(answer is action for action in SEEN.legal)
    assert reports == ["drawing"]
    assert isinstance(agent, RunsElsewhere)


def test_it_plays_like_the_agent_itself(seat: Seat) -> None:
    direct: AnyMatch = Match(GAME, seed=5, max_plies=12)
    play(direct, [make_agent("learner", GAME)] * 2)
    elsewhere: AnyMatch = Match(GAME, seed=5, max_plies=12)
    play(elsewhere, [seat(PluginAgent("learner", GAME)), seat(PluginAgent("learner", GAME))])
    assert elsewhere.steps == direct.steps


def test_it_can_what_the_agent_can(seat: Seat) -> None:
    guest, learner = seat(PluginAgent("guest", GAME)), seat(PluginAgent("learner", GAME))
    for agent in (guest, learner):
        assert agent.prepare(60.0)
        agent.reset(GAME, 0)
    assert isinstance(guest, EvaluatesActions)
    assert isinstance(guest, ExplainsActions)
    assert not isinstance(learner, EvaluatesActions | ExplainsActions)
    values = guest.evaluate_actions(SEEN, thinking())
    assert values == {action: float(place) for place, action in enumerate(SEEN.legal)}
    assert guest.explain_actions(SEEN, thinking())[SEEN.legal[1]] == "place 1"


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
def test_one_that_cant_be_made_says_why(seat: Seat, text: str, message: str) -> None:
    agent = seat(PluginAgent(text, GAME))
    for _ in range(2):
        with pytest.raises(GameError) as caught:
            agent.prepare(60.0)
        assert message in caught.value.message
        assert caught.value.todo


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(
            (f"odd:way={way},when={when}", "(failed|ended)")
            for way in ("error", "mute", "exit", "interrupt", "generator", "die", "crash")
            for when in ("reset", "watch", "act")
        ),
        ("odd:way=hog", "did not answer in time"),
        ("odd:answer=win", 'answered "win" at ply 0, which is not legal'),
    ],
)
def test_one_that_misbehaves_is_named_and_begins_anew(
    seat: Seat, text: str, told: str, mark: None, tmp_path: Path
) -> None:
    agent = seat(PluginAgent(text, GAME))
    for _ in range(2):
        with pytest.raises(AgentError, match=f'agent "odd" {told}') as caught:
            take_part(agent, SHORT if "hog" in text else PATIENT)
        assert ("Legal: " if "win" in text else "Seat another agent") in caught.value.todo
        assert "Traceback" not in str(caught.value)
    if "hog" in text:
        wait_until(lambda: not left_behind(tmp_path))


def test_one_that_does_not_listen_when_hurried_is_ended(seat: Seat) -> None:
    agent = seat(PluginAgent("odd:way=hog", GAME))
    agent.reset(GAME, 0)
    with pytest.raises(AgentError, match="did not answer in time"):
        agent.act(SEEN, thinking(cancelled=True))


def test_a_short_seed_can_not_be_found_by_trying_all() -> None:
    rounds = 200_000  # 50 to 100 ms
    slow = hashlib.pbkdf2_hmac("sha256", b"1", b"boardgames agents", rounds)
    assert slow_key(b"1") == slow != slow_key(b"2")
    assert 0 < draw_number(random.Random(1), slow) >> 40 < 1 << 13, "53 bits"


def test_one_that_listens_answers_when_hurried(grace: Callable[[float], None]) -> None:
    grace(60.0)
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


def test_another_thread_can_stop_it(seat: Seat) -> None:
    agent = seat(PluginAgent("odd:way=hog", GAME))
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


def test_it_neither_prints_nor_reads(
    seat: Seat,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path / "agents.log"))
    agent = seat(PluginAgent("odd:way=print", GAME))
    agent.reset(GAME, 0)
    with pytest.raises(AgentError, match=r"EOFError"):
        agent.act(SEEN, thinking())
    assert capfd.readouterr() == ("", "")
    agent.close()  # then all that it has written is in the log
    assert (tmp_path / "agents.log").read_text() == "stray output\nmore of it\n"
