"""Why `cmd:` is the wall: the cheating agent finds the card here, and behind the pipe nothing."""

from __future__ import annotations

import gc
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make, make_agent
from tests.examples.load import load

PATH = Path(__file__).parents[2] / "examples" / "agents" / "peeking_agent.py"
HANDS = 3


class Listening(Agent[Any, Any]):
    """Passes everything on and keeps what the agent says."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.said: list[str] = []

    def reset(self, game: Any, seat: int) -> None:
        self.agent.reset(game, seat)

    def watch(self, seen: Any) -> None:
        self.agent.watch(seen)

    def act(self, seen: Any, thinking: Thinking) -> Any:
        action = self.agent.act(seen, thinking)
        self.said.append(self.agent.take_comment())
        return action


def listen(agent: Agent[Any, Any]) -> list[str]:
    game = make("kuhn", hands=HANDS)
    match: AnyMatch = Match(game, seed=1)
    listening = Listening(agent)
    play(match, [listening, make_agent("hard", game)])
    assert len(listening.said) >= HANDS
    return listening.said


@pytest.fixture
def few_objects() -> Iterator[None]:
    """The search leaves out what other tests have left: millions of objects."""
    gc.freeze()
    yield
    gc.unfreeze()


def test_in_this_process_it_finds_the_card(few_objects: None) -> None:
    assert set(listen(load("agents/peeking_agent").Peeking())) == {"found the card"}


def test_behind_the_pipe_it_finds_nothing() -> None:
    command = shlex.join([sys.executable, str(PATH)])
    agent = ExternalAgent(command, env="PYTHONPATH", cwd=str(PATH.parents[2]))
    try:
        assert set(listen(agent)) == {"found nothing"}
    finally:
        agent.close()
