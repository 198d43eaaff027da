"""Progress and learning-curve points, common to all trainers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class Point(Protocol):
    """One point of a learning curve; its ``str`` is a line for people."""

    @property
    def done(self) -> int:
        """The amount of training at the measurement."""
        ...

    @property
    def share(self) -> float:
        """The length of its bar in a chart, 0 to 1; longer is better."""
        ...

    @property
    def words(self) -> str:
        """The figures next to its bar."""
        ...

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        ...

    @property
    def measures(self) -> Mapping[str, float]:
        """The values to plot, by the names in the legend."""
        ...

    def as_json(self) -> dict[str, Any]:
        """The point as JSON."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training run."""

    done: int
    """Games or iterations done, including earlier runs."""
    total: int
    rate: float
    """The rate per second in this run, without measurements."""
    point: Point | None
    """The last measurement."""

    @property
    def seconds_left(self) -> float:
        """The estimated remaining seconds."""
        return (self.total - self.done) / self.rate if self.rate else 0.0
