"""Requests to agents to act, as background jobs, and their results.

The result carries the version of the match, so that a late one is dropped.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import Agent, Budget, Comments, RunsElsewhere, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.play import ask, brief
from boardgames_cli.session.background import BackgroundJob

_GETTING_READY_SECONDS: Final = 60.0
"""The time for an agent to load data, compile and catch up, before its thinking time starts."""

LONGEST_REPORT: Final = 200
"""The maximum length of a progress message."""


class ThinkingProgress:
    """The last progress message of an agent."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=1)

    @property
    def text(self) -> str:
        """The last message; may be empty."""
        return self._texts[0] if self._texts else ""

    def reporter(self) -> Callable[[str], None]:
        """The agent's progress callback, which gives no access to anything else."""
        texts = self._texts

        def report(text: str) -> None:
            texts.append(str(text)[:LONGEST_REPORT])

        return report


@dataclass
class ActRequest(BackgroundJob["ActResult"]):
    """A request to an agent to act."""

    version: int
    """The version of the match it refers to."""
    seat: Seat
    agent: Agent[Any, Any]
    seen: Observation[Any, Any]
    rng: random.Random
    budget: Budget
    grace: float = 0.0
    """Seconds beyond the budget after which the agent is given up."""
    restart: AnyGame | None = None
    """The game, if the agent must be reset first."""
    unseen: tuple[Observation[Any, Any], ...] = ()
    """The observations that the agent has not had yet."""
    hurried: threading.Event = field(default_factory=threading.Event)
    """Set to make the agent return its best action so far."""
    progress: ThinkingProgress = field(default_factory=ThinkingProgress)
    """The agent's progress messages."""
    is_done: bool = False
    """Whether the agent has returned, even if the result is no longer wanted."""
    _asked: float = field(default_factory=time.monotonic)
    _thinking: Thinking | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether the agent's thinking time is running."""
        return self._thinking is not None

    @property
    def is_late(self) -> bool:
        """Whether the agent is late.

        The time it needs to get ready is not part of its budget.
        """
        limit = self.budget.seconds
        if limit is None:
            return False
        if self._thinking is not None:
            return self._thinking.elapsed > limit + self.grace
        return time.monotonic() - self._asked > limit + _GETTING_READY_SECONDS + self.grace

    def result(self) -> ActResult:
        """Run the agent; failures are reported in the result."""
        try:
            return self._answer()
        finally:
            self.is_done = True

    def run(self, deliver: Callable[[ActResult], None]) -> None:
        """Deliver the answer."""
        deliver(self.result())

    def hurry(self) -> None:
        """Make the agent return its best action so far."""
        self.hurried.set()

    def stop(self) -> None:
        """Cancel the request; an agent in its own process is killed."""
        self.hurry()
        if isinstance(self.agent, RunsElsewhere):
            self.agent.stop()

    @property
    def can_be_stopped(self) -> bool:
        """Whether `stop` kills the agent, so that it can be asked again immediately."""
        return isinstance(self.agent, RunsElsewhere)

    def _answer(self) -> ActResult:
        try:
            brief(self.agent, self.restart, self.seat, self.unseen)
            self._thinking = Thinking(
                self.rng, self.budget, self.hurried.is_set, self.progress.reporter()
            )
            action = ask(self.agent, self.seen, self._thinking)
            seconds = self._thinking.elapsed
            comment = self.agent.take_comment() if isinstance(self.agent, Comments) else ""
            return ActResult(self, action, None, seconds, comment)
        except GameError as error:
            return ActResult(self, None, error)


@dataclass(frozen=True, slots=True)
class ActResult:
    """The result of a request."""

    request: ActRequest
    action: Any
    """The action; None if the agent failed."""
    error: GameError | None
    seconds: float = 0.0
    """The agent's thinking time in seconds."""
    comment: str = ""
    """The agent's comment for people."""
