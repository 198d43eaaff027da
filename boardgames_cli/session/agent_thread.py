"""Agents thinking beside the front end: one thread, one question at a time.

A question carries all that the agent may know, made on the front end's thread; the thread never
touches the match. The answer carries the version it answers, so one that comes too late is
dropped. The thread is a daemon: an agent that hangs can't keep the program from ending.
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
"""Before its time counts an agent may load what it learned, compile, and see what happened."""

LONGEST_REPORT: Final = 200
"""Characters of a progress text that are kept."""


class Progress:
    """The last progress text of an agent."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=1)

    @property
    def text(self) -> str:
        """What was said last; empty if nothing."""
        return self._texts[0] if self._texts else ""

    def reporter(self) -> Callable[[str], None]:
        """The callback an agent reports its progress to; it exposes nothing else of the table."""
        texts = self._texts

        def report(text: str) -> None:
            texts.append(str(text)[:LONGEST_REPORT])

        return report


@dataclass(slots=True)
class ActRequest:
    """One decision asked of an agent."""

    version: int
    """The version of the match that it belongs to."""
    seat: Seat
    agent: Agent[Any, Any]
    seen: Observation[Any, Any]
    rng: random.Random
    budget: Budget
    grace: float = 0.0
    """Seconds beyond the budget after which nobody waits any longer."""
    restart: AnyGame | None = None
    """Set if the agent must begin the game anew before it watches."""
    unseen: tuple[Observation[Any, Any], ...] = ()
    """What the agent has not been shown yet."""
    hurry: threading.Event = field(default_factory=threading.Event)
    """Set to make the agent answer with the best it has."""
    progress: Progress = field(default_factory=Progress)
    """What the agent says of its progress."""
    is_done: bool = False
    """Whether the agent has come back, wanted or not."""
    _asked: float = field(default_factory=time.monotonic)
    _thinking: Thinking | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether the agent is ready, so that its time counts."""
        return self._thinking is not None

    @property
    def is_late(self) -> bool:
        """Whether it is no use to wait any longer.

        What an agent needs to get ready, before it may think, is not part of its budget.
        """
        limit = self.budget.seconds
        if limit is None:
            return False
        if self._thinking is not None:
            return self._thinking.elapsed > limit + self.grace
        return time.monotonic() - self._asked > limit + _GETTING_READY_SECONDS + self.grace

    def answer(self) -> ActResult:
        """Let the agent think; whatever goes wrong becomes part of the answer."""
        try:
            return self._answer()
        finally:
            self.is_done = True

    def stop(self) -> None:
        """Want no answer; an agent in a process of its own is ended, whatever it does."""
        self.hurry.set()
        if isinstance(self.agent, RunsElsewhere):
            self.agent.stop()

    @property
    def can_be_stopped(self) -> bool:
        """Whether `stop` ends the agent, so that it can be asked again immediately."""
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
    """What came of a question."""

    question: ActRequest
    action: Any
    """The action, or None if the agent failed."""
    error: GameError | None
    seconds: float = 0.0
    """How long the agent thought."""
    comment: str = ""
    """What it said with its answer, for people."""


class AgentThread:
    """The thread in which agents think.

    Args:
        deliver: Called in that thread with every answer; it must be safe to call from there.
    """

    def __init__(self, deliver: Callable[[ActResult], None]) -> None:
        self._deliver = deliver
        self._questions: queue.SimpleQueue[ActRequest | None] = queue.SimpleQueue()
        self._current: ActRequest | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is being waited for."""
        return self._current is not None

    @property
    def current(self) -> ActRequest | None:
        """The question being thought about."""
        return self._current

    def put(self, question: ActRequest) -> None:
        """Begin to think about a question; an older one is given up."""
        self._replace(question)
        if self._thread is None:
            # Each thread has its own queue, so one left behind can't take the next question.
            self._questions = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=self._run, args=(self._questions,), name="thinker", daemon=True
            )
            self._thread.start()
        self._questions.put(question)

    def hurry(self) -> None:
        """Ask for the best answer found so far."""
        question = self._current
        if question is not None:
            question.hurry.set()

    def give_up(self) -> None:
        """Want no answer any more; one that is on its way may still be delivered."""
        self._replace(None)

    def abandon(self) -> None:
        """Leave the thread to an agent that does not come back, and use a new one.

        An agent in a process of its own is ended, so that it does not keep the machine busy.
        """
        question = self._current
        self.give_up()
        if question is not None:
            question.stop()
        self._questions.put(None)
        self._thread = None

    def close(self) -> None:
        """End the thread as soon as it is free."""
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
            # Compared and cleared under one lock: a request made in between would lose its answer.
            with self._lock:
                is_wanted = self._current is question
                if is_wanted:
                    self._current = None
            if is_wanted:
                self._deliver(answer)
