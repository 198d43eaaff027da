"""Waiting for agents in plain text."""

from __future__ import annotations

import pytest

from boardgames_cli.plain.agent_prompt import AgentPrompt
from boardgames_cli.session.setup import Settings, Setup, open_session
from boardgames_cli.terminal.signals import SignalWatch

pytestmark = pytest.mark.usefixtures("toys")


def test_an_answer_that_was_given_up_is_not_taken_for_the_next() -> None:
    session = open_session(Setup("pennies", seats=("failing", "first")), Settings(save=False))
    notices: list[str] = []
    prompt = AgentPrompt(session, SignalWatch(), notices.append)
    stale = session.question().answer()
    prompt._answers.put(stale)
    assert stale.error is not None
    prompt.play()
    prompt.play()
    prompt.close()
    assert session.match.ply == 1
    assert prompt.failures == 1, "the stale failure is not counted, nor played for"
