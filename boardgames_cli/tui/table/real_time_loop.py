"""Real-time play: joint steps are taken at regular ticks, whether or not everybody has chosen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from boardgames_cli.core.game import Seat
from boardgames_cli.session.agent_runner import ActResult
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import LONGEST_TICK, SHORTEST_TICK, Pace, Settings
from boardgames_cli.tui.table.game_loop import GameLoop, LoopCallbacks, Obstruction

_FASTER: Final = 0.8
_AT_ONCE: Final = 0.01
"""The interval of a fast forward in seconds, shorter than people can play."""
_AFTER_A_GAME: Final = 2.0
"""Seconds between the last step of a game and the beginning of the next."""


class RealTimeLoop(GameLoop):
    """Takes a step at every tick; seats without a choice take the default action.

    The agents are asked at the start of each step. A tick waits for agents within their time limit,
    and missed ticks are skipped. While the game is paused or the screen is covered there are no
    ticks, and a person's key plays one step.

    Args:
        session: The session; its game has a default action.
        tick: Seconds between ticks.
        callbacks: Timers and the way to be heard.
    """

    def __init__(self, session: Session, tick: float, callbacks: LoopCallbacks) -> None:
        super().__init__(session, Pace.INSTANT, callbacks)
        session.runner.is_real_time = True
        self.tick = self._usual_tick = tick
        self._pauses = True
        self.covers: set[Obstruction] = set()
        """What currently covers the game."""
        self._unasked: list[Seat] = []
        self._beat_at = time.monotonic() + tick
        self._is_beat_over = False

    @property
    def _is_stopped(self) -> bool:
        return super()._is_stopped or bool(self.covers)

    @property
    def pace_text(self) -> str:
        return f"A step every {self.tick:.2g} s."

    @property
    def share_left(self) -> float:
        """The remaining share of the time to the next tick; 1 while paused."""
        if self._is_stopped or self.event is Event.OVER:
            return 1.0
        return max(0.0, min(1.0, (self._beat_at - time.monotonic()) / self.tick))

    def _begin_step(self) -> None:
        if self.event is Event.HUMAN:
            self.tick = self._usual_tick
        self._is_beat_over = False
        self._due = self._beat
        waiting, people = self.session.match.waiting_for, self.session.humans
        self._unasked = [seat for seat in waiting if seat not in people]
        self._ask()

    def play(self, seat: Seat, action: Any) -> bool:
        if self.awaited:
            return super().play(seat, action)
        chosen = self._act(lambda: self.session.joint.choose(seat, action))
        if chosen and self.is_held and not self.is_browsing:
            self.step()
        self._callbacks.changed()
        return chosen

    def step(self) -> None:
        self.awaited = ""
        if self._due is not None:
            self._perform()

    def fast_forward(self) -> None:
        """Let steps follow each other as soon as agents have chosen, until people can act."""
        self._usual_tick, self.tick = self.tick, _AT_ONCE
        self.release()

    def change_pace(self, by: int) -> None:
        tick = self.tick * _FASTER**by
        self.tick = self._usual_tick = min(LONGEST_TICK, max(SHORTEST_TICK, tick))
        self._rearm()

    def cover(self, by: Obstruction, is_covered: bool) -> None:
        """Something covers the game, or no longer does; ticks stop while it is covered."""
        before = set(self.covers)
        if is_covered:
            self.covers.add(by)
        else:
            self.covers.discard(by)
        if self.covers != before:
            self._rearm()

    def jump(self, move: Callable[[], None], then: Callable[[], None]) -> None:
        """Undo or redo; the game is paused after what was undone."""

        def pause() -> None:
            self.is_paused = True
            then()

        super().jump(move, pause if move == self.session.undo else then)

    def take(self, result: ActResult) -> None:
        """Receive an agent's result, keep it for the tick, and ask the next agent."""
        if result.request is not self.request or self._is_closed:
            return
        self.request = None
        self._choose(result.request.seat, self.session.runner.action_of(result))
        self._ask()
        self._meet_beat()

    def _ask(self) -> None:
        runner = self.session.runner
        while self._unasked:
            request = runner.request(self._unasked.pop(0))
            if not request.is_absent:
                self._put(request)
                return
            self._choose(request.seat, runner.action_of(request.given_up()))

    def _choose(self, seat: Seat, action: Any) -> None:
        self._act(lambda: self.session.joint.choose(seat, action))

    def _beat(self) -> None:
        self._is_beat_over = True
        self._meet_beat()

    def _meet_beat(self) -> None:
        if self._is_beat_over and self.request is None:
            self._is_beat_over = False
            self._act(self.session.take_step)
            self._beat_at = self._next_beat()
            self.go_on()

    def _next_beat(self) -> float:
        now, planned = time.monotonic(), self._beat_at + self.tick
        return planned if planned - now > self.tick / 2 else now + self.tick

    def _perform(self) -> None:
        if self._due == self._beat:
            self._due = None
            self._stop_alarm()
            self._beat()
        else:
            self._beat_at = time.monotonic() + self.tick
            super()._perform()

    def _rest(self) -> float:
        if self.event is Event.CHANCE:
            # Between games of a match, people want to see how the last one ended.
            return self._shown + _AFTER_A_GAME - time.monotonic() if self.session.match.ply else 0.0
        return self._beat_at - time.monotonic()

    def _rearm(self) -> None:
        self._beat_at = max(self._beat_at, time.monotonic() + self.tick)
        super()._rearm()


def make_loop(session: Session, settings: Settings, callbacks: LoopCallbacks) -> GameLoop:
    """The loop of a session: in real time if it has a tick."""
    if session.tick is not None:
        return RealTimeLoop(session, session.tick, callbacks)
    return GameLoop(session, settings.pace, callbacks, auto_forced=settings.auto_forced)
