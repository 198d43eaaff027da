"""The thread in which agents think."""

from __future__ import annotations

import queue
import random
import threading
from typing import Any

import pytest

from boardgames_cli.core.agent import UNLIMITED, Agent, Thinking
from boardgames_cli.core.background import Background, BackgroundJob
from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.session.agent_runner import ActRequest, ActResult
from tests.toys import Race, RaceState

PATIENCE = 60.0


class Thoughtful(Agent[Any, Any]):
    """Thinks until it is told to stop, and tells when it has begun."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.begun.set()
        while not thinking.should_stop():
            threading.Event().wait(0.001)
        return seen.legal[-1]


class Stuck(Thoughtful):
    """Listens to nobody until it is freed."""

    def __init__(self) -> None:
        super().__init__()
        self.free = threading.Event()

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.begun.set()
        self.free.wait(PATIENCE)
        return seen.legal[0]


class Quick(Agent[Any, Any]):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


class Blind(Quick):
    def watch(self, seen: Observation[Any, Any]) -> None:
        raise ValueError("too bright")

    def reset(self, game: AnyGame, seat: int) -> None:
        pass


def ask(agent: Agent[Any, Any], version: int = 1, **more: Any) -> ActRequest:
    seen = Race().observe(RaceState((0, 0), 0, 1), 0, 1)
    return ActRequest(version, 0, agent, seen, random.Random(1), UNLIMITED, **more)


class Inbox:
    def __init__(self) -> None:
        self.answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
        self.agents = Background("agents", self.answers.put)

    def next(self) -> ActResult:
        return self.answers.get(timeout=PATIENCE)


@pytest.fixture
def inbox() -> Any:
    made = Inbox()
    yield made
    made.agents.drop()


def test_an_answer_is_delivered(inbox: Inbox) -> None:
    request = ask(Quick(), version=42)
    inbox.agents.put(request)
    result = inbox.next()
    assert (result.request, result.action, result.error) == (request, "step", None)
    assert result.request.version == 42
    assert not inbox.agents.is_busy


def test_hurry_asks_for_the_best_so_far(inbox: Inbox) -> None:
    agent = Thoughtful()
    inbox.agents.put(ask(agent))
    assert agent.begun.wait(PATIENCE)
    assert inbox.agents.is_busy
    inbox.agents.hurry()
    assert inbox.next().action == "jump high"


def test_a_newer_question_replaces_an_older_one(inbox: Inbox) -> None:
    agent = Thoughtful()
    inbox.agents.put(ask(agent, version=1))
    assert agent.begun.wait(PATIENCE)
    inbox.agents.put(ask(Quick(), version=2))
    assert inbox.next().request.version == 2
    assert inbox.answers.empty()


def test_what_is_given_up_is_not_delivered(inbox: Inbox) -> None:
    agent = Thoughtful()
    inbox.agents.put(ask(agent, version=1))
    assert agent.begun.wait(PATIENCE)
    inbox.agents.drop()
    assert not inbox.agents.is_busy
    inbox.agents.put(ask(Quick(), version=2))
    assert inbox.next().request.version == 2


def test_a_stuck_agent_is_left_behind(inbox: Inbox) -> None:
    stuck = Stuck()
    inbox.agents.put(ask(stuck, version=1))
    assert stuck.begun.wait(PATIENCE)
    inbox.agents.abandon()
    inbox.agents.put(ask(Quick(), version=2))
    assert inbox.next().request.version == 2
    stuck.free.set()
    inbox.agents.put(ask(Quick(), version=3))
    assert inbox.next().request.version == 3


def test_whatever_goes_wrong_becomes_part_of_the_answer(inbox: Inbox) -> None:
    request = ask(Blind())
    request.unseen = (request.seen,)
    inbox.agents.put(request)
    error = inbox.next().error
    assert isinstance(error, AgentError)
    assert "ValueError: too bright" in error.message
    inbox.agents.put(ask(Quick()))
    assert inbox.next().error is None


def test_the_thread_ends_when_there_is_nothing_to_do(inbox: Inbox) -> None:
    others = set(threading.enumerate())  # another test may have left one behind
    agent = Thoughtful()
    inbox.agents.put(ask(agent))
    assert agent.begun.wait(PATIENCE)
    assert inbox.agents.is_running
    (thread,) = set(threading.enumerate()) - others
    inbox.agents.drop()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert not inbox.agents.is_running
    inbox.agents.put(ask(Quick()))
    assert inbox.next().action == "step"


class Interrupted(Background[ActResult]):
    """Lets the main thread in between the look at what is asked and the change of it."""

    def __init__(self, deliver: Any) -> None:
        self.slot: BackgroundJob[ActResult] | None = None
        self.looked, self.go_on = threading.Event(), threading.Event()
        super().__init__("agents", deliver)

    @property
    def _current(self) -> BackgroundJob[ActResult] | None:
        value = self.slot
        if threading.current_thread() is not threading.main_thread() and not self.looked.is_set():
            self.looked.set()
            self.go_on.wait(0.2)  # with a lock the main thread can't get in: then this is over
        return value

    @_current.setter
    def _current(self, value: BackgroundJob[ActResult] | None) -> None:
        self.slot = value


def test_no_answer_is_lost_when_the_next_question_comes_at_the_same_moment() -> None:
    answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
    agents = Interrupted(answers.put)
    agents.put(ask(Quick(), version=1))
    assert agents.looked.wait(PATIENCE)
    agents.put(ask(Quick(), version=2))
    agents.go_on.set()
    got: list[Any] = []
    while not got or got[-1] != 2:
        got.append(answers.get(timeout=PATIENCE).request.version)
    agents.drop()


class Quitter(Quick):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), GeneratorExit()])
def test_an_agent_that_raises_an_exit_fails_like_any_other(
    inbox: Inbox, error: BaseException
) -> None:
    inbox.agents.put(ask(Quitter(error)))
    problem = inbox.next().error
    assert isinstance(problem, AgentError)
    assert f'agent "Quitter" failed at ply 1 ({type(error).__name__}' in problem.message
    inbox.agents.put(ask(Quick()))
    assert inbox.next().error is None


class Reporter(Quick):
    def __init__(self) -> None:
        self.report: Any = None

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.report = thinking.report
        thinking.report("half way")
        return seen.legal[0]


def test_reports_lead_to_nothing_but_their_text(inbox: Inbox) -> None:
    agent = Reporter()
    request = ask(agent)
    inbox.agents.put(request)
    inbox.next()
    assert request.progress[0] == "half way"
    assert not hasattr(agent.report, "__self__")
    (cell,) = agent.report.__closure__
    assert list(cell.cell_contents.__self__) == ["half way"]
