"""A game loop that blocks while agents think.

It is used for plain text and JSON results. The full screen must keep drawing and has its own loop
(`boardgames_cli.tui.table.game_loop`).
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from boardgames_cli.core.background import Background
from boardgames_cli.session.agent_runner import ActRequest, ActResult
from boardgames_cli.session.session import Event, Session

NOTICE_SECONDS: Final = 1.0
"""Seconds after which a notice says that an agent is thinking."""

POLL_SECONDS: Final = 0.05
"""The polling interval in seconds."""


class BlockingLoop:
    """Advances a session, waiting for each agent until it answers or is late.

    A signal may end the wait in the context that ``waiting`` returns. A notice says when an agent
    thinks for long.
    """

    def __init__(
        self,
        session: Session,
        waiting: Callable[[], AbstractContextManager[None]],
        notice: Callable[[str], None],
    ) -> None:
        self._session = session
        self._waiting = waiting
        self._notice = notice
        self._answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()
        self._thread = Background("agents", self._answers.put)
        self.failures = 0
        """The number of substitute actions for missing or illegal answers."""

    def advance(self) -> Event:
        """Take the next step, unless the game is over or a person must choose.

        Returns:
            The event that was due; after `Event.OVER` and `Event.HUMAN` nothing has changed.
        """
        with self._waiting():
            event = self._session.next_event()
        match event:
            case Event.CHANCE:
                self._session.resolve_chance()
            case Event.FORCED:
                self._session.submit(*self._session.forced_action())
            case Event.AGENT:
                self._let_agent_act()
        return event

    def close(self) -> None:
        """Stop the agents' thread and release the session."""
        self._thread.drop()
        self._session.close()

    def _let_agent_act(self) -> None:
        request = self._session.request()
        if not request.is_absent:
            self._thread.put(request)
        result = self._wait(request)
        if result.is_late:
            self._thread.abandon()
        self.failures += result.is_late or result.error is not None
        self._session.accept(result)

    def _wait(self, request: ActRequest) -> ActResult:
        name = self._session.names[request.seat]
        started = time.monotonic()
        has_noticed = False
        with self._waiting():
            while not request.is_late:
                with contextlib.suppress(queue.Empty):
                    result = self._answers.get(timeout=POLL_SECONDS)
                    # Results of abandoned requests may still arrive.
                    if result.request is request:
                        return result
                if not has_noticed and time.monotonic() - started > NOTICE_SECONDS:
                    self._notice(f"{name} is thinking.")
                    has_noticed = True
        return request.given_up()
