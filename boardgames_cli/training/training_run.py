"""A training from start to end: learning, measuring, saving, and stopping on request.

What `boardgames train` runs, whatever the way to learn; no terminal is touched here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.files import replace_file
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.progress import Point, Progress

SAVE_EVERY: Final = 5.0
"""Seconds between two saves, at least."""

_SAVING: Final = 0.02
"""The share of the time that saving may take."""

P = TypeVar("P", bound=Point)


def _silent(progress: Progress) -> None:
    """Report to nobody."""
    del progress


class TrainingRun(ABC, Generic[P]):
    """One training with its file.

    Args:
        path: Where what is learned is kept; replaced in one step whenever it is saved. None keeps
            it in memory only.
        done: How much an earlier run has learned.
        points: The curve of that run.
    """

    unit: ClassVar[str]
    """What is counted, for people: games."""
    counter: ClassVar[str]
    """What is counted, by the name of its setting: episodes."""

    def __init__(self, path: Path | None, done: int = 0, points: Sequence[P] = ()) -> None:
        self.path = path
        self.points = list(points)
        self.learning_seconds = 0.0
        self.has_saved = False
        self._first = done
        self._saved = time.monotonic()
        self._save_seconds = 0.0
        self._is_between_blocks = True

    @property
    @abstractmethod
    def game_id(self) -> str:
        """The game that is learned."""

    @property
    @abstractmethod
    def done(self) -> int:
        """How much was learned from so far, in earlier runs too."""

    @property
    @abstractmethod
    def total(self) -> int:
        """The size of the whole training."""

    @property
    @abstractmethod
    def curve(self) -> Curve:
        """The measurements so far."""

    @abstractmethod
    def text(self) -> str:
        """What was learned so far as the text of a file."""

    @abstractmethod
    def facts(self) -> list[str]:
        """What was learned so far in lines for people, without curve and speed."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """What was learned so far for programs: settings, curve, and what is special."""

    @abstractmethod
    def _block(self) -> None:
        """Learn a little; training can only be stopped and saved between two blocks."""

    @abstractmethod
    def _measure(self) -> P | None:
        """Measure what was learned, if that is due after the last block."""

    def run(
        self,
        report: Callable[[Progress], None] = _silent,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Train to the end; whatever ends it early, what was learned is saved first.

        Args:
            report: Called after every block.
            pause: Called between two blocks; whatever it raises ends the training.

        Raises:
            StorageError: The file can't be written; what was there before is unharmed.
        """
        try:
            while self.done < self.total:
                self._learn()
                point = self._measure()
                if point is not None:
                    self.points.append(point)
                report(self.progress())
                if time.monotonic() - self._saved > max(SAVE_EVERY, self._save_seconds / _SAVING):
                    self.save()
                pause()
        finally:
            self.save()

    def _learn(self) -> None:
        started = time.perf_counter()
        self._is_between_blocks = False
        self._block()
        self._is_between_blocks = True
        self.learning_seconds += time.perf_counter() - started

    def progress(self) -> Progress:
        """How far it is."""
        learned = self.done - self._first
        rate = learned / self.learning_seconds if self.learning_seconds else 0.0
        return Progress(self.done, self.total, rate, self.points[-1] if self.points else None)

    def save(self) -> None:
        """Write what was learned in the place of the old file.

        Raises:
            StorageError: It can't be written; what was there before is unharmed.
        """
        self._saved = time.monotonic()
        # Torn out of the middle of a block, it would not be what these settings make.
        if self.path is None or not self._is_between_blocks:
            return
        try:
            replace_file(self.path, self.text())
        except StorageError as error:
            raise StorageError(error.message, "Choose another file with --out.") from error
        self.has_saved = True
        self._save_seconds = time.monotonic() - self._saved

    def lines(self) -> list[str]:
        """What came of it, for people: the curve, the facts, the speed."""
        rate, seconds = self.progress().rate, self.learning_seconds
        speed = f"speed: {rate:,.0f} {self.unit}/s, {seconds:.1f} s of learning"
        return [*self.curve.chart(), *self.facts(), speed]

    def as_json(self) -> dict[str, Any]:
        """What came of it, for programs."""
        return {
            "game": self.game_id,
            "file": None if self.path is None else str(self.path),
            self.counter: self.done,
            "finished": self.done >= self.total,
            f"{self.counter}_per_second": round(self.progress().rate),
            **self.details(),
        }
