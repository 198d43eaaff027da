"""The driver of a match: chance, agents, forced actions and ticks, at a chosen pace.

It has no thread, no clock and no widgets. What happens comes in by its methods, and what must be
done goes out by `Effects`: lines, screen, real time and server give it a clock and a thread.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NoReturn

from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.session.driven_match import (
    POLL_SECONDS,
    ActRequest,
    ActResult,
    DrivenMatch,
    Event,
)
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import LONGEST_TICK, SHORTEST_TICK, Pace
from boardgames_cli.session.viewpoint import is_secret

PACES: Final = (Pace.STEP, Pace.SLOW, Pace.NORMAL, Pace.FAST, Pace.INSTANT)
"""From the slowest to the fastest."""

NOTICE_SECONDS: Final = 1.0
"""Seconds after which a notice says that an agent is thinking."""

_FASTER: Final = 0.8
_AT_ONCE: Final = 0.01
"""The interval of a fast forward in seconds, shorter than people can play."""
_AFTER_A_GAME: Final = 2.0
"""Seconds between the last step of a game in real time and the beginning of the next."""


def other_pace(pace: Pace, by: int, paces: Sequence[Pace] = PACES) -> Pace:
    """A faster pace by a number of levels, or a slower one, as far as there is one."""
    place = paces.index(pace) + by
    return paces[max(0, min(place, len(paces) - 1))]


class Obstruction(Enum):
    """Reasons why people can't see the game, or why keys don't reach it."""

    SCREEN = "another screen lies over it"
    LINE = "something is being typed"
    SIZE = "the terminal is too small"
    FOCUS = "another window has the keys"
    COUNTDOWN = "real time has not begun"


def _nothing(*_: Any) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Effects:
    """What a driver asks of its owner."""

    ask: Callable[[ActRequest], None]
    """Lets an agent think elsewhere, and passes its result to `Driver.take` in this thread."""
    arm: Callable[[float, Callable[[], None]], Callable[[], None]]
    """Calls a function after a number of seconds, unless what it returns is called before."""
    refused: Callable[[GameError], None]
    """Called when something could not be done."""
    changed: Callable[[], None] = _nothing
    """Called when the match or what it waits for has changed."""
    say: Callable[[str], None] = _nothing
    now: Callable[[], float] = time.monotonic


class Driver:
    """Takes a match on until a person must decide.

    In real time it takes a step at every tick, whether or not everybody has chosen: seats without a
    choice take the default action. The agents are asked at the start of each step. A tick waits for
    agents within their time limit, and missed ticks are skipped. While the game is paused or
    covered there are no ticks, and a person's key plays one step.

    On a server people are elsewhere and choose at any time: all agents are asked at once, ticks
    wait for nobody, and what is due is done without a timer.

    Args:
        session: The match with the holders of its seats.
        effects: The connection to the owner.
        pace: How fast steps are shown.
        tick: Seconds between ticks in real time; None waits for everybody.
        auto_forced: Whether forced actions are taken at once.
        is_served: Whether this is a server.
        answer_seconds: How long an agent seems to think at least.
    """

    def __init__(
        self,
        session: DrivenMatch,
        effects: Effects,
        pace: Pace = Pace.INSTANT,
        tick: float | None = None,
        *,
        auto_forced: bool = False,
        is_served: bool = False,
        answer_seconds: float = 0.0,
    ) -> None:
        self.session = session
        self.pace = pace if tick is None else Pace.INSTANT
        self.tick = tick
        """Seconds between ticks now; None if the game is not in real time."""
        self.is_paused = False
        self.is_browsing = False
        """Whether the user is browsing the history; the game waits meanwhile."""
        self.awaited = ""
        """What follows a pause for people; empty if there is no pause."""
        self.covers: set[Obstruction] = set()
        self.event = session.next_event()
        self.requests: dict[Seat, ActRequest] = {}
        session.is_real_time = tick is not None
        self._effects = effects
        self._pauses = pace is not Pace.INSTANT or tick is not None
        self._auto_forced = auto_forced
        self._is_served = is_served
        self._answer_seconds = answer_seconds
        self._asked: dict[Seat, float] = {}
        self._answers: dict[Seat, ActResult] = {}
        """What agents have chosen, until it is played."""
        self._due: Callable[[], Any] | None = None
        self._stop_alarm: Callable[[], None] = _nothing
        self._shown = effects.now()
        self._effect_until = 0.0
        self._beat_at = self._shown + (tick or 0.0)
        self._is_beat_over = False
        self._usual: tuple[Pace, float | None] | None = None
        """The pace and tick before a fast forward."""
        self._is_closed = False

    @property
    def request(self) -> ActRequest | None:
        return next(iter(self.requests.values()), None)

    @property
    def thinking_seconds(self) -> float | None:
        request = self.request
        return None if request is None else self._effects.now() - self._asked[request.seat]

    @property
    def progress(self) -> str:
        # It may reveal what the agent knows and people don't.
        request = self.request
        return "" if request is None or is_secret(self.session.match) else request.progress[0]

    @property
    def is_held(self) -> bool:
        return self._is_stopped or self.pace.seconds is None

    @property
    def _is_stopped(self) -> bool:
        is_covered = self.tick is not None and bool(self.covers)
        return self.is_paused or self.is_browsing or bool(self.awaited) or is_covered

    @property
    def share_left(self) -> float:
        """The remaining share of the time to the next tick; 1 while paused."""
        if self.tick is None or self._is_stopped or self.event is Event.OVER:
            return 1.0
        return max(0.0, min(1.0, (self._beat_at - self._effects.now()) / self.tick))

    @property
    def pace_text(self) -> str:
        if self.tick is not None:
            return f"A step every {self.tick:.2g} s."
        return f"Pace: {self.pace.value}."

    def go_on(self) -> None:
        """Find the next event and schedule it."""
        if self._is_closed:
            return
        self._due = None
        self._drop(self.session.match.ply)
        self.event = self.session.next_event()
        if self.event is Event.HUMAN and self._usual is not None:
            (self.pace, self.tick), self._usual = self._usual, None
        if self.event is Event.CHANCE:
            self._due = self.session.resolve_chance
        elif self.event is not Event.OVER and self.tick is not None:
            self._is_beat_over = False
            self._due = self._beat
        elif self.event is Event.FORCED:
            self._due = self._force
        self._ask()
        self._effects.changed()
        self._arm()

    def play(self, seat: Seat, action: Any) -> bool:
        """Play a person's action; False, after a message, if it was refused.

        In real time it is what the seat does at the next tick, and may be changed until then.
        """
        if self.awaited:
            self._effects.say(f"Press enter: {self.awaited}.")
            return False
        if self.tick is None:
            is_done = self._act(lambda: self.session.submit(seat, action))
            if is_done:
                self.go_on()
            return is_done
        is_done = self._act(lambda: self.session.choose(seat, action))
        if is_done and self.is_held and not self.is_browsing:
            self.step()
        self._effects.changed()
        return is_done

    def take(self, result: ActResult) -> None:
        """Receive an agent's result; it is played when it is due."""
        if self.requests.get(result.request.seat) is not result.request or self._is_closed:
            return
        self._receive(result)
        if self.tick is not None:
            self._ask()
            self._meet_beat()
            return
        self._effects.changed()
        self._arm()

    def check_late(self) -> None:
        """Substitute for agents that do not answer; to be called regularly."""
        for request in [*self.requests.values()]:
            if request.is_late:
                request.stop()
                name = self.session.names[request.seat]
                self._effects.say(f"{name} does not answer; something else is played for it.")
                self.take(request.given_up())

    def step(self) -> None:
        """Take the next step now, whatever the pace; an agent that thinks moves at once."""
        self.awaited = ""
        if self._due is not None and not self.is_browsing:
            self._ring()
        else:
            for request in self.requests.values():
                request.hurried.set()

    def release(self) -> None:
        self.awaited = ""
        self._shown = self._effects.now()
        self._rearm()

    def fast_forward(self) -> None:
        """Show what goes on without people as fast as possible, until one can act again."""
        if self._usual is None:
            self._usual = self.pace, self.tick
        self.pace, self.tick = Pace.INSTANT, None if self.tick is None else _AT_ONCE
        self.release()

    def change_pace(self, by: int) -> None:
        """Change the pace by a number of levels."""
        if self.tick is None:
            self.pace = other_pace(self.pace, by)
        else:
            self.tick = min(LONGEST_TICK, max(SHORTEST_TICK, self.tick * _FASTER**by))
        self._usual = None
        self._rearm()

    def cover(self, by: Obstruction, is_covered: bool) -> None:
        """Something covers the game, or no longer does: nothing moves under another screen.

        In real time everything that keeps people from playing stops it.
        """
        stops = self.session.company is None and by is Obstruction.SCREEN
        if (stops or self.tick is not None) and is_covered != (by in self.covers):
            self.covers ^= {by}
            self._rearm()

    def linger(self, seconds: float) -> None:
        """Let an effect be seen before chance or an agent goes on; people's keys act at once.

        Args:
            seconds: How long it lasts from now on; 0 if it was ended.
        """
        self._effect_until = self._effects.now() + seconds
        self._arm()

    def pause(self, is_paused: bool) -> None:
        """Pause after the current step, or continue."""
        self.is_paused = is_paused
        self._rearm()

    def browse(self, is_browsing: bool) -> None:
        self.is_browsing = is_browsing
        self._rearm()

    def jump(self, move: Callable[[], None], then: Callable[[], None]) -> None:
        """Undo or redo; what follows is done unless that is refused.

        In real time the game is paused after what was undone.
        """
        match = self.session.match
        before, ply = match.version, match.ply
        self._act(move)
        if match.version == before:
            return  # it was refused, or others have to agree: a pause or a thought goes on
        self.drop()
        self.awaited, self.is_browsing = "", False
        self.is_paused |= self.tick is not None and match.ply <= ply
        then()
        self.go_on()

    def drop(self, seat: Seat | None = None) -> None:
        """Forget what agents were asked and have chosen, and what is due; or that of one seat."""
        if seat is None:
            self._due = None
            self._stop_alarm()
        self._drop(-1, seat)

    def close(self) -> None:
        self._is_closed = True
        self.drop()

    def perform(self) -> None:
        """Do what is due, without looking for what follows."""
        due, self._due = self._due, None
        self._stop_alarm()
        if due is not None and not self._is_closed:
            self._act(due)

    def _drop(self, but: int, seat: Seat | None = None) -> None:
        for one, request in [*self.requests.items()]:
            if request.seen.ply != but and seat in (None, one):
                request.drop()
                del self.requests[one]
        self._answers = {
            one: result
            for one, result in self._answers.items()
            if result.request.seen.ply == but or seat not in (None, one)
        }

    def _ask(self) -> None:
        session = self.session
        if self.tick is None and not self._is_served:
            if self.event is Event.AGENT and not self.requests and not self._answers:
                self._put(session.request())
        elif self.event not in (Event.OVER, Event.CHANCE):
            for seat in session.agents:
                if self.requests and not self._is_served:
                    return  # one after the other
                if seat not in {*self.requests, *self._answers, *session.chosen}:
                    self._put(session.request_of(seat))

    def _put(self, request: ActRequest) -> None:
        self.requests[request.seat] = request
        self._asked[request.seat] = self._effects.now()
        if request.is_absent:
            self._receive(request.given_up())
        else:
            self._effects.ask(request)

    def _receive(self, result: ActResult) -> None:
        seat = result.request.seat
        del self.requests[seat]
        if self.tick is not None:
            action = self.session.action_of(result)
            self._act(lambda: self.session.choose(seat, action))
            return
        if isinstance(result.error, AgentError):
            is_told = not is_secret(self.session.match)
            name = self.session.names[seat]
            self._effects.say(result.error.message if is_told else f"{name} failed.")
        self._answers[seat] = result

    def _accept(self) -> None:
        self.session.accept(self._answers.pop(next(iter(self._answers))))

    def _force(self) -> None:
        seat, action = self.session.forced_action()
        self._effects.say(f"{self.session.names[seat]} could do nothing else: {action}.")
        self.session.submit(seat, action)

    def _beat(self) -> None:
        self._is_beat_over = True
        if self._is_served:
            self.drop()
        self._meet_beat()

    def _meet_beat(self) -> None:
        if self._is_beat_over and not self.requests:
            self._is_beat_over = False
            self._act(self.session.take_step)
            self._beat_at = self._next_beat()
            self.go_on()

    def _next_beat(self) -> float:
        now, tick = self._effects.now(), self.tick or 0.0
        planned = self._beat_at + tick
        return planned if planned - now > tick / 2 else now + tick

    def _ring(self) -> None:
        if self._due == self._beat:
            self._due = None
            self._stop_alarm()
            self._beat()
            return
        self._beat_at = self._effects.now() + (self.tick or 0.0)
        self.perform()
        self.go_on()

    def _arm(self) -> None:
        self._stop_alarm()
        if self._due is None and self._answers:
            self._due = self._accept
        is_held = self._is_stopped if self._is_unseen else self.is_held
        if self._due is None or is_held or self.covers or self._is_closed:
            return
        rest = self._rest() - self._effects.now()
        if self._is_served and rest <= 0:
            self._ring()
        else:  # a timer even without a delay, so that keys are handled between steps
            self._stop_alarm = self._effects.arm(max(rest, 0.001), self._ring)

    def _rest(self) -> float:
        if self.tick is not None and self.event is not Event.CHANCE:
            return self._beat_at
        if self._due == self._accept and self._answer_seconds:
            return self._asked[next(iter(self._answers))] + self._answer_seconds
        if self._is_unseen or self._is_served or (self.event is Event.FORCED and self._auto_forced):
            return 0.0
        if self.tick is not None:
            # Between games of a match, people want to see how the last one ended.
            return self._shown + _AFTER_A_GAME if self.session.match.ply else 0.0
        return max(self._shown + (self.pace.seconds or 0.0), self._effect_until)

    @property
    def _is_unseen(self) -> bool:
        """Whether the next event has no visible effect: a joint step needs more choices."""
        return self.tick is None and len(self.session.match.waiting_for) > 1

    def _rearm(self) -> None:
        if self.tick is not None:
            self._beat_at = max(self._beat_at, self._effects.now() + self.tick)
        self._stop_alarm()
        self._effects.changed()
        self._arm()

    def _act(self, act: Callable[[], Any]) -> bool:
        ply = self.session.match.ply
        is_done = True
        try:
            act()
        except GameError as error:
            self._effects.refused(error)
            is_done = False
        if self.session.match.ply != ply:
            self._shown = self._effects.now()
            self.awaited = self.session.pause_word() if self._pauses else ""
        return is_done


class BlockingLoop:
    """Drives a session, waiting for each agent until it answers or is late.

    It is for plain text, JSON results and language models. A signal may end the wait in the context
    that ``waiting`` returns. A notice says when an agent thinks for long.
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
        effects = Effects(
            lambda request: request.start(self._answers.put), lambda *_: _nothing, _fail
        )
        self._driver = Driver(session, effects)

    def advance(self) -> Event:
        """Take the next step, unless the game is over or a person must choose.

        Returns:
            The event that was due; after `Event.OVER` and `Event.HUMAN` nothing has changed.
        """
        with self._waiting():
            self._driver.go_on()
            self._wait()
        self._driver.perform()
        return self._driver.event

    def close(self) -> None:
        """Stop the agents and release the session."""
        self._driver.close()
        self._session.close()

    def _wait(self) -> None:
        driver, has_noticed = self._driver, False
        while (request := driver.request) is not None:
            with contextlib.suppress(queue.Empty):
                driver.take(self._answers.get(timeout=POLL_SECONDS))
            driver.check_late()
            if not has_noticed and (driver.thinking_seconds or 0.0) > NOTICE_SECONDS:
                self._notice(f"{self._session.names[request.seat]} is thinking.")
                has_noticed = True


def _fail(error: GameError) -> NoReturn:
    raise error
