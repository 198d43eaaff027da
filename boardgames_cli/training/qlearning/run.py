"""Q-learning from start to end, with evaluations on the way."""

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
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.qlearning.learner import BLOCK, QLearning, resume
from boardgames_cli.training.qlearning.settings import QSettings
from boardgames_cli.training.training_run import TrainingRun

GAMES: Final = 200
"""Games against random moves in one evaluation, half from each side."""

_MARKS: Final = 20
"""Evaluations spread evenly over a training; the first games have more."""


@dataclass(frozen=True, slots=True)
class QLearningPoint:
    """One point of a learning curve."""

    episodes: int
    """How many games it had learned from."""
    kept: int
    """In how many positions the move it prefers keeps the exact value."""
    positions: int
    """How many positions there are; mirror images count each."""
    score: float
    """Its share of the points against random moves, half a point for a draw."""

    def __str__(self) -> str:
        return (
            f"{self.episodes:,} games: keeps the exact value in {self.kept} of {self.positions} "
            f"positions, scores {self.score:.1%} against random"
        )

    @property
    def done(self) -> int:
        """How many games it had learned from."""
        return self.episodes

    @property
    def share(self) -> float:
        """The share of the positions in which it keeps the exact value."""
        return self.kept / self.positions if self.positions else 0.0

    @property
    def words(self) -> str:
        """The figures that stand beside its bar."""
        return f"{self.kept:>5} of {self.positions:<4}  {self.score:>6.1%}"

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
    """Whether to evaluate after a block: early often, then at regular steps."""
    blocks = done // BLOCK
    step = max(1, total // BLOCK // _MARKS)
    return done >= total or blocks % step == 0 or (blocks < step and blocks & (blocks - 1) == 0)


class Evaluator:
    """Evaluates a learner.

    Args:
        learner: Its table is evaluated and not changed.
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
        """Evaluate the table as it is now."""
        best = self._learner.best
        kept = sum(
            weight
            for weight, good, move in zip(self._weights, self._good, best, strict=True)
            if good[move]
        )
        return QLearningPoint(self._learner.episodes, kept, sum(self._weights), self._score())

    def _score(self) -> float:
        # The word stays: it seeds the bundled table's curve.
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
