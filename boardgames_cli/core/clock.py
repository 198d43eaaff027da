"""Game clocks: a time control, and the time that every seat has left."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import Seat

_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST_SECONDS: Final = 30 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a seat has. Without a limit, all fields are 0."""

    base: float = 0.0
    """Seconds for the whole game."""
    increment: float = 0.0
    """Seconds added after every action (Fischer)."""
    move: float = 0.0
    """Seconds for each action, instead of a time for the whole game."""

    def __bool__(self) -> bool:
        return bool(self.base or self.move)

    def __str__(self) -> str:
        if self.move:
            return f"{_amount(self.move)} an action"
        if not self.base:
            return "no clock"
        return _amount(self.base) + (f"+{_amount(self.increment)}" if self.increment else "")


def read_time_control(clock: str, move_time: str = "") -> TimeControl:
    """Read a time control.

    Args:
        clock: The time for the game and what is added after an action, such as ``5m+3s``; empty for
            none.
        move_time: The time for each action instead, such as ``60s``; empty for none.

    Raises:
        OptionError: One can't be read, or both are given.
    """
    if clock and move_time:
        raise OptionError("a game has one clock or one time for each move, not both.")
    if move_time:
        return TimeControl(move=_seconds(move_time))
    if not clock:
        return TimeControl()
    base, _, increment = clock.partition("+")
    return TimeControl(_seconds(base), _seconds(increment) if increment else 0.0)


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*([smh]?)", text.strip().lower())
    seconds = float(found[1]) * _UNITS[found[2] or "s"] if found else 0.0
    if not 0 < seconds <= _LONGEST_SECONDS:
        raise OptionError(f'"{text}" is not a time.', "Write it as 5m+3s, 90s, or 1h.")
    return seconds


def _amount(seconds: float) -> str:
    unit = "m" if seconds >= 60 and seconds % 60 == 0 else "s"
    return f"{seconds / _UNITS[unit]:g}{unit}"


class Clock:
    """The time that every seat has left. It is told the time, and never looks at one itself.

    Several people may think at once.
    """

    def __init__(self, control: TimeControl, left: Sequence[float]) -> None:
        self.control = control
        self._left = list(left)
        self._since: dict[Seat, float] = {}

    @property
    def running(self) -> tuple[Seat, ...]:
        """The seats whose time passes."""
        return tuple(self._since)

    def left(self, now: float) -> list[float]:
        """The seconds that every seat has left, at least 0."""
        return [max(0.0, self._of(seat, now)) for seat in range(len(self._left))]

    def run(self, acting: Collection[Seat], now: float) -> None:
        """Let the time of the seats that must act pass, and stop that of the others."""
        if not self.control:
            return
        for seat in [seat for seat in self._since if seat not in acting]:
            self._left[seat] = self._of(seat, now) + self.control.increment
            del self._since[seat]
        for seat in acting:
            if seat not in self._since:
                self._since[seat] = now
                if self.control.move:
                    self._left[seat] = self.control.move

    def hold(self, now: float) -> None:
        """Stop all clocks where they are, without an increment."""
        for seat in list(self._since):
            self._left[seat] = self._of(seat, now)
        self._since.clear()

    def next_flag(self, now: float) -> tuple[float, Seat]:
        """The seconds until the first running clock is over, and its seat; infinite without one."""
        flags = [(self._of(seat, now), seat) for seat in self._since]
        return min(flags, default=(math.inf, -1))

    def _of(self, seat: Seat, now: float) -> float:
        return self._left[seat] - (now - self._since.get(seat, now))
