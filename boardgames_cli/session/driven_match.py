"""A match with the holders of its seats: requests to agents, and substitutes for those that fail.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from boardgames_cli.agents.remote.seating import close
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
from boardgames_cli.core.errors import GameError, IllegalActionError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, PassesTime, Seat
from boardgames_cli.core.match import AnyMatch, announce_end, ask, brief, seat_stream
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.snapshot import Company
from boardgames_cli.session.viewpoint import disclosed_failure, is_secret

SHORT_GRACE_SECONDS: Final = 0.2
"""The same in real time, where a late answer would not count anyway."""

POLL_SECONDS: Final = 0.05

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
    comment: str = ""
    is_late: bool = False


class Event(Enum):
    """The next thing to do in a session."""

    OVER = auto()
    CHANCE = auto()
    HUMAN = auto()
    AGENT = auto()
    FORCED = auto()
    """A person's turn with only one legal action."""


class DrivenMatch:
    """A match with the holders of its seats, as a `Driver` takes it on.

    What is not possible now raises `IllegalActionError`, and changes nothing.

    For an agent that is late or fails, the game's default action is played, if it has one;
    otherwise a random legal action, and only after `GRACE_SECONDS`. Late are only agents that don't
    come with this program, unless in real time.
    """

    company: Company | None = None
    """The others at a table on a server; None where everybody is here."""
    holders: Sequence[SeatHolder]
    names: Sequence[str]
    """What the holders are called."""
    humans: tuple[Seat, ...]
    """The seats that people play."""
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
        self.match = match
        self.game = match.game
        self.budget = budget
        self.failures = 0
        """The number of substitute actions so far."""
        self._remark = remark
        self._chosen: tuple[int, Mapping[Seat, Any]] = match.version, {}
        self._shown: dict[Seat, int] = {}
        self._turns: dict[Seat, threading.Lock] = {}
        self._away: set[Seat] = set()
        """The seats whose agents were given up, and could not be ended."""
        self._seat(holders)

    def _seat(self, holders: Sequence[SeatHolder]) -> None:
        self.holders = tuple(holders)
        self.names = tuple(holder.name for holder in holders)
        self.humans = tuple(seat for seat, holder in enumerate(holders) if holder.is_human)

    def next_event(self) -> Event:
        waiting = self.match.waiting_for
        if not waiting:
            return Event.OVER
        if waiting == (CHANCE,):
            return Event.CHANCE
        humans = [seat for seat in waiting if seat in self.humans]
        if not humans:
            return Event.AGENT
        return Event.FORCED if len(self.match.observe(humans[0]).legal) == 1 else Event.HUMAN

    def resolve_chance(self) -> Any:
        outcome = self.match.resolve_chance()
        self._went_on()
        return outcome

    def submit(self, seat: Seat, action: Any) -> None:
        self.match.submit(seat, action)
        self._went_on()

    @property
    def chosen(self) -> Mapping[Seat, Any]:
        """The seats' choices for the current step, which may be changed until it is taken."""
        version, chosen = self._chosen
        return chosen if version == self.match.version else {}

    def choose(self, seat: Seat, action: Any) -> None:
        """Set or replace the choice of a seat; nothing is submitted yet."""
        match = self.match
        if seat not in range(self.game.seats) or action not in match.observe(seat).legal:
            reason = self.game.why_illegal(match.state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.")
        self._chosen = match.version, {**self.chosen, seat: action}

    def take_step(self) -> None:
        """Take the joint step as chosen; seats without a choice take the default action."""
        game, state, joint = self.game, self.match.state, {}
        for seat in self.match.waiting_for:
            action = self.chosen.get(seat)
            if action is None and isinstance(game, PassesTime):
                action = game.default_action(state, seat)
            if action is None:
                raise IllegalActionError(f"seat {seat + 1} must choose in {game.info.name}.")
            joint[seat] = action
        for seat, action in joint.items():
            self.match.submit(seat, action)
        self._went_on()

    def _went_on(self) -> None:
        """The match has changed by something that can't be refused any more."""

    def forced_action(self) -> tuple[Seat, Any]:
        """The person to act and their only legal action, after `Event.FORCED`."""
        seat = next(seat for seat in self.match.waiting_for if seat in self.humans)
        (action,) = self.match.observe(seat).legal
        return seat, action

    def next_agent(self) -> Seat:
        return self.agents[0]

    @property
    def agents(self) -> list[Seat]:
        return [seat for seat in self.match.waiting_for if seat not in self.humans]

    def request(self) -> ActRequest:
        """The request to the first agent that is to act."""
        return self.request_of(self.next_agent())

    def accept(self, result: ActResult) -> None:
        """Play an agent's answer.

        For an agent that has failed or is late a substitute action is played, and the log says so.
        """
        self.submit(result.request.seat, self.action_of(result))

    def request_of(self, seat: Seat) -> ActRequest:
        """The request to a seat's agent to act now."""
        match, agent = self.match, self.holders[seat].agent
        assert agent is not None, "people are not asked here"
        first, seen = self._shown.get(seat), match.observe(seat)
        is_waited_for = comes_with_program(agent) and not self.is_real_time
        limit, grace = self.budget.seconds, GRACE_SECONDS
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
                seat, f"{self.names[seat]} did not answer within {limit or 0.0:g} s."
            )
        if result.error is not None:
            self._shown.pop(seat, None)
            return self._stand_in(
                seat, disclosed_failure(self.match, self.names[seat], result.error)
            )
        is_timed = isinstance(self.match.game, PassesTime)
        is_waited_for = result.request.patience is None
        if is_timed and not is_waited_for and limit is not None and result.seconds > limit:
            return self._stand_in(seat, f"{self.names[seat]} took longer than {limit:g} s.")
        # Comments may reveal hidden information, so they are dropped in games with secrets.
        if result.comment and not is_secret(self.match):
            self._remark(f'{self.names[seat]}: "{result.comment}"')
        return result.action

    def forget(self) -> None:
        """Reset the agents and show them the whole match before their next decision."""
        self._shown.clear()

    def sit_in(self, seat: Seat, holder: SeatHolder) -> None:
        """Let another holder play a seat from now on."""
        self._seat([*self.holders[:seat], holder, *self.holders[seat + 1 :]])
        self._turns.pop(seat, None)
        self._away.discard(seat)
        self.forget()

    def pause_word(self) -> str:
        """What follows the last step if the game should pause there for people; else empty."""
        return ""

    def close(self) -> None:
        agents = [holder.agent for holder in self.holders]
        announce_end(self.match, agents)
        close(agents)

    def _abandon(self, request: ActRequest) -> None:
        self._shown.pop(request.seat, None)
        if request.is_absent:
            return
        request.stop()
        if not isinstance(request.agent, RunsElsewhere):  # others go on, and can't be asked again
            self._away.add(request.seat)

    def _stand_in(self, seat: Seat, reason: str) -> Any:
        match = self.match
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
