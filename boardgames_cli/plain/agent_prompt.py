"""Waiting for agents, their actions and their hints, with patience that ends."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from typing import Any, Final

from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import Observation
from boardgames_cli.session.agent_thread import ActRequest, ActResult, AgentThread
from boardgames_cli.session.hint_thread import HintResult, HintThread
from boardgames_cli.session.hints import Hint
from boardgames_cli.session.session import Session
from boardgames_cli.terminal.signals import SignalWatch

PATIENCE_SECONDS: Final = 1.0
"""Seconds after which the page says that an agent is thinking."""

_LOOK_SECONDS: Final = 0.05
"""Seconds between two looks whether to wait on."""


class AgentPrompt:
    """Lets the waiting agents of a session act, one after the other.

    Args:
        session: The table.
        interrupts: Lets signals in while an agent thinks.
        notice: Told when somebody thinks for long.
    """

    def __init__(
        self, session: Session, interrupts: SignalWatch, notice: Callable[[str], None]
    ) -> None:
        self._session = session
        self._interrupts = interrupts
        self._notice = notice
        self._answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
        self._thread = AgentThread(self._answers.put)
        self.failures = 0
        """How many answers were missing or wrong, so that something else was played."""

    def play(self) -> None:
        """Let the next waiting agent act; one that does not come back is replaced.

        Raises:
            Stopped: A signal came while it was thinking.
        """
        seat = self._session.next_agent()
        if self._session.runner.is_away(seat):
            self.failures += 1
            self._session.replace_absent(seat)
            return
        question = self._session.question()
        self._thread.put(question)
        answer = self._wait(question)
        if answer is None:
            self.failures += 1
            self._thread.abandon()
            self._session.replace_late(question)
            return
        if answer.error is not None:
            self.failures += 1
        self._session.accept(answer)

    def close(self) -> None:
        """Want nothing any more."""
        self._thread.close()

    def _wait(self, question: ActRequest) -> ActResult | None:
        name = self._session.names[question.seat]
        started = time.monotonic()
        is_told = False
        with self._interrupts.waiting():
            while not question.is_late:
                with contextlib.suppress(queue.Empty):
                    answer = self._answers.get(timeout=_LOOK_SECONDS)
                    # One that was given up may have come after all.
                    if answer.question is question:
                        return answer
                if not is_told and time.monotonic() - started > PATIENCE_SECONDS:
                    self._notice(f"{name} is thinking.")
                    is_told = True
        return None


def wait_for_hint(
    session: Session,
    seen: Observation[Any, Any],
    interrupts: SignalWatch,
    notice: Callable[[str], None],
) -> Hint:
    """Ask the game's strongest agent what a seat should do.

    Args:
        session: The table.
        seen: What the seat sees.
        interrupts: Lets signals in while the agent thinks.
        notice: Told what the agent reports, if it thinks for long.

    Raises:
        GameError: The agent failed or did not come back.
        Stopped: A signal came while it was thinking.
    """
    inbox: queue.SimpleQueue[HintResult | str] = queue.SimpleQueue()
    thread = HintThread(session, inbox.put, inbox.put, asks_others=False)
    notice("Thinking about a hint.")
    thread.ask(seen)
    started = time.monotonic()
    try:
        with interrupts.waiting():
            while (result := thread.late()) is None:
                with contextlib.suppress(queue.Empty):
                    news = inbox.get(timeout=_LOOK_SECONDS)
                    if isinstance(news, HintResult):
                        result = news
                        break
                    if time.monotonic() - started > PATIENCE_SECONDS:
                        notice(news)
    finally:
        thread.stop()
    if result.hint is None:
        raise result.error or AgentError("the adviser has nothing to say.")
    return result.hint
