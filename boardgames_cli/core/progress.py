"""The progress of long work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_TEN: Final = 10


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of training, a tournament, a review or other long work."""

    done: int
    """The amount of work done, including earlier runs."""
    total: int | None
    """The whole amount; None if it depends on results."""
    unit: str
    """The unit of work, such as ``games``."""
    rate: float = 0.0
    """The amount of work per second in this run; 0 if it is unknown."""
    brief: str = ""
    """The latest figure, for a progress bar."""
    line: str = ""
    """The latest measurement as a line; it is printed when it changes, where there is no bar."""

    @property
    def seconds_left(self) -> float | None:
        """The estimated remaining time, if it is known."""
        if self.total is None or not self.rate:
            return None
        return (self.total - self.done) / self.rate

    def __str__(self) -> str:
        """Such as ``120 of 2,000 games, 35 a second, 0:00:54 left``."""
        of = "" if self.total is None else f" of {self.total:,}"
        parts = [f"{self.done:,}{of} {self.unit}"]
        if self.rate:
            parts.append(f"{self.rate:,.{0 if self.rate >= _TEN else 1}f} a second")
        if self.seconds_left is not None:
            minutes, seconds = divmod(round(self.seconds_left), 60)
            parts.append(f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left")
        return ", ".join(parts)
