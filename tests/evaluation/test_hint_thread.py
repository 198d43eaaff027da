"""Asking for a hint beside the front end."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import CHANCE, Observation
from boardgames_cli.evaluation import hints
from boardgames_cli.evaluation.hints import (
    Hint,
    HintResult,
    HintSource,
    HintThread,
    find_reason,
    hint_pages,
    hint_sentence,
)
from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings, Setup, open_session

_PATIENCE = 60.0


class Stubborn(Agent[Any, Any]):
    """Does not come back until the test lets it go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        thinking.report("x" * 1000)
        self.let_go.wait(_PATIENCE)
        return seen.legal[0]


def table(
    *seats: str,
    game: str = "tapnswap",
    folder: Path | None = None,
    think: float | None = None,
    seed: int = 3,
) -> Session:
    settings = Settings(save=folder is not None, save_folder=folder, think_seconds=think)
    session = open_session(Setup(game, seats=seats, seed=seed), settings)
    while session.match.waiting_for == (CHANCE,):
        session.resolve_chance()
    return session


def test_the_strongest_agent_is_asked_and_then_another_at_the_table() -> None:
    session = table("human", "q-table:level=easy")
    inbox: queue.SimpleQueue[HintResult] = queue.SimpleQueue()
    thread = HintThread(session.hint_source, inbox.put)
    thread.ask(session.observe(0))
    first, second = inbox.get(timeout=_PATIENCE), inbox.get(timeout=_PATIENCE)
    assert not thread.is_busy
    assert first.hint is not None
    assert first.hint.best in session.observe(0).legal
    assert (first.version, first.seat, first.others) == (session.match.version, 0, None)
    assert second.hint == first.hint
    assert second.others is not None
    assert second.others.name == "q-table"


def test_the_values_are_returns_in_the_units_of_the_game() -> None:
    session = table("human", "random", game="deepsea")
    inbox: queue.SimpleQueue[HintResult] = queue.SimpleQueue()
    HintThread(session.hint_source, inbox.put).ask(session.observe(session.match.waiting_for[0]))
    hint = inbox.get(timeout=_PATIENCE).hint
    assert hint is not None
    least, greatest = session.game.utility
    known = [value for _, value in hint.values if value is not None]
    assert known
    assert all(least <= value <= greatest for value in known)
    assert max(known) > 1.0, "more than a win"


def test_nobody_waits_for_a_hint_agent_that_does_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hint_agent = Stubborn()
    monkeypatch.setattr(HintSource, "make_agent", lambda _: hint_agent)
    monkeypatch.setattr(hints, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(hints, "REASON_SECONDS", 0.0)
    session = table("human", "random", think=0.001)
    inbox: queue.SimpleQueue[HintResult] = queue.SimpleQueue()
    reports: queue.SimpleQueue[str] = queue.SimpleQueue()
    thread = HintThread(session.hint_source, inbox.put, reports.put)
    assert thread.late() is None, "nobody was asked"
    thread.ask(session.observe(0))
    assert thread.is_busy
    assert len(reports.get(timeout=_PATIENCE)) == 200
    result = None
    while result is None:
        result = thread.late()
    assert isinstance(result.error, AgentError)
    assert "did not answer in time" in result.error.message
    assert not thread.is_busy
    hint_agent.let_go.set()
    for other in threading.enumerate():
        if other.name == "hints":
            other.join(_PATIENCE)
    assert inbox.empty(), "what comes later is dropped"


def test_a_failure_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Session) -> Agent[Any, Any]:
        raise GameError("it never plays.")

    monkeypatch.setattr(HintSource, "make_agent", fail)
    session = table("human", "random")
    inbox: queue.SimpleQueue[HintResult] = queue.SimpleQueue()
    HintThread(session.hint_source, inbox.put).ask(session.observe(0))
    result = inbox.get(timeout=_PATIENCE)
    assert result.hint is None
    assert str(result.error) == "it never plays."


def test_a_hint_in_words() -> None:
    hint = Hint("a", (("a", 0.5), ("b", 0.25), ("c", None), ("d", -1.0)), {"b": "long known"})
    assert hint_sentence(hint, str) == "Hint: a (0.5)."
    assert hint_sentence(hint, str, 4) == "Hint: a (0.5), then b (long known), then d (-1.0)."
    assert hint_sentence(Hint("a", (("a", None), ("b", None))), str, 2) == "Hint: a."
    because = Hint("a", (("a", None),), reason="b breaks the pair 4-5")
    assert hint_sentence(because, str) == "Hint: a. B breaks the pair 4-5."


def test_a_hint_page_by_page() -> None:
    hint = Hint("a", (("a", 0.5), ("b", 0.25)), reason="b breaks the pair 4-5")
    assert hint_pages(hint, str, 80, 3) == [
        "Hint: a (0.5). B breaks the pair 4-5.",
        "Hint: a (0.5), then b (0.25).",
    ]
    assert hint_pages(hint, str, 16, 3) == [
        "Hint: a (0.5).",
        "B breaks the",
        "pair 4-5.",
        "Hint: a (0.5),",
        "then b (0.25).",
    ]
    assert hint_pages(Hint("a", (("a", None),)), str, 80, 3) == ["Hint: a."]


def reason_of(session: Session, best: Any) -> str:
    seen = session.observe(session.match.waiting_for[0])
    return find_reason(session.game, seen, (), best)


def test_a_hint_says_why() -> None:
    session = table("human", "random", game="tapnswap")
    inbox: queue.SimpleQueue[HintResult] = queue.SimpleQueue()
    HintThread(session.hint_source, inbox.put, asks_others=False).ask(session.observe(0))
    hint = inbox.get(timeout=_PATIENCE).hint
    assert hint is not None
    assert hint.reason == reason_of(session, hint.best)


@pytest.mark.parametrize("game", ["senet", "tapnswap", "deepsea", "kuhn"])
def test_the_reason_is_the_one_of_the_review(game: str) -> None:
    told = 0
    for seed in range(30):
        session = table("human", "human", game=game, seed=seed)
        for _ in range(6):
            while session.match.waiting_for == (CHANCE,):
                session.resolve_chance()
            if session.match.is_over:
                break
            seat = session.match.waiting_for[0]
            seen = session.observe(seat)
            analyst = analyst_for(session.game)
            judgement = analyst.judge(seen)
            reason = reason_of(session, judgement.best.action)
            worse = [one for one in judgement.choices if analyst.scale.share(one.loss) > 0.05]
            told += bool(reason)
            if worse and all(one.loss_error == 0 for one in worse):
                assert reason, "what costs so much has a reason"
            assert not reason.endswith(".")
            if worse:
                assert not reason_of(session, worse[-1].action), "nobody praises a mistake"
            session.submit(seat, judgement.best.action)
        if told > 2:
            return
    raise AssertionError("no hint had a reason")


def test_a_step_of_all_at_once_waits_for_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    session = table("human", "random", "random", "random", game="pommerman")
    monkeypatch.setattr("boardgames_cli.algorithms.analysts.choose_analyst.analyst_for", None)
    assert reason_of(session, session.observe(0).legal[0]) == ""


def test_an_analyst_that_fails_takes_no_hint_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("boardgames_cli.algorithms.analysts.choose_analyst.analyst_for", fail)
    session = table("human", "random", game="senet")
    assert reason_of(session, session.observe(session.match.waiting_for[0]).legal[0]) == ""


@pytest.mark.parametrize(
    ("game", "remark"),
    [("tapnswap", "You took a hint: tap L>R."), ("kuhn", "You took a hint.")],
    ids=["open", "secret"],
)
def test_a_hint_is_noted_in_log_and_save(tmp_path: Path, game: str, remark: str) -> None:
    session = table("human", "random", game=game, folder=tmp_path)
    assert session.take_hint(0, "tap L>R" if game == "tapnswap" else "bet") == remark
    assert session.log.lines()[-1].text == remark
    session.close()
    assert f'"note": "{remark}"' in (tmp_path / f"{game}-1.jsonl").read_text()
