"""Runs agents in a background thread, one request at a time.

A request holds everything that the agent may know and is made on the front end's thread; the
background thread never touches the match. The result carries the version of the match, so that a
late one is dropped. The thread is a daemon, so that a hanging agent can't keep the program alive.
"""

from __future__ import annotations

import queue
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

_GETTING_READY_SECONDS: Final = 60.0
"""The time for an agent to load data, compile and catch up, before its thinking time starts."""

LONGEST_REPORT: Final = 200
"""The maximum length of a progress message."""


class Progress:
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


@dataclass(slots=True)
class ActRequest:
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
    hurry: threading.Event = field(default_factory=threading.Event)
    """Set to make the agent return its best action so far."""
    progress: Progress = field(default_factory=Progress)
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

    def answer(self) -> ActResult:
        """Run the agent; failures are reported in the result."""
        try:
            return self._answer()
        finally:
            self.is_done = True

    def stop(self) -> None:
        """Cancel the request; an agent in its own process is killed."""
        self.hurry.set()
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
                self.rng, self.budget, self.hurry.is_set, self.progress.reporter()
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

    question: ActRequest
    action: Any
    """The action; None if the agent failed."""
    error: GameError | None
    seconds: float = 0.0
    """The agent's thinking time in seconds."""
    comment: str = ""
    """The agent's comment for people."""


class AgentThread:
    """The background thread for agents.

    Args:
        deliver: Called in that thread with every result; must be thread-safe.
    """

    def __init__(self, deliver: Callable[[ActResult], None]) -> None:
        self._deliver = deliver
        self._questions: queue.SimpleQueue[ActRequest | None] = queue.SimpleQueue()
        self._current: ActRequest | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a request is pending."""
        return self._current is not None

    @property
    def current(self) -> ActRequest | None:
        """The pending request."""
        return self._current

    def put(self, question: ActRequest) -> None:
        """Start a request; an older one is abandoned."""
        self._replace(question)
        if self._thread is None:
            # Each thread has its own queue, so that an abandoned thread can't take the next
            # request.
            self._questions = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=self._run, args=(self._questions,), name="thinker", daemon=True
            )
            self._thread.start()
        self._questions.put(question)

    def hurry(self) -> None:
        """Ask for the best action found so far."""
        question = self._current
        if question is not None:
            question.hurry.set()

    def give_up(self) -> None:
        """Cancel the pending request; its result may still be delivered."""
        self._replace(None)

    def abandon(self) -> None:
        """Abandon the thread with a hanging agent, and use a new one.

        An agent in its own process is killed, so that it does not keep the machine busy.
        """
        question = self._current
        self.give_up()
        if question is not None:
            question.stop()
        self._questions.put(None)
        self._thread = None

    def close(self) -> None:
        """End the thread when it is idle."""
        self.give_up()
        if self._thread is not None:
            self._questions.put(None)
            self._thread = None

    def _replace(self, question: ActRequest | None) -> None:
        with self._lock:
            given_up, self._current = self._current, question
        if given_up is not None:
            given_up.hurry.set()

    def _run(self, questions: queue.SimpleQueue[ActRequest | None]) -> None:
        while (question := questions.get()) is not None:
            answer = question.answer()
            # Compared and cleared under one lock: otherwise a request made in between would lose
            # its result.
            with self._lock:
                is_wanted = self._current is question
                if is_wanted:
                    self._current = None
            if is_wanted:
                self._deliver(answer)
