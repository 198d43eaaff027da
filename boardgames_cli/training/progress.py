"""Progress and learning-curve points: the same words for every trainer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class Point(Protocol):
    """One point of a learning curve; its text is a line for people."""

    @property
    def done(self) -> int:
        """After how much training it was measured."""
        ...

    @property
    def share(self) -> float:
        """How long its bar is in a chart, 0 to 1; longer is better."""
        ...

    @property
    def words(self) -> str:
        """The figures that stand beside its bar."""
        ...

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        ...

    @property
    def measures(self) -> Mapping[str, float]:
        """What a plot draws, by the names in its legend."""
        ...

    def as_json(self) -> dict[str, Any]:
        """The point as it stands in a file."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    done: int
    """Games or iterations learned from, those of an earlier run included."""
    total: int
    rate: float
    """How many a second in this run, measurements left out."""
    point: Point | None
    """The last measurement."""

    @property
    def seconds_left(self) -> float:
        """How long the rest will take at this rate."""
        return (self.total - self.done) / self.rate if self.rate else 0.0
