"""A Q-learning training run, with evaluations."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.algorithms.position_graph import PositionGraph, SmallGame
from boardgames_cli.algorithms.q_table import QTable, read_table
from boardgames_cli.algorithms.retrograde import solve_graph
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.text import percent
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.qlearning.learner import BLOCK, QLearning, resume
from boardgames_cli.training.qlearning.settings import QSettings
from boardgames_cli.training.training_run import TrainingRun

GAMES: Final = 200
"""Games against random moves in one evaluation, half from each side."""

_MARKS: Final = 20
"""The number of evaluations, evenly spread; there are more among the first games."""


@dataclass(frozen=True, slots=True)
class QLearningPoint:
    """One point of a learning curve."""

    episodes: int
    """The number of training games."""
    kept: int
    """The number of positions in which its preferred move keeps the exact value."""
    positions: int
    """The number of positions, counting mirror images separately."""
    score: float
    """Its share of the points against random moves, half a point for a draw."""

    def __str__(self) -> str:
        return (
            f"{self.episodes:,} games: keeps the exact value in {self.kept} of {self.positions} "
            f"positions, scores {percent(self.score, 1)} against random"
        )

    @property
    def done(self) -> int:
        """The number of training games."""
        return self.episodes

    @property
    def share(self) -> float:
        """The share of the positions in which it keeps the exact value."""
        return self.kept / self.positions if self.positions else 0.0

    @property
    def words(self) -> str:
        """The figures shown next to its progress bar."""
        return f"{self.kept:>5} of {self.positions:<4}  {percent(self.score, 1):>7}"

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"exact value kept {self.kept}/{self.positions}"

    @property
    def measures(self) -> Mapping[str, float]:
        """What a plot draws."""
        return {
            "positions whose exact value is kept": self.share,
            "points against random": self.score,
        }

    def as_json(self) -> dict[str, Any]:
        """The point as it stands in a file."""
        return asdict(self)


def is_due(done: int, total: int) -> bool:
    """Whether to evaluate after a block: often at first, then at regular intervals."""
    blocks = done // BLOCK
    step = max(1, total // BLOCK // _MARKS)
    return done >= total or blocks % step == 0 or (blocks < step and blocks & (blocks - 1) == 0)


class Evaluator:
    """Evaluates a learner.

    Args:
        learner: The learner, which is not modified.
    """

    def __init__(self, learner: QLearning[Any, Any]) -> None:
        self._learner = learner
        solution = solve_graph(learner.graph)
        self._good = [
            [
                solution.edge_verdict(edge).outcome == solution.verdicts[number].outcome
                for edge in edges
            ]
            for number, edges in enumerate(learner.graph.edges)
        ]
        self._weights = [_mirror_images(learner.graph, state) for state in learner.graph.states]

    def measure(self) -> QLearningPoint:
        """Evaluate the current table."""
        best = self._learner.best
        kept = sum(
            weight
            for weight, good, move in zip(self._weights, self._good, best, strict=True)
            if good[move]
        )
        return QLearningPoint(self._learner.episodes, kept, sum(self._weights), self._score())

    def _score(self) -> float:
        # Part of the seed of the bundled table's curve; it must not change.
        rng = random.Random(f"examination/{self._learner.episodes}")
        return sum(self._play(rng, game % 2) for game in range(GAMES)) / GAMES

    def _play(self, rng: random.Random, side: int) -> float:
        """One game against random moves; 1, 0.5 or 0 points."""
        edges, best = self._learner.graph.edges, self._learner.best
        node, mover = 0, 0
        for _ in range(self._learner.settings.longest):
            is_own = mover == side
            move = best[node] if is_own else int(rng.random() * len(edges[node]))
            edge = edges[node][move]
            if edge.target < 0:
                gain = edge.reward if is_own else -edge.reward
                return 0.5 + 0.5 * ((gain > 0) - (gain < 0))
            node, mover = edge.target, mover ^ edge.swaps
        return 0.5


def _mirror_images(graph: PositionGraph[Any, Any], state: Any) -> int:
    game = graph.game
    if not graph.shared or not isinstance(game, SmallGame):
        return 1
    return len({game.position_key(image) for image in game.symmetries(state)})


def read_curve(curve: tuple[Mapping[str, Any], ...]) -> list[QLearningPoint]:
    """The valid points of a file's curve."""
    points = []
    for point in curve:
        match point:
            case {
                "episodes": int(episodes),
                "kept": int(kept),
                "positions": int(positions),
                "score": int() | float() as score,
            }:
                points.append(QLearningPoint(episodes, kept, positions, float(score)))
    return points


class QLearningRun(TrainingRun[QLearningPoint]):
    """A training run of a Q-table.

    Args:
        learner: The learner.
        path: The file of the table; None keeps it in memory only.
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
        """The number of training games so far, including earlier runs."""
        return self.learner.episodes

    @property
    def total(self) -> int:
        """The total number of training games."""
        return self.learner.settings.episodes

    @property
    def curve(self) -> Curve:
        """The learning curve."""
        heading = f"{'exact value kept':<37}  against random"
        return Curve(self.unit, heading, self.points, axis="share")

    def table(self) -> QTable:
        """The current table with its learning curve."""
        return self.learner.table(tuple(point.as_json() for point in self.points))

    def text(self) -> str:
        """The content of the table's file."""
        return self.table().text()

    def facts(self) -> list[str]:
        """Facts about the table, one line each."""
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
    """The learning curve of a table whose training continues."""
    return tuple(read_curve(table.curve))


def begin_table(game: AnyGame, settings: QSettings, path: Path | None) -> QLearningRun:
    """Start a new training run.

    Raises:
        NotSmallError: The game can't be learned position by position.
    """
    return QLearningRun(QLearning(game, settings), path)


def resume_table(game: AnyGame, path: Path, episodes: int | None) -> QLearningRun:
    """Resume the training of the table in a file.

    Args:
        game: The game it is about.
        path: The file, which will be replaced.
        episodes: A new total number of games; None keeps the old one.

    Raises:
        TableError: The file is damaged, for another game, or lacks its settings.
    """
    table = read_table(path)
    return QLearningRun(resume(game, table, episodes), path, earlier_points(table))
