"""A training from start to end: learning, examining, saving, and stopping when told."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.table import QTable
from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.journal import replace_file
from boardgames_cli.training.examination import Examiner, Mark, is_due, read_curve
from boardgames_cli.training.qlearning import QLearning

SAVE_EVERY: Final = 5.0
"""So many seconds pass between two saves."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    done: int
    """Games learned from, those of an earlier run included."""
    total: int
    rate: float
    """Games a second in this run, examinations left out."""
    mark: Mark | None
    """The last examination."""

    @property
    def seconds_left(self) -> float:
        """How long the rest will take at this rate."""
        return (self.total - self.done) / self.rate if self.rate else 0.0


def _silent(progress: Progress) -> None:
    """Report to nobody."""
    del progress


class Campaign:
    """One training with its file.

    Args:
        learner: What learns.
        path: Where the table is kept; replaced in one step whenever it is saved. None keeps it in
            memory only.
        marks: The curve of an earlier run.
    """

    def __init__(
        self, learner: QLearning[Any, Any], path: Path | None, marks: tuple[Mark, ...] = ()
    ) -> None:
        self.learner = learner
        self.path = path
        self.marks = list(marks)
        self.learning_seconds = 0.0
        self._examiner = Examiner(learner)
        self._first = learner.episodes
        self._saved = time.monotonic()
        self._is_between_blocks = True

    def run(
        self,
        report: Callable[[Progress], None] = _silent,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Train to the end; whatever ends it early, what was learned is saved first.

        Args:
            report: Called after every block of games.
            pause: Called between two blocks; whatever it raises ends the training.

        Raises:
            StorageError: The table can't be written; what was there before is unharmed.
        """
        total = self.learner.settings.episodes
        try:
            while not self.learner.is_done:
                self._learn()
                if is_due(self.learner.episodes, total):
                    self.marks.append(self._examiner.mark())
                report(self.progress())
                if time.monotonic() - self._saved > SAVE_EVERY:
                    self.save()
                pause()
        finally:
            self.save()

    def _learn(self) -> None:
        started = time.perf_counter()
        self._is_between_blocks = False
        self.learner.block()
        self._is_between_blocks = True
        self.learning_seconds += time.perf_counter() - started

    def progress(self) -> Progress:
        """How far it is."""
        learner = self.learner
        done = learner.episodes
        rate = (done - self._first) / self.learning_seconds if self.learning_seconds else 0.0
        last = self.marks[-1] if self.marks else None
        return Progress(done, learner.settings.episodes, rate, last)

    def table(self) -> QTable:
        """The table as it is now, with its curve."""
        return self.learner.table(tuple(mark.as_json() for mark in self.marks))

    def save(self) -> None:
        """Write the table in the place of the old one.

        Raises:
            StorageError: It can't be written; what was there before is unharmed.
        """
        self._saved = time.monotonic()
        # Torn out of the middle of a block, the table would not go on as it should have.
        if self.path is None or not self._is_between_blocks:
            return
        try:
            replace_file(self.path, self.table().text())
        except StorageError as error:
            raise StorageError(error.message, "Choose another file with --out.") from error


def earlier_marks(table: QTable) -> tuple[Mark, ...]:
    """The curve of a table that is trained on."""
    return tuple(read_curve(table.curve))
