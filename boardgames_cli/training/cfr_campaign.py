"""A training of a strategy from start to end: iterating, measuring, saving.

What `boardgames train` calls for games with secrets; no terminal is touched here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.game_tree import GameTree
from boardgames_cli.agents.information import stage_of, why_not_extensive
from boardgames_cli.agents.strategy import Strategy
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import Game, Traits
from boardgames_cli.core.options import option_values
from boardgames_cli.solving.best_response import Quality, quality
from boardgames_cli.storage.journal import replace_file
from boardgames_cli.training.cfr import Cfr
from boardgames_cli.training.cfr_settings import CfrSettings

_BLOCK: Final = 250
"""So many iterations lie between two looks at the clock and at what the user wants."""
_BAR: Final = 24


@dataclass(frozen=True, slots=True)
class Mark:
    """How good the average strategy was after some iterations."""

    iterations: int
    value: float
    exploitability: float

    def __str__(self) -> str:
        return (
            f"{self.iterations:,} iterations: exploitability {self.exploitability:.1e}, "
            f"value {self.value:+.6f}"
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    done: int
    total: int
    rate: float
    """Iterations a second, measurements left out."""
    mark: Mark | None
    """The last measurement."""

    @property
    def seconds_left(self) -> float:
        """How long the rest will take at this rate."""
        return (self.total - self.done) / self.rate if self.rate else 0.0


def can_train(game: Game[Any, Any]) -> bool:
    """Whether this is the way to train a game: it has secrets, and can be spread out as a tree."""
    return Traits.HIDDEN in game.info.traits and why_not_extensive(game) is None


class CfrCampaign:
    """One training with its file.

    Args:
        game: A small game of two seats and opposite interests. Of a match that repeats a game, the
            game that is repeated is trained.
        settings: How to train.
        path: Where the strategy is kept; None keeps it in memory only.

    Raises:
        TreeError: The game is of another kind or too large.
    """

    def __init__(self, game: Game[Any, Any], settings: CfrSettings, path: Path | None) -> None:
        self.game = stage_of(game)
        self.settings = settings
        self.path = path
        self.marks: list[Mark] = []
        self.learning_seconds = 0.0
        self._tree = GameTree(self.game)
        self._learner = Cfr(self._tree, settings)

    def run(
        self,
        report: Callable[[Progress], None] = lambda _: None,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Train to the end; whatever ends it early, what was learned is saved first.

        Args:
            report: Called after every block of iterations.
            pause: Called between two blocks; whatever it raises ends the training.

        Raises:
            StorageError: The strategy can't be written; what was there before is unharmed.
        """
        total = self.settings.iterations
        try:
            while self._learner.iterations < total:
                due = _next_mark(self._learner.iterations, total)
                self._learn(min(due - self._learner.iterations, _BLOCK))
                if self._learner.iterations == due:
                    self._measure()
                report(self.progress())
                pause()
        finally:
            self.save()

    def progress(self) -> Progress:
        """How far it is."""
        done = self._learner.iterations
        rate = done / self.learning_seconds if self.learning_seconds else 0.0
        last = self.marks[-1] if self.marks else None
        return Progress(done, self.settings.iterations, rate, last)

    def strategy(self) -> Strategy:
        """The average strategy so far, with the command that makes it and how good it is."""
        average = self._learner.average()
        table = {
            known.name: dict(zip(map(str, known.actions), row, strict=True))
            for known, row in zip(self._tree.information_sets, average, strict=True)
        }
        measured: Quality = quality(self._tree, average)
        return Strategy.of(
            self.game,
            table,
            command=self.settings.command(self.game.info.id),
            iterations=self._learner.iterations,
            value=round(measured.value, 7),
            exploitability=round(measured.exploitability, 7),
        )

    def as_json(self) -> dict[str, Any]:
        """What came of it, for programs."""
        progress = self.progress()
        return {
            "game": self.game.info.id,
            "file": None if self.path is None else str(self.path),
            "iterations": progress.done,
            "finished": progress.done == progress.total,
            "iterations_per_second": round(progress.rate),
            "settings": option_values(self.settings),
            "curve": [asdict(mark) for mark in self.marks],
            "strategy": self.strategy().table,
        }

    def lines(self) -> list[str]:
        """What came of it, for people: the curve, the strategy, the speed."""
        rows = [
            f"  {name:<14} "
            + "  ".join(f"{action} {chance:6.1%}" for action, chance in row.items())
            for name, row in self.strategy().table.items()
        ]
        speed = f"{self.progress().rate:,.0f} iterations/s, {self.learning_seconds:.1f} s"
        return [*chart(self.marks), "strategy:", *rows, f"speed: {speed}"]

    def save(self) -> None:
        """Write the strategy in the place of the old one.

        Raises:
            StorageError: It can't be written; what was there before is unharmed.
        """
        if self.path is None:
            return
        try:
            replace_file(self.path, self.strategy().to_text())
        except StorageError as error:
            raise StorageError(error.message, "Choose another file with --out.") from error

    def _learn(self, iterations: int) -> None:
        started = time.perf_counter()
        self._learner.run(iterations)
        self.learning_seconds += time.perf_counter() - started

    def _measure(self) -> None:
        measured = quality(self._tree, self._learner.average())
        self.marks.append(Mark(self._learner.iterations, measured.value, measured.exploitability))


def _next_mark(done: int, total: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50 ..., or the end."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power > done:
                return min(digit * power, total)
        power *= 10


def chart(marks: Sequence[Mark]) -> list[str]:
    """A curve as lines: iterations, exploitability (a longer bar is ten times closer), value."""
    lines = [f"{'iterations':>12}  {'exploitability':<{_BAR + 10}}  value of the first seat"]
    for mark in marks:
        share = _decades(mark.exploitability) / 6
        bar = "#" * round(min(share, 1.0) * _BAR)
        lines.append(
            f"{mark.iterations:>12,}  {bar:.<{_BAR}} {mark.exploitability:9.2e}  {mark.value:+.6f}"
        )
    return lines


def _decades(exploitability: float) -> float:
    """How many powers of ten a number is below 1."""
    decades = 0.0
    while exploitability < 1 and decades < 12:
        exploitability *= 10**0.25
        decades += 0.25
    return decades
