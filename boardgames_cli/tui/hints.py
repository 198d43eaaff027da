"""Asking the strongest agent for advice, away from the event loop."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from boardgames_cli.core.agent import Budget, Thinking, describe_error
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.session.agent_processes import released
from boardgames_cli.session.hints import Advice, Opinion, advise, experience, give_opinion
from boardgames_cli.session.session import Session


@dataclass(frozen=True, slots=True)
class Counsel:
    """What came of asking."""

    version: int
    """The version of the match that it belongs to."""
    seat: Seat | None
    """Whose choices it is about; it was given what this seat sees."""
    advice: Advice | None
    opinion: Opinion | None = None
    """What an agent at the table says, if it can."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Job:
    """All that the adviser's thread may know, made on the screen's thread."""

    seen: Observation[Any, Any]
    earlier: tuple[Observation[Any, Any], ...]
    version: int
    rng: random.Random
    budget: Budget
    stop: threading.Event

    def thinking(self) -> Thinking:
        """The limits of one question."""
        return Thinking(self.rng, self.budget, self.stop.is_set)


class Adviser:
    """One question at a time, each in a daemon thread of its own.

    Args:
        session: The table; only what never changes is read in the thread.
        deliver: Called in the thread with the result.
    """

    def __init__(self, session: Session, deliver: Callable[[Counsel], None]) -> None:
        self._session = session
        self._deliver = deliver
        self._stop = threading.Event()
        self.is_busy = False

    def ask(self, seen: Observation[Any, Any]) -> None:
        """Begin to think about what a seat sees."""
        self.stop()
        stop = self._stop = threading.Event()
        match = self._session.match
        earlier = experience(match, seen.seat)
        job = _Job(seen, earlier, match.version, match.rng("hint"), self._session.budget, stop)
        self.is_busy = True
        threading.Thread(target=self._run, args=(job,), name="adviser", daemon=True).start()

    def stop(self) -> None:
        """Want no advice any more."""
        self._stop.set()
        self.is_busy = False

    def _run(self, job: _Job) -> None:
        seen, stop = job.seen, job.stop
        try:
            with released(self._session.adviser()) as adviser:
                advice = advise(adviser, self._session.game, seen, job.thinking(), job.earlier)
            counsel = Counsel(job.version, seen.seat, advice)
        except GameError as error:
            counsel = Counsel(job.version, seen.seat, None, problem=str(error))
        except BaseException as error:  # a stranger's agent may raise anything
            problem = f"no hint ({describe_error(error)})."
            counsel = Counsel(job.version, seen.seat, None, problem=problem)
        if stop.is_set():
            return
        self.is_busy = False
        self._deliver(counsel)
        opinion = self._rival(job)
        if opinion is not None and not stop.is_set():
            self._deliver(replace(counsel, opinion=opinion))

    def _rival(self, job: _Job) -> Opinion | None:
        seen, game = job.seen, self._session.game
        # The hint does not hang on what else is said at the table.
        with contextlib.suppress(BaseException):
            rival = None if seen.seat is None else self._session.rival(seen.seat)
            if rival is not None:
                name, agent = rival
                with released(agent):
                    return give_opinion(name, agent, game, seen, job.thinking(), job.earlier)
        return None
