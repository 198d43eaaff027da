"""The base of training runs: learning, measuring, saving, and stopping on request.

Used by `boardgames train` for all methods; independent of the terminal.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import chosen_words, flags, option_values
from boardgames_cli.storage.files import replace_file
from boardgames_cli.training.curve import Curve, Point

SAVE_EVERY: Final = 5.0
"""The shortest interval between saves in seconds."""

_SAVING: Final = 0.02
"""The maximum share of the time spent on saving."""


def silent(progress: Progress) -> None:
    """Discard a report."""
    del progress


def training_command(game: AnyGame, settings: Any, *words: str) -> str:
    """The command line that repeats a training of a game with all settings of a trainer."""
    values = option_values(settings)
    chosen = chosen_words(game, values)
    return " ".join(["boardgames train", game.info.id, *chosen, *words, *flags(values)])


def without(recorded: Mapping[str, Any], constants: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a file records, without those that are constants now and had that value."""
    return {name: value for name, value in recorded.items() if constants.get(name) != value}


class TrainingRun(ABC):
    """A training run with its file.

    Args:
        game: What is learned.
        settings: How; a dataclass of options, of which `counter` is the length.
        path: The file of the result, replaced atomically at each save. None keeps it in memory
            only.
        done: The amount of training in an earlier run.
        points: The learning curve of that run.
    """

    unit: ClassVar[str]
    """The unit of training for people, such as games."""
    counter: ClassVar[str]
    """The name of the setting that counts it, such as episodes."""

    needs: str = ""
    """The size of the work and the memory that it takes, told before it starts."""

    def __init__(
        self,
        game: AnyGame,
        settings: Any,
        path: Path | None,
        done: int = 0,
        points: Sequence[Point] = (),
    ) -> None:
        self.game, self.settings = game, settings
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
    def done(self) -> int:
        """The amount of training so far, including earlier runs."""

    @property
    def total(self) -> int:
        total: int = getattr(self.settings, self.counter)
        return total

    @property
    @abstractmethod
    def curve(self) -> Curve:
        """The measurements so far."""

    @abstractmethod
    def text(self) -> str:
        """The content of the file."""

    @abstractmethod
    def facts(self) -> list[str]:
        """The result so far in lines for people, without curve and speed."""

    def details(self) -> dict[str, Any]:
        """The result so far for programs: settings, curve, and specific values."""
        return {"settings": option_values(self.settings), "curve": self.curve_data}

    @property
    def curve_data(self) -> list[Mapping[str, Any]]:
        return [point.data for point in self.points]

    @abstractmethod
    def block(self) -> None:
        """Train for a short time; runs can only be stopped and saved between blocks."""

    @abstractmethod
    def measure(self) -> Point | None:
        """Measure the result, if it is due after the last block."""

    def run(
        self,
        report: Callable[[Progress], None] = silent,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Train to the end; the result is saved even if the run is interrupted.

        Args:
            report: Called after every block.
            pause: Called between blocks; an exception ends the training.

        Raises:
            StorageError: The file can't be written; the old content is unharmed.
        """
        try:
            while self.done < self.total:
                self._timed_block()
                point = self.measure()
                if point is not None:
                    self.points.append(point)
                report(self.progress())
                if time.monotonic() - self._saved > max(SAVE_EVERY, self._save_seconds / _SAVING):
                    self.save()
                pause()
        finally:
            self.save()

    def _timed_block(self) -> None:
        started = time.perf_counter()
        self._is_between_blocks = False
        self.block()
        self._is_between_blocks = True
        self.learning_seconds += time.perf_counter() - started

    def progress(self) -> Progress:
        learned = self.done - self._first
        rate = learned / self.learning_seconds if self.learning_seconds else 0.0
        brief, line = (self.points[-1].brief, self.points[-1].line) if self.points else ("", "")
        return Progress(self.done, self.total, self.unit, rate, brief, line)

    def save(self) -> None:
        """Replace the file by the current result.

        Raises:
            StorageError: It can't be written; the old content is unharmed.
        """
        self._saved = time.monotonic()
        # In the middle of a block the result would not be reproducible.
        if self.path is None or not self._is_between_blocks:
            return
        try:
            replace_file(self.path, self.text())
        except StorageError as error:
            raise StorageError(error.message, "Choose another file with --out.") from error
        self.has_saved = True
        self._save_seconds = time.monotonic() - self._saved

    def lines(self) -> list[str]:
        """The result for people: the curve, the facts, the speed."""
        rate, seconds = self.progress().rate, self.learning_seconds
        speed = f"speed: {rate:,.0f} {self.unit}/s, {seconds:.1f} s of learning"
        return [*self.curve.chart(), *self.facts(), speed]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.info.id,
            "file": None if self.path is None else str(self.path),
            self.counter: self.done,
            "finished": self.done >= self.total,
            f"{self.counter}_per_second": round(self.progress().rate),
            **self.details(),
        }
