"""Learning curves as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

BAR: Final = 24
"""The length of the longest bar in a chart."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a learning curve."""

    done: int
    """The amount of training at the measurement."""
    line: str
    """The measurement in a sentence."""
    words: str
    """The figures next to its bar."""
    brief: str
    """The most important figure, for a progress bar."""
    share: float
    """The length of its bar in a chart, 0 to 1; longer is better."""
    data: Mapping[str, Any]
    """It as it stands in a file."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The measurements of a training run, with labels for drawing."""

    unit: str
    """The unit of training, such as games or iterations."""
    heading: str
    """The heading of the bars and figures."""
    points: Sequence[Point]

    def chart(self) -> list[str]:
        """The curve as lines: amount of training, bar, figures."""
        lines = [f"{self.unit:>12}  {self.heading}"]
        for point in self.points:
            bar = "#" * round(min(max(point.share, 0.0), 1.0) * BAR)
            lines.append(f"{point.done:>12,}  {bar:.<{BAR}} {point.words}")
        return lines
