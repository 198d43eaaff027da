"""Q-learning from start to end, with evaluations on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from boardgames_cli.algorithms.q_table import QTable, read_table
from boardgames_cli.core.game import AnyGame
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.qlearning.evaluation import (
    Evaluator,
    QLearningPoint,
    is_due,
    read_curve,
)
from boardgames_cli.training.qlearning.learner import QLearning, resume
from boardgames_cli.training.qlearning.settings import QSettings
from boardgames_cli.training.training_run import TrainingRun


class QLearningRun(TrainingRun[QLearningPoint]):
    """One training of a Q-table.

    Args:
        learner: What learns.
        path: Where the table is kept; None keeps it in memory only.
        points: The curve of an earlier run.
    """

    unit: ClassVar[str] = "games"
    counter: ClassVar[str] = "episodes"

    def __init__(
        self,
        learner: QLearning[Any, Any],
        path: Path | None,
        points: tuple[QLearningPoint, ...] = (),
    ) -> None:
        super().__init__(path, learner.episodes, points)
        self.learner = learner
        self._evaluator = Evaluator(learner)

    @property
    def game_id(self) -> str:
        """The game that is learned."""
        return self.learner.game.info.id

    @property
    def done(self) -> int:
        """Games learned from so far, those of an earlier run included."""
        return self.learner.episodes

    @property
    def total(self) -> int:
        """Games to be learned from altogether."""
        return self.learner.settings.episodes

    @property
    def curve(self) -> Curve:
        """How good the table was after each number of games."""
        heading = f"{'exact value kept':<37}  against random"
        return Curve(self.unit, heading, self.points, axis="share")

    def table(self) -> QTable:
        """The table as it is now, with its curve."""
        return self.learner.table(tuple(point.as_json() for point in self.points))

    def text(self) -> str:
        """The table as the text of a file."""
        return self.table().text()

    def facts(self) -> list[str]:
        """What is to be said about the table."""
        return [f"{name}: {text}" for name, text in self.table().facts()]

    def details(self) -> dict[str, Any]:
        """The table's shape, settings and curve."""
        table = self.table()
        return {
            "shape": list(table.shape),
            "settings": dict(table.settings),
            "curve": list(table.curve),
        }

    def _block(self) -> None:
        self.learner.block()

    def _measure(self) -> QLearningPoint | None:
        return self._evaluator.measure() if is_due(self.done, self.total) else None


def earlier_points(table: QTable) -> tuple[QLearningPoint, ...]:
    """The curve of a table that is trained on."""
    return tuple(read_curve(table.curve))


def begin_table(game: AnyGame, settings: QSettings, path: Path | None) -> QLearningRun:
    """A training from nothing.

    Raises:
        NotSmallError: The game can't be learned position by position.
    """
    return QLearningRun(QLearning(game, settings), path)


def resume_table(game: AnyGame, path: Path, episodes: int | None) -> QLearningRun:
    """A training that goes on with the table of a file.

    Args:
        game: The game it is about.
        path: The file, which will be replaced.
        episodes: A new number of games altogether; None keeps the old one.

    Raises:
        TableError: The file is damaged, about something else, or does not say how it was made.
    """
    table = read_table(path)
    return QLearningRun(resume(game, table, episodes), path, earlier_points(table))
