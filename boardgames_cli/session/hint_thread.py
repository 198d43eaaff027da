"""Computes hints in background threads, one request at a time.

A request is a background job (see `background`): first the hint agent's hint with its reason, then
the values of another agent in the session.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from boardgames_cli.agents.remote.seating import prepare, released
from boardgames_cli.core.agent import Agent, Budget, RunsElsewhere, Thinking, describe_error
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.evaluation.hints import (
    ActionValues,
    Hint,
    ask_hint,
    ask_values,
    experience,
    find_reason,
)
from boardgames_cli.session.agent_runner import GRACE_SECONDS, LONGEST_REPORT
from boardgames_cli.session.background import Background, BackgroundJob
from boardgames_cli.session.session import Session

_READY_SECONDS: Final = 60.0
"""The time for a hint agent to load data before its thinking time starts."""
REASON_SECONDS: Final = 1.0
"""The maximum time that a hint waits for its reason."""


@dataclass(frozen=True, slots=True)
class HintResult:
    """The result of a request."""

    version: int
    """The version of the match it refers to."""
    seat: Seat | None
    """The seat whose choices were evaluated."""
    hint: Hint | None
    """The hint; None if the hint agent failed."""
    others: ActionValues | None = None
    """The values of another agent in the session, if it has any."""
    error: GameError | None = None
    """Why there is no hint."""


@dataclass
class HintRequest(BackgroundJob[HintResult]):
    """A request with all data for the hint agent, made on the front end's thread."""

    session: Session
    """The session; only its immutable parts are read."""
    seen: Observation[Any, Any]
    earlier: tuple[Observation[Any, Any], ...]
    version: int
    rng: random.Random
    budget: Budget
    report: Callable[[str], None]
    asks_others: bool
    """Whether to ask another agent in the session, too."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    _asked: float = field(default_factory=time.monotonic)
    _began: float | None = None
    _agent: object = None

    @property
    def is_late(self) -> bool:
        """Whether the hint agent is late."""
        limit = self.budget.seconds
        if limit is None or self.is_answered:
            return False
        if self._began is not None:
            return time.monotonic() - self._began > limit + GRACE_SECONDS + REASON_SECONDS
        return time.monotonic() - self._asked > _READY_SECONDS + limit + GRACE_SECONDS

    def hurry(self) -> None:
        """Cancel the request; a hint agent gives no half hints."""
        self.cancelled.set()

    def stop(self) -> None:
        """Cancel the request; a hint agent in its own process is killed."""
        self.cancelled.set()
        if isinstance(self._agent, RunsElsewhere):
            self._agent.stop()

    def run(self, deliver: Callable[[HintResult], None]) -> None:
        """Deliver the hint, or why there is none, and then what another agent says."""
        try:
            with released(self.session.hint_agent()) as hint_agent:
                result = self._answer(hint_agent)
        except GameError as error:
            result = self.failure(error)
        except BaseException as error:  # a foreign agent may raise anything
            result = self.failure(AgentError(f"the hint agent failed ({describe_error(error)})."))
        deliver(result)
        if self.asks_others and result.hint is not None and not self.cancelled.is_set():
            others = self._ask_others()
            if others is not None:
                deliver(replace(result, others=others))

    def _answer(self, hint_agent: Agent[Any, Any]) -> HintResult:
        self._agent = hint_agent
        prepare([hint_agent], _READY_SECONDS)
        game, asked = self.session.game, self.thinking()
        hint = ask_hint(hint_agent, game, self.seen, asked, self.earlier, self._begin)
        hint = replace(hint, reason=self._reason(game, hint.best))
        return HintResult(self.version, self.seen.seat, hint)

    def _ask_others(self) -> ActionValues | None:
        session, seen = self.session, self.seen
        # A failure of the other agent must not affect the hint.
        with contextlib.suppress(BaseException):
            opinion = None if seen.seat is None else session.second_opinion(seen.seat)
            if opinion is not None:
                name, agent = opinion
                with released(agent):
                    asked = self.thinking()
                    return ask_values(name, agent, session.game, seen, asked, self.earlier)
        return None

    def thinking(self) -> Thinking:
        """The limits for this request."""
        return Thinking(self.rng, self.budget, self.cancelled.is_set, self.report)

    def failure(self, error: GameError) -> HintResult:
        """The result without a hint."""
        return HintResult(self.version, self.seen.seat, None, error=error)

    def _begin(self) -> None:
        self._began = time.monotonic()

    def _reason(self, game: Any, best: Any) -> str:
        """Why the best action is better, if it is found in time."""
        found: list[str] = []

        def find() -> None:
            found.append(find_reason(game, self.seen, self.earlier, best))

        thread = threading.Thread(target=find, name="hint-reason", daemon=True)
        thread.start()
        thread.join(REASON_SECONDS)
        return found[0] if found else ""


class HintThread:
    """Asks the hint agent for a hint, and then another agent in the session for its values.

    Args:
        session: The session; the thread reads only its immutable parts.
        deliver: Called in the thread with the result; a second time with the values of the other
            agent, if there is one.
        report: Called in the thread with the hint agent's progress messages.
        asks_others: Whether to ask the other agent.
    """

    def __init__(
        self,
        session: Session,
        deliver: Callable[[HintResult], None],
        report: Callable[[str], None] = lambda _: None,
        *,
        asks_others: bool = True,
    ) -> None:
        self._session = session
        self._report = report
        self._asks_others = asks_others
        self._request: HintRequest | None = None
        self._thread = Background("hint_agent", deliver)

    @property
    def is_busy(self) -> bool:
        """Whether the hint agent has not answered yet."""
        return self._thread.is_busy

    def ask(self, seen: Observation[Any, Any]) -> None:
        """Request a hint for an observation."""
        self.stop()
        session, match = self._session, self._session.match
        self._request = HintRequest(
            session,
            seen,
            experience(match, seen.seat),
            match.version,
            match.rng("hint"),
            session.budget,
            _reporter(self._report),
            self._asks_others,
        )
        self._thread.put(self._request)

    def stop(self) -> None:
        """Cancel the request."""
        self._thread.abandon()

    def late(self) -> HintResult | None:
        """The failure to show if the hint agent is late; the request is then cancelled."""
        request = self._request
        if request is None or not self.is_busy or not request.is_late:
            return None
        self.stop()
        error = AgentError("the hint agent did not answer in time.", "Try a larger --think.")
        return request.failure(error)


def _reporter(report: Callable[[str], None]) -> Callable[[str], None]:
    """The hint agent's progress callback, which gives no access to anything else."""

    def tell(text: str) -> None:
        report(str(text)[:LONGEST_REPORT])

    return tell
