"""Requests to the agents of a session, and substitute actions for agents that fail.

A request runs in a thread. Whoever waits for one asks `ActRequest.is_late`, and then takes
`ActRequest.given_up` for its result: what an agent that is late, or has been absent since, plays
instead is decided here.
The program's own agents are waited for, so that a game does not depend on the machine. Where there
is one legal action, nobody is asked.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import (
    GRACE_SECONDS,
    UNLIMITED,
    Agent,
    Budget,
    Comments,
    RunsElsewhere,
    Thinking,
    comes_with_program,
)
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation, PassesTime, Seat
from boardgames_cli.core.match import AnyMatch, ask, brief, seat_stream
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.viewpoint import disclosed_failure, is_secret

SHORT_GRACE_SECONDS: Final = 0.2
"""The same in real time, where a late answer would not count anyway."""

POLL_SECONDS: Final = 0.05
"""The polling interval in seconds."""

_LONGEST_REPORT: Final = 200
_GETTING_READY_SECONDS: Final = 60.0
"""The time for an agent to load data, compile and catch up, before its thinking time starts."""


@dataclass
class ActRequest:
    """A request to an agent to act."""

    seat: Seat
    agent: Agent[Any, Any]
    seen: Observation[Any, Any]
    rng: random.Random
    budget: Budget
    patience: float | None = None
    """Seconds of thinking after which the agent is given up; None waits for it."""
    restart: AnyGame | None = None
    """The game, if the agent must be reset first."""
    unseen: tuple[Observation[Any, Any], ...] = ()
    """The observations that the agent has not had yet."""
    hurried: threading.Event = field(default_factory=threading.Event)
    """Set to make the agent return its best action so far."""
    progress: deque[str] = field(default_factory=lambda: deque([""], maxlen=1))
    """The agent's last progress message; may be empty."""
    is_dropped: bool = False
    is_absent: bool = False
    """Whether the agent is still busy with a request that was given up; it must not be asked."""
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Held while the agent thinks: an agent has one thought at a time."""
    _asked: float = field(default_factory=time.monotonic)
    _thinking: Thinking | None = None

    @property
    def is_forced(self) -> bool:
        """Whether there is a single legal action, which the agent is not asked for."""
        return len(self.seen.legal) == 1

    @property
    def is_thinking(self) -> bool:
        return self._thinking is not None

    @property
    def is_late(self) -> bool:
        """Whether the agent is late, or absent.

        The time it needs to get ready is not part of its budget.
        """
        if self.is_absent:
            return True
        if self.patience is None or self.is_forced:
            return False
        if self._thinking is not None:
            return self._thinking.elapsed > self.patience
        return time.monotonic() - self._asked > self.patience + _GETTING_READY_SECONDS

    def result(self) -> ActResult:
        """Run the agent; failures are reported in the result."""
        if self.is_forced:
            return ActResult(self, self.seen.legal[0], None)
        while not self.turn.acquire(timeout=POLL_SECONDS):
            if self.is_dropped:
                return self.given_up()
        try:
            return self._answer()
        finally:
            self.turn.release()

    def given_up(self) -> ActResult:
        """The result for an agent that is late."""
        return ActResult(self, None, None, is_late=True)

    def start(self, deliver: Callable[[ActResult], None]) -> None:
        """Run the agent in a thread, which an agent that hangs can't keep the program in."""
        threading.Thread(target=lambda: deliver(self.result()), name="agents", daemon=True).start()

    def drop(self) -> None:
        """Nobody waits for the result any more."""
        self.is_dropped = True
        self.hurried.set()

    def stop(self) -> None:
        """Drop the request; an agent in its own process is killed."""
        self.drop()
        if isinstance(self.agent, RunsElsewhere):
            self.agent.stop()

    def _answer(self) -> ActResult:
        try:
            brief(self.agent, self.restart, self.seat, self.unseen)
            append = self.progress.append  # all of this request that the agent gets
            self._thinking = Thinking(
                self.rng,
                self.budget,
                self.hurried.is_set,
                lambda text: append(str(text)[:_LONGEST_REPORT]),
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
    """The action; None if the agent failed or is late."""
    error: GameError | None
    seconds: float = 0.0
    """The agent's thinking time in seconds."""
    comment: str = ""
    """The agent's comment for people."""
    is_late: bool = False


class AgentRunner:
    """Manages the agents of a session.

    For an agent that is late or fails, the game's default action is played, if it has one;
    otherwise a random legal action, and only after `GRACE_SECONDS`. Late are only agents that don't
    come with this program, unless in real time.
    """

    is_real_time: bool = False
    """Whether time passes for everybody, so that nobody is waited for."""
    is_unhurried: bool = False
    """Whether the program's own agents have no limit: nobody waits for them, and none was set."""

    def __init__(
        self,
        match: AnyMatch,
        holders: Sequence[SeatHolder],
        budget: Budget,
        remark: Callable[[str], None],
    ) -> None:
        self._match = match
        self._holders = list(holders)
        self._remark = remark
        self.budget = budget
        self.grace = GRACE_SECONDS
        self.failures = 0
        """The number of substitute actions so far."""
        self._shown: dict[Seat, int] = {}
        self._turns: dict[Seat, threading.Lock] = {}
        self._away: set[Seat] = set()
        """The seats whose agents were given up, and could not be ended."""

    def request(self, seat: Seat) -> ActRequest:
        """The request to a seat's agent to act now."""
        match, agent = self._match, self._holders[seat].agent
        assert agent is not None, "people are not asked here"
        first, seen = self._shown.get(seat), match.observe(seat)
        is_waited_for = comes_with_program(agent) and not self.is_real_time
        limit, grace = self.budget.seconds, self.grace
        if isinstance(match.game, PassesTime):
            grace = min(grace, SHORT_GRACE_SECONDS)
        turn = self._turns.setdefault(seat, threading.Lock())
        is_forced = len(seen.legal) == 1
        if not is_forced:
            self._shown[seat] = match.ply + 1
        return ActRequest(
            seat=seat,
            agent=agent,
            seen=seen,
            rng=match.rng(seat_stream(seat)),
            budget=UNLIMITED if is_waited_for and self.is_unhurried else self.budget,
            patience=None if is_waited_for or limit is None else limit + grace,
            restart=match.game if first is None else None,
            unseen=tuple(match.observe_step(seat, ply) for ply in range(first or 0, match.ply + 1)),
            is_absent=not is_forced and seat in self._away and turn.locked(),
            turn=turn,
        )

    def action_of(self, result: ActResult) -> Any:
        """The action to play: the answer if it is legal and in time, otherwise a substitute.

        An agent in its own process that is late is killed, and restarted at its next decision;
        others are not asked again until they return.
        """
        seat, limit = result.request.seat, self.budget.seconds
        if result.is_late:
            self._abandon(result.request)
            return self._stand_in(
                seat, f"{self._name(seat)} did not answer within {limit or 0.0:g} s."
            )
        if result.error is not None:
            self._shown.pop(seat, None)
            return self._stand_in(
                seat, disclosed_failure(self._match, self._name(seat), result.error)
            )
        is_timed = isinstance(self._match.game, PassesTime)
        is_waited_for = result.request.patience is None
        if is_timed and not is_waited_for and limit is not None and result.seconds > limit:
            return self._stand_in(seat, f"{self._name(seat)} took longer than {limit:g} s.")
        # Comments may reveal hidden information, so they are dropped in games with secrets.
        if result.comment and not is_secret(self._match):
            self._remark(f'{self._name(seat)}: "{result.comment}"')
        return result.action

    def forget(self) -> None:
        """Reset the agents and show them the whole match before their next decision."""
        self._shown.clear()

    def sit_in(self, seat: Seat, holder: SeatHolder) -> None:
        """Let another holder play a seat from now on."""
        self._holders[seat] = holder
        self._turns.pop(seat, None)
        self._away.discard(seat)
        self.forget()

    def _abandon(self, request: ActRequest) -> None:
        self._shown.pop(request.seat, None)
        if request.is_absent:
            return
        request.stop()
        if not isinstance(request.agent, RunsElsewhere):  # others go on, and can't be asked again
            self._away.add(request.seat)

    def _name(self, seat: Seat) -> str:
        return self._holders[seat].name

    def _stand_in(self, seat: Seat, reason: str) -> Any:
        match = self._match
        self.failures += 1
        if isinstance(match.game, PassesTime):
            action = match.game.default_action(match.state, seat)
            self._remark(f'{reason} Played instead: "{action}".')
            return action
        action = match.rng("stand-in").choice(match.observe(seat).legal)
        # Other seats may not know what this one did.
        what = "" if is_secret(match) else f': "{action}"'
        self._remark(f"{reason} Played at random instead{what}.")
        return action
