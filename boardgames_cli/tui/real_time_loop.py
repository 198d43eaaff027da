"""Real time: joint steps happen at a steady beat, whether or not everybody has chosen."""

from __future__ import annotations

import time
from typing import Any, Final

from boardgames_cli.core.game import Seat
from boardgames_cli.session.agent_thread import ActRequest, ActResult
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import LONGEST_TICK, SHORTEST_TICK, Pace, Settings
from boardgames_cli.tui.game_loop import Cover, GameLoop, LoopCallbacks

_FASTER: Final = 0.8
_AFTER_A_GAME: Final = 2.0
"""Seconds between the last step of a game and the beginning of the next."""


class RealTimeLoop(GameLoop):
    """Lets a step happen at every beat; a seat that has not chosen by then lets its time pass.

    The agents are asked at the beginning of each step. A beat waits for those that still think
    within their limit, and beats that were missed are left out. While it is paused, and while the
    screen is covered, no beat comes, and a person's key plays one step.

    Args:
        session: The table; its game has an action that lets time pass.
        tick: Seconds from one beat to the next.
        callbacks: Timers and the way to be heard.
    """

    def __init__(self, session: Session, tick: float, callbacks: LoopCallbacks) -> None:
        super().__init__(session, Pace.INSTANT, callbacks)
        self.tick = tick
        self._pauses = True
        self.covers: set[Cover] = set()
        """What covers the table now."""
        self._unasked: list[Seat] = []
        self._beat_at = time.monotonic() + tick
        self._is_beat_over = False

    # -- what can be seen from outside -------------------------------------------------------

    @property
    def _is_stopped(self) -> bool:
        return super()._is_stopped or bool(self.covers)

    @property
    def pace_text(self) -> str:
        """How fast it goes, for people."""
        return f"A step every {self.tick:.2g} s."

    @property
    def share_left(self) -> float:
        """The part of the time up to the next beat that is still to come; 1 while it stands."""
        if self._is_stopped or self.event is Event.OVER:
            return 1.0
        return max(0.0, min(1.0, (self._beat_at - time.monotonic()) / self.tick))

    # -- going on ----------------------------------------------------------------------------

    def go_on(self) -> None:
        """Begin the next step."""
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
        self._is_beat_over = False
        self._due = self._beat
        waiting, people = self.session.match.waiting_for, self.session.humans
        self._unasked = [seat for seat in waiting if seat not in people]
        self._ask()

    def play(self, seat: Seat, action: Any) -> bool:
        """Let a person choose; the choice can be changed until the beat comes."""
        if self.awaited:
            return super().play(seat, action)
        chosen = self._act(lambda: self.session.joint.choose(seat, action))
        if chosen and self.is_held and not self.is_browsing:
            self.step()
        self._callbacks.changed()
        return chosen

    def step(self) -> None:
        """Let the beat come now."""
        self.awaited = ""
        if self._due is not None:
            self._perform()

    def change_pace(self, by: int) -> None:
        """Beat faster or slower."""
        tick = self.tick * _FASTER**by
        self.tick = min(LONGEST_TICK, max(SHORTEST_TICK, tick))
        self._rearm()

    def cover(self, by: Cover, is_covered: bool) -> None:
        """Something covers the table, or no longer does; the beat stops until nothing does."""
        before = set(self.covers)
        if is_covered:
            self.covers.add(by)
        else:
            self.covers.discard(by)
        if self.covers != before:
            self._rearm()

    def undo(self) -> None:
        """Take back to a person's last choice, and wait there."""
        self.is_paused = True
        super().undo()

    # -- agents ------------------------------------------------------------------------------

    def take(self, answer: ActResult) -> None:
        """Receive an agent's answer, keep it for the beat, and ask the next agent."""
        if answer.question is not self._question or self._is_closed:
            return
        self._question = None
        self._choose(answer.question.seat, self.session.runner.action_of(answer))
        self._ask()
        self._meet_beat()

    def _replace(self, question: ActRequest) -> None:
        self._choose(question.seat, self.session.runner.give_up(question))
        self._ask()
        self._meet_beat()

    def _ask(self) -> None:
        runner = self.session.runner
        while self._unasked:
            seat = self._unasked.pop(0)
            if not runner.is_away(seat):
                self._put(runner.question(seat))
                return
            self._choose(seat, runner.action_of_absent(seat))

    def _choose(self, seat: Seat, action: Any) -> None:
        self._act(lambda: self.session.joint.choose(seat, action))

    # -- time --------------------------------------------------------------------------------

    def _beat(self) -> None:
        self._is_beat_over = True
        self._meet_beat()

    def _meet_beat(self) -> None:
        """Take the step if its beat has come and nobody thinks any more."""
        if self._is_beat_over and self._question is None:
            self._is_beat_over = False
            self._act(self.session.take_step)
            self._beat_at = self._next_beat()
            self.go_on()

    def _next_beat(self) -> float:
        """A tick after the last beat, or after now if that came much too late."""
        now, planned = time.monotonic(), self._beat_at + self.tick
        return planned if planned - now > self.tick / 2 else now + self.tick

    def _perform(self) -> None:
        due, self._due = self._due, None
        self._stop_alarm()
        if due is None or self._is_closed:
            return
        if due == self._beat:
            due()
            return
        self._act(due)
        self._beat_at = time.monotonic() + self.tick
        self.go_on()

    def _rest(self) -> float:
        if self.event is Event.CHANCE:
            # Where a game follows a game, people want to see how the last one ended.
            return self._shown + _AFTER_A_GAME - time.monotonic() if self.session.match.ply else 0.0
        return self._beat_at - time.monotonic()

    def _rearm(self) -> None:
        self._beat_at = max(self._beat_at, time.monotonic() + self.tick)
        super()._rearm()


def make_loop(session: Session, settings: Settings, callbacks: LoopCallbacks) -> GameLoop:
    """The loop of a table: in real time if it has a tick."""
    if session.tick is not None:
        return RealTimeLoop(session, session.tick, callbacks)
    return GameLoop(session, settings.pace, callbacks, auto_forced=settings.auto_forced)
