"""Trainings by self-play of a game's variants in turn, measured against random moves on the way."""

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
from boardgames_cli.tournament.evaluation import Score
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.training_run import TrainingRun

POINTS: Final = 10
"""Evaluations spread evenly over a training."""

BEGIN_ANEW: Final = "Train anew: leave --resume out, and add --force."


class Settings(Protocol):
    """What settings of a training have besides themselves."""

    def command(self, game: str) -> str:
        """The command line that trains with them."""
        ...


class Learner(Protocol):
    """What is learned for one variant."""

    @property
    def done(self) -> int:
        """How much was learned from so far."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """All that is needed to go on later, as JSON values."""
        ...


L = TypeVar("L", bound=Learner)


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """One point of a learning curve."""

    unit: str
    """What is counted."""
    done: int
    """How much was learned from, all variants together."""
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
        """The figures that stand beside its bar."""
        return "  ".join(f"{name} {value:.1%}" for name, value in self.scores.items())

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"{self.share:.1%} against random"

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
    """One training of a game's variants.

    Args:
        game: The rulebook.
        settings: How to learn.
        path: Where what is learned is kept; None keeps it in memory only.
        learners: What is learned, by variant.
        curve: The points of an earlier run, as they stand in a file.
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
        """How much was learned from so far, all variants together."""
        return sum(learner.done for learner in self._learners.values())

    @property
    def curve(self) -> Curve:
        """How good what was learned was after so much training."""
        return Curve(self.unit, "points against random moves", self.points, axis="share")

    @abstractmethod
    def shares(self) -> dict[str, float]:
        """The share of points against random moves now, by variant."""

    @abstractmethod
    def last_examination(self) -> dict[str, dict[str, Score]]:
        """The scores of what has been learned, by variant and rival."""

    def about(self) -> dict[str, Any]:
        """How it was made: the command, the curve."""
        return {
            "command": self._settings.command(self.game_id),
            "curve": [point.as_json() for point in self.points],
        }

    def unfinished(self) -> dict[str, Any]:
        """What is needed to go on; empty if there is nothing left to do."""
        if self.done >= self.total:
            return {}
        return {
            "settings": option_values(self._settings),
            "learners": {name: learner.snapshot() for name, learner in self._learners.items()},
        }

    def facts(self) -> list[str]:
        """How strong one-ply play by it is, and what made it."""
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
        """The scores in the end; empty while there is something left to do."""
        return self.last_examination() if self.done >= self.total else {}

    def _next(self) -> L:
        """Whose turn it is to learn, so that a training that is stopped has learned all of them."""
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
        training: What the file says of its training.
        variants: The variants that must be there, and no others.

    Raises:
        ModelError: It does not say how to go on.
    """
    learners = training.get("learners")
    if not isinstance(learners, dict) or set(learners) != set(variants):
        raise ModelError("the file does not say how to go on with its training.", BEGIN_ANEW)
    return learners


def settings_to_go_on(
    training: Mapping[str, Any], path: Path, length: str, given: int | None
) -> dict[str, str]:
    """The settings in a file, as texts.

    Args:
        training: What the file says of its training.
        path: The file.
        length: The setting that says how long to train.
        given: A new value for it; None keeps the old one.

    Raises:
        ModelError: The training is finished.
    """
    kept = training.get("settings")
    if not isinstance(kept, dict):
        raise ModelError(f"the training of {path} is finished.", BEGIN_ANEW)
    texts = {str(name): str(value) for name, value in kept.items()}
    return texts if given is None else {**texts, length: str(given)}
