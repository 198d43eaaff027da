"""The base of self-play training runs, which train a game's variants in turn."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from boardgames_cli.algorithms.linear_model import ModelError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.core.text import percent
from boardgames_cli.tournament.evaluation import Score
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.training_run import TrainingRun

POINTS: Final = 10
"""The number of evaluations, evenly spread."""

BEGIN_ANEW: Final = "Train anew: leave --resume out, and add --force."


class Settings(Protocol):
    """The interface of training settings."""

    def command(self, game: str) -> str:
        """The command line that repeats the training."""
        ...


class Learner(Protocol):
    """The learner of one variant."""

    @property
    def done(self) -> int:
        """The amount of training so far."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """The training state as JSON values, to resume later."""
        ...


L = TypeVar("L", bound=Learner)


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """One point of a learning curve."""

    unit: str
    """The unit of training."""
    done: int
    """The amount of training, all variants together."""
    scores: Mapping[str, float]
    """The share of points against random moves, by variant."""

    def __str__(self) -> str:
        return f"{self.done:,} {self.unit}: {self.words} against random"

    @property
    def share(self) -> float:
        """The mean share of points against random moves."""
        return sum(self.scores.values()) / max(1, len(self.scores))

    @property
    def words(self) -> str:
        """The figures shown next to its progress bar."""
        return "  ".join(f"{name} {percent(value, 1)}" for name, value in self.scores.items())

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"{percent(self.share, 1)} against random"

    @property
    def measures(self) -> Mapping[str, float]:
        """What a plot draws."""
        return {f"points against random, {name}": value for name, value in self.scores.items()}

    def as_json(self) -> dict[str, Any]:
        """The point as it stands in a file."""
        return {self.unit: self.done, "scores": dict(self.scores)}


def read_points(curve: Any, unit: str) -> list[ScorePoint]:
    """The valid points of a file's curve."""
    points = []
    for point in curve if isinstance(curve, list) else []:
        match point:
            case {"scores": dict(scores)} if isinstance(point.get(unit), int) and all(
                isinstance(value, float | int) for value in scores.values()
            ):
                shares = {name: float(value) for name, value in scores.items()}
                points.append(ScorePoint(unit, point[unit], shares))
    return points


class SelfPlayRun(TrainingRun[ScorePoint], Generic[L]):
    """A training run of a game's variants.

    Args:
        game: The rulebook.
        settings: The settings.
        path: The file of the result; None keeps it in memory only.
        learners: The learners by variant.
        curve: The points of an earlier run as JSON.
    """

    def __init__(
        self,
        game: AnyGame,
        settings: Settings,
        path: Path | None,
        learners: Mapping[str, L],
        curve: Any = (),
    ) -> None:
        self.game = game
        self._settings = settings
        self._learners = learners
        super().__init__(path, self.done, read_points(curve, self.unit))

    @property
    def game_id(self) -> str:
        """The game that is learned."""
        return self.game.info.id

    @property
    def done(self) -> int:
        """The amount of training so far, all variants together."""
        return sum(learner.done for learner in self._learners.values())

    @property
    def curve(self) -> Curve:
        """The learning curve."""
        return Curve(self.unit, "points against random moves", self.points, axis="share")

    @abstractmethod
    def shares(self) -> dict[str, float]:
        """The current share of points against random moves, by variant."""

    @abstractmethod
    def last_examination(self) -> dict[str, dict[str, Score]]:
        """The final scores by variant and rival."""

    def about(self) -> dict[str, Any]:
        """How it was trained: the command, the learning curve."""
        return {
            "command": self._settings.command(self.game_id),
            "curve": [point.as_json() for point in self.points],
        }

    def unfinished(self) -> dict[str, Any]:
        """The training state to resume; empty if finished."""
        if self.done >= self.total:
            return {}
        return {
            "settings": option_values(self._settings),
            "learners": {name: learner.snapshot() for name, learner in self._learners.items()},
        }

    def facts(self) -> list[str]:
        """The strength of one-ply search with it, and the command."""
        against = [
            f"{name} against {rival}: {result}"
            for name, results in self.last_scores.items()
            for rival, result in results.items()
        ]
        return [*against, f"made by: {self._settings.command(self.game_id)}"]

    def details(self) -> dict[str, Any]:
        """The settings, the curve, and the scores by variant and opponent."""
        return {
            "settings": option_values(self._settings),
            "curve": [point.as_json() for point in self.points],
            "scores": {
                name: {rival: result.share for rival, result in results.items()}
                for name, results in self.last_scores.items()
            },
        }

    @functools.cached_property
    def last_scores(self) -> dict[str, dict[str, Score]]:
        """The final scores; empty while unfinished."""
        return self.last_examination() if self.done >= self.total else {}

    def _next(self) -> L:
        """The next variant to train; all are trained equally, even if the run is interrupted."""
        return min(self._learners.values(), key=lambda learner: learner.done)

    def _measure(self) -> ScorePoint | None:
        step = max(1, self.total // POINTS)
        last = self.points[-1].done if self.points else 0
        if self.done < self.total and self.done // step == last // step:
            return None
        return ScorePoint(self.unit, self.done, self.shares())


def snapshots_of(
    training: Mapping[str, Any], variants: Mapping[str, Any]
) -> Mapping[str, Mapping[str, Any]]:
    """The snapshots of all learners in a file.

    Args:
        training: The training state in the file.
        variants: The exact variants that must be present.

    Raises:
        ModelError: There is no valid training state.
    """
    learners = training.get("learners")
    if not isinstance(learners, dict) or set(learners) != set(variants):
        raise ModelError("the file has no training state to resume.", BEGIN_ANEW)
    return learners


def settings_to_go_on(
    training: Mapping[str, Any], path: Path, length: str, given: int | None
) -> dict[str, str]:
    """The settings in a file, as strings.

    Args:
        training: The training state in the file.
        path: The file.
        length: The setting for the length of the training.
        given: A new value for it; None keeps the old one.

    Raises:
        ModelError: The training is finished.
    """
    kept = training.get("settings")
    if not isinstance(kept, dict):
        raise ModelError(f"the training of {path} is finished.", BEGIN_ANEW)
    texts = {str(name): str(value) for name, value in kept.items()}
    return texts if given is None else {**texts, length: str(given)}
