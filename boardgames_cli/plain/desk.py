"""Waiting for agents, with patience that ends."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Final

from boardgames_cli.core.agent import Budget
from boardgames_cli.plain.interrupts import Interrupts
from boardgames_cli.session.session import GRACE_SECONDS, Session
from boardgames_cli.session.thinking import Answer, Question, Thinker

PATIENCE_SECONDS: Final = 1.0
"""After so long a person is told that somebody thinks."""


class AgentDesk:
    """Lets the waiting agents of a session act, one after the other.

    Args:
        session: The table.
        interrupts: Lets signals in while an agent thinks.
        notice: Told when somebody thinks for long.
    """

    def __init__(
        self, session: Session, interrupts: Interrupts, notice: Callable[[str], None]
    ) -> None:
        self._session = session
        self._interrupts = interrupts
        self._notice = notice
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._thinker = Thinker(self._answers.put)
        self.failures = 0
        """How many answers were missing, late or wrong, so that a random action was played."""

    def play(self) -> None:
        """Let the next waiting agent act; one that does not come back is replaced.

        Raises:
            Stopped: A signal came while it was thinking.
        """
        question = self._session.question()
        self._thinker.put(question)
        answer = self._wait(question)
        if answer is None:
            self.failures += 1
            self._thinker.abandon()
            self._session.replace_late(question)
            return
        if answer.error is not None:
            self.failures += 1
        self._session.accept(answer)

    def close(self) -> None:
        """Want nothing any more."""
        self._thinker.close()

    def _wait(self, question: Question) -> Answer | None:
        name = self._session.names[question.seat]
        give_up = time.monotonic() + longest_wait(question.budget)
        quiet = min(PATIENCE_SECONDS, longest_wait(question.budget))
        with self._interrupts.waiting():
            try:
                return self._answers.get(timeout=quiet)
            except queue.Empty:
                self._notice(f"{name} is thinking.")
            try:
                return self._answers.get(timeout=max(0.0, give_up - time.monotonic()))
            except queue.Empty:
                return None


def longest_wait(budget: Budget) -> float:
    """Seconds after which an agent is not waited for any more."""
    return (budget.seconds or 0.0) + GRACE_SECONDS
