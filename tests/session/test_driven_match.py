"""What is played for agents that are late, fail, or hang."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.agent import UNLIMITED, Agent, Budget, Thinking
from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.registry import make, make_agent
from boardgames_cli.session.driven_match import SHORT_GRACE_SECONDS, ActResult, DrivenMatch
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.session.viewpoint import has_secrets
from tests.toys import Cards, Pennies


class Odd(Agent[Any, Any]):
    """Waits until it may answer, or raises."""

    def __init__(self, error: Exception | None = None) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.error = error
        self.resets = 0

    def reset(self, game: AnyGame, seat: int) -> None:
        self.resets += 1

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.may_answer.wait(10)
        if self.error is not None:
            raise self.error
        return seen.legal[-1]


class Desk:
    """A table with one odd agent on every seat."""

    def __init__(self, game: AnyGame, agent: Agent[Any, Any], limit: float = 0.1) -> None:
        self.match: AnyMatch = Match(game, seed=1)
        if self.match.waiting_for == (-1,):
            self.match.resolve_chance()
        self.said: list[str] = []
        holders = [SeatHolder("odd", f"Odd {seat}", agent) for seat in range(game.seats)]
        self.runner = DrivenMatch(self.match, holders, Budget(limit), self.said.append)

    def answer(self, seconds: float) -> ActResult:
        given = self.runner.request_of(1).result()
        return ActResult(given.request, given.action, given.error, seconds)


@pytest.mark.parametrize(("seconds", "action"), [(0.099, "bomb"), (0.101, "stop")])
def test_where_time_passes_the_limit_is_strict(seconds: float, action: str) -> None:
    desk = Desk(make("pommerman", mode="duel"), Odd())
    assert str(desk.runner.action_of(desk.answer(seconds))) == action
    late = ['Odd 1 took longer than 0.1 s. Played instead: "stop".']
    assert desk.said == (late if action == "stop" else [])


def test_late_words_are_none() -> None:
    desk = Desk(make("pommerman", mode="radio"), Odd())
    assert desk.runner.action_of(desk.answer(5.0)).words == (0, 0)


def test_where_the_game_waits_an_answer_that_comes_late_counts() -> None:
    desk = Desk(Pennies(), Odd())
    assert desk.runner.action_of(desk.answer(2.0)) == "tails"
    assert desk.said == []


@pytest.mark.parametrize(
    ("game", "how"), [(make("pommerman"), 'instead: "stop"'), (Pennies(), "at random instead")]
)
def test_who_fails_is_replaced_and_begins_anew(
    game: AnyGame, how: str, clean_environment: Path
) -> None:
    agent = Odd(ValueError("lost"))
    desk = Desk(game, agent)
    action = desk.runner.action_of(desk.answer(0.0))
    assert action in desk.match.observe(1).legal
    assert how in desk.said[0]
    logged = [path.read_text() for path in clean_environment.glob("state/boardgames/**/*.log")]
    # Where something is hidden an error's text may tell it, and only the log may keep it.
    assert ("lost" in desk.said[0]) != has_secrets(game)
    assert ("lost" in "".join(logged)) == has_secrets(game)
    desk.answer(0.0)
    assert agent.resets == 2


@pytest.mark.parametrize("game", [Cards(), Pennies()])
def test_what_an_agent_says_and_what_is_played_for_it_tell_no_secret(game: AnyGame) -> None:
    desk = Desk(game, Odd())
    request = desk.runner.request_of(0)
    desk.runner.action_of(ActResult(request, "high", None, comment="I hold a king"))
    desk.runner.action_of(request.given_up())
    said, late = ['Odd 0: "I hold a king"'], "Odd 0 did not answer within 0.1 s. Played at random"
    if has_secrets(game):
        assert desk.said == [f"{late} instead."]
    else:
        assert desk.said[:1] == said
        assert desk.said[1].startswith(f'{late} instead: "')


def test_who_hangs_is_not_asked_until_it_is_back() -> None:
    agent = Odd()
    agent.may_answer.clear()
    desk = Desk(make("pommerman"), agent)
    request = desk.runner.request_of(1)
    thread = threading.Thread(target=request.result)
    thread.start()
    assert str(desk.runner.action_of(request.given_up())) == "stop"
    again = desk.runner.request_of(1)
    assert again.is_absent
    assert again.is_late
    assert not desk.runner.request_of(2).is_absent
    assert str(desk.runner.action_of(again.given_up())) == "stop"
    assert desk.said == ['Odd 1 did not answer within 0.1 s. Played instead: "stop".'] * 2
    agent.may_answer.set()
    thread.join(10)
    assert not desk.runner.request_of(1).is_absent


def test_waiting_ends_soon_after_the_limit_where_time_passes() -> None:
    timed, untimed = (
        Desk(game, Odd(), limit=0.5).runner.request_of(1) for game in (make("pommerman"), Pennies())
    )
    assert timed.patience == 0.5 + SHORT_GRACE_SECONDS
    assert untimed.patience is not None
    assert untimed.patience > 1.5


class Only(Pennies):
    """Where the second seat has no choice."""

    def legal_actions(self, state: Any, seat: int) -> Any:
        return super().legal_actions(state, seat)[: 2 - seat]


def test_the_only_action_is_not_asked_for_and_what_was_seen_comes_with_the_next() -> None:
    desk = Desk(Only(), Odd(ValueError("not asked")), limit=0.0)
    request = desk.runner.request_of(1)
    assert not request.is_late
    assert desk.runner.action_of(request.result()) == "heads"
    assert desk.said == []
    assert desk.runner.request_of(1).restart is not None
    # Not even of an agent that is late with another answer.
    desk.runner.action_of(request.given_up())
    request.turn.acquire()
    assert not desk.runner.request_of(1).is_absent


@pytest.mark.parametrize("game", [make("pommerman"), Pennies()])
def test_our_agents_are_waited_for_but_in_real_time(game: AnyGame) -> None:
    desk = Desk(game, make_agent("random", make("pommerman")))
    waited_for = desk.runner.request_of(1)
    answer = desk.answer(100.0)
    assert desk.runner.action_of(answer) is answer.action
    assert (desk.said, waited_for.budget) == ([], Budget(0.1))
    desk.runner.is_unhurried = True
    assert desk.runner.request_of(1).budget == UNLIMITED
    desk.runner.is_real_time = True
    timed = desk.runner.request_of(1)
    assert (waited_for.is_late, waited_for.patience) == (False, None)
    assert (timed.patience is None, timed.budget) == (False, Budget(0.1))


@pytest.mark.parametrize(
    ("seats", "think", "limit"),
    [
        (("hard", "random"), None, None),
        (("hard", "random"), 1.0, 1.0),
        (("human", "hard"), None, 2.0),
    ],
)
def test_a_seed_tells_the_whole_game_where_nobody_plays_and_no_time_is_set(
    seats: tuple[str, ...], think: float | None, limit: float | None, clean_environment: Path
) -> None:
    settings = Settings(save=False, think_seconds=think)
    with closing(open_session(Setup("senet", seats=seats, seed=1), settings)) as session:
        while len(session.match.waiting_for) != 1 or session.match.waiting_for[0] not in (0, 1):
            session.resolve_chance()
        request = session.request_of(seats.index("hard"))
    assert (request.budget.seconds, request.patience) == (limit, None)


def test_getting_ready_is_not_part_of_the_limit() -> None:
    request = Desk(make("pommerman"), Odd()).runner.request_of(1)
    request._asked -= 5
    assert not request.is_late
    request._asked -= 100
    assert request.is_late
    request.result()
    assert not request.is_late
    time.sleep(0.1 + SHORT_GRACE_SECONDS)
    assert request.is_late


class Reporter(Odd):
    report: Any = None

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.report = thinking.report
        thinking.report("half way")
        return super().act(seen, thinking)


def test_reports_lead_to_nothing_but_their_text() -> None:
    agent = Reporter()
    request = Desk(make("pommerman"), agent).runner.request_of(1)
    request.result()
    assert request.progress[0] == "half way"
    assert not hasattr(agent.report, "__self__")
    (cell,) = agent.report.__closure__
    assert list(cell.cell_contents.__self__) == ["half way"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), GeneratorExit()])
def test_an_agent_that_raises_an_exit_fails_like_any_other(error: Any) -> None:
    answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
    Desk(make("pommerman"), Odd(error)).runner.request_of(1).start(answers.put)
    problem = answers.get(timeout=10).error
    assert isinstance(problem, AgentError)
    assert f'agent "Odd" failed at ply 1 ({type(error).__name__}' in problem.message


class Blind(Odd):
    def watch(self, seen: Observation[Any, Any]) -> None:
        raise ValueError("too bright")


def test_whatever_goes_wrong_becomes_part_of_the_answer() -> None:
    problem = Desk(make("pommerman"), Blind()).runner.request_of(1).result().error
    assert isinstance(problem, AgentError)
    assert "ValueError: too bright" in problem.message


def test_an_agent_has_one_thought_at_a_time_and_what_is_dropped_does_not_wait_for_it() -> None:
    agent = Odd()
    agent.may_answer.clear()
    desk = Desk(Pennies(), agent)
    answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
    first, dropped, third = (desk.runner.request_of(1) for _ in range(3))
    first.start(answers.put)
    while not first.is_thinking:
        time.sleep(0.001)
    dropped.start(answers.put)
    third.start(answers.put)
    dropped.drop()
    assert answers.get(timeout=10).request is dropped
    assert not third.is_thinking
    agent.may_answer.set()
    assert [answers.get(timeout=10).request for _ in range(2)] == [first, third]
