"""The game loop of the full screen: chance, agents and forced actions at a chosen pace.

It is independent of widgets: it gets a function to set timers, and reports changes by callbacks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

from boardgames_cli.core.background import Background
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.session.agent_runner import ActRequest, ActResult
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace
from boardgames_cli.session.viewpoint import is_secret

PACES: Final = (Pace.STEP, Pace.SLOW, Pace.NORMAL, Pace.FAST, Pace.INSTANT)
"""From the slowest to the fastest."""


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


class Alarm(Protocol):
    """A timer that has been set."""

    def stop(self) -> None:
        """Cancel the timer."""


@dataclass(frozen=True, slots=True)
class LoopCallbacks:
    """The loop's connection to its owner."""

    set_timer: Callable[[float, Callable[[], None]], Alarm]
    """Calls a function after a number of seconds, unless the alarm is stopped."""
    changed: Callable[[], None]
    """Called when the session has changed."""
    say: Callable[[str], None]
    """Show a message."""
    deliver: Callable[[ActResult], None]
    """Passes an agent's result to `GameLoop.take`; called in the agent's thread."""


class GameLoop:
    """Advances a session until a person must decide.

    Args:
        session: The table.
        pace: How fast steps are shown.
        callbacks: The connection to the owner.
        auto_forced: Whether forced actions are taken at once.
    """

    def __init__(
        self, session: Session, pace: Pace, callbacks: LoopCallbacks, *, auto_forced: bool = False
    ) -> None:
        self.session = session
        self.pace = pace
        self.is_paused = False
        self.is_browsing = False
        """Whether the user is browsing the history; the game waits meanwhile."""
        self.awaited = ""
        """What follows a pause for people; empty if there is no pause."""
        self.event = session.next_event()
        self._pauses = pace is not Pace.INSTANT
        self._callbacks = callbacks
        self._auto_forced = auto_forced
        self._thread = Background("agents", callbacks.deliver)
        self.request: ActRequest | None = None
        """What an agent thinks about; None if no agent does."""
        self._asked = 0.0
        self._due: Callable[[], Any] | None = None
        self._alarm: Alarm | None = None
        self._shown = time.monotonic()
        self._effect_until = 0.0
        self._usual_pace: Pace | None = None
        """The pace before a fast forward."""
        self._is_covered = False
        self._is_closed = False

    @property
    def thinking_seconds(self) -> float | None:
        """How long the agent has been thinking; None if no agent is."""
        return None if self.request is None else time.monotonic() - self._asked

    @property
    def progress(self) -> str:
        """What the thinking agent last said about its progress."""
        # It may reveal what the agent knows and people don't.
        if self.request is None or is_secret(self.session.match):
            return ""
        return self.request.progress[0]

    @property
    def is_held(self) -> bool:
        """Whether the next step waits for a key."""
        return self._is_stopped or self.pace.seconds is None

    @property
    def _is_stopped(self) -> bool:
        return self.is_paused or self.is_browsing or bool(self.awaited)

    def go_on(self) -> None:
        """Find the next event and schedule it."""
        if self._is_closed:
            return
        self._drop()
        self.event = self.session.next_event()
        if self.event is Event.CHANCE:
            self._due = self.session.resolve_chance
        elif self.event is not Event.OVER:
            self._begin_step()
        self._callbacks.changed()
        self._arm()

    def _begin_step(self) -> None:
        if self.event is Event.AGENT:
            self._ask()
        elif self.event is Event.FORCED:
            self._due = self._force
        elif self._usual_pace is not None:
            self.pace, self._usual_pace = self._usual_pace, None

    def play(self, seat: Seat, action: Any) -> bool:
        """Play a person's action; False, after a message, if it was refused."""
        if self.awaited:
            self._callbacks.say(f"Press enter: {self.awaited}.")
            return False
        version = self.session.match.version
        self._act(lambda: self.session.submit(seat, action))
        if self.session.match.version == version:
            return False
        self.go_on()
        return True

    def release(self) -> None:
        """Continue after a pause for people."""
        self.awaited = ""
        self._shown = time.monotonic()
        self._rearm()

    def step(self) -> None:
        """Take the next step now, whatever the pace."""
        self.awaited = ""
        if self._due is not None:
            self._perform()
        else:
            self.hurry()

    def hurry(self) -> None:
        """Make the agent move now."""
        self.awaited = ""
        if self._due is not None and not self.is_browsing:
            self._perform()
        else:
            self._thread.hurry()

    def fast_forward(self) -> None:
        """Show what goes on without people as fast as possible, until one can act again."""
        self._usual_pace, self.pace = self.pace, Pace.INSTANT
        self.release()

    @property
    def pace_text(self) -> str:
        """How fast it goes, for people."""
        return f"Pace: {self.pace.value}."

    def change_pace(self, by: int) -> None:
        """Change the pace by a number of levels."""
        self.pace = other_pace(self.pace, by)
        self._rearm()

    def cover(self, by: Obstruction, is_covered: bool) -> None:
        """Something covers the game, or no longer does: nothing moves under another screen."""
        if by is Obstruction.SCREEN and self.session.company is None:
            self._is_covered = is_covered
            self._stop_alarm()
            self._arm()

    def linger(self, seconds: float) -> None:
        """Let an effect be seen before chance or an agent goes on; people's keys act at once.

        Args:
            seconds: How long it lasts from now on; 0 if it was ended.
        """
        self._effect_until = time.monotonic() + seconds
        if self._alarm is not None:
            self._stop_alarm()
            self._arm()

    def pause(self, is_paused: bool) -> None:
        """Pause after the current step, or continue."""
        self.is_paused = is_paused
        self._rearm()

    def browse(self, is_browsing: bool) -> None:
        """Start or stop browsing the history."""
        self.is_browsing = is_browsing
        self._rearm()

    def close(self) -> None:
        """Stop for good and close the save."""
        self._is_closed = True
        self._drop()
        self._thread.drop()
        self.session.close()

    def take(self, result: ActResult) -> None:
        """Receive an agent's result; it is played when it is due."""
        if result.request is not self.request or self._is_closed:
            return
        self.request = None
        if isinstance(result.error, AgentError):
            name = self.session.names[result.request.seat]
            is_told = not is_secret(self.session.match)
            self._callbacks.say(result.error.message if is_told else f"{name} failed.")
        self._due = lambda: self.session.accept(result)
        self._callbacks.changed()
        self._arm()

    def check_late(self) -> None:
        """Substitute for an agent that does not answer; to be called regularly."""
        request = self.request
        if request is None or not request.is_late:
            return
        self._thread.abandon()
        name = self.session.names[request.seat]
        self._callbacks.say(f"{name} does not answer; something else is played for it.")
        self.take(request.given_up())

    def _ask(self) -> None:
        request = self.session.request()
        if request.is_absent:
            self._due = lambda: self.session.accept(request.given_up())
        else:
            self._put(request)

    def _put(self, request: ActRequest) -> None:
        self.request, self._asked = request, time.monotonic()
        self._thread.put(request)

    def _arm(self) -> None:
        is_held = self._is_stopped if self._is_unseen else self.is_held
        if self._due is None or is_held or self._is_covered or self._is_closed:
            return
        # A timer even without a delay, so that keys are handled between steps.
        self._alarm = self._callbacks.set_timer(max(self._rest(), 0.001), self._perform)

    def _rest(self) -> float:
        if self.event is Event.FORCED and self._auto_forced:
            return 0.0
        if self._is_unseen:
            return 0.0
        due = max(self._shown + (self.pace.seconds or 0.0), self._effect_until)
        return due - time.monotonic()

    @property
    def _is_unseen(self) -> bool:
        """Whether the next event has no visible effect: a joint step needs more choices."""
        return len(self.session.match.waiting_for) > 1

    def _rearm(self) -> None:
        self._stop_alarm()
        self._callbacks.changed()
        self._arm()

    def _stop_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None

    def _drop(self) -> None:
        self._stop_alarm()
        self._due = None
        self.request = None

    def _perform(self) -> None:
        due, self._due = self._due, None
        self._stop_alarm()
        if due is None or self._is_closed:
            return
        self._act(due)
        self.go_on()

    def _force(self) -> None:
        seat, action = self.session.forced_action()
        self._callbacks.say(f"{self.session.names[seat]} could do nothing else: {action}.")
        self.session.submit(seat, action)

    def jump(self, move: Callable[[], None], then: Callable[[], None]) -> None:
        """Undo or redo; what follows is done unless that is refused."""
        version = self.session.match.version
        self._act(move)
        if self.session.match.version == version:
            return  # it was refused, or others have to agree: a pause or a thought goes on
        self._thread.drop()
        self.awaited, self.is_browsing = "", False
        then()
        self.go_on()

    def _act(self, act: Callable[[], Any]) -> bool:
        """Do something that may be refused; whether it was done."""
        ply = self.session.match.ply
        is_done = True
        try:
            act()
        except GameError as error:
            self._callbacks.say(str(error))
            is_done = False
        if self.session.match.ply != ply:
            self._shown = time.monotonic()
            self.awaited = self.session.pause_word() if self._pauses else ""
        return is_done
