"""A training run of networks by self-play, which trains a game's variants in turn."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.networks.network_model import (
    MakeLearner,
    NetworkLearner,
    NetworkModel,
    NetworkSettings,
    read_network,
)
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import build, check_options, option, option_values
from boardgames_cli.core.spec import load
from boardgames_cli.core.text import percent
from boardgames_cli.registry import part_of
from boardgames_cli.tournament.ratings.statistics import wilson_interval
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.training_run import TrainingRun

if TYPE_CHECKING:  # it needs numpy
    from boardgames_cli.algorithms.networks.policy_value_network import PolicyValueModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Score:
    """The share of points won, with its interval."""

    points: float
    games: int

    @property
    def share(self) -> float:
        """Points per game, 0 to 1."""
        return self.points / self.games

    def __str__(self) -> str:
        low, high = wilson_interval(self.points, self.games)
        margin = f"95 %: {percent(low, 1)} to {percent(high, 1)}"
        return f"{percent(self.share, 1)} of {self.games} games ({margin})"


POINTS: Final = 10
"""The number of evaluations, evenly spread."""
BEGIN_ANEW: Final = "Train anew: leave --resume out, and add --force."
GAMES: Final = 1000
"""Games against random moves in one evaluation, for each variant."""

LAST_GAMES: Final = 4000
"""Games against each rival in the evaluation at the end, for each variant."""


def why_no_network(game: AnyGame) -> str | None:
    """None if networks can be trained for a game, otherwise the reason why not."""
    return None if part_of(game, "network") else "it has no compiled rules for training networks"


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """One point of a learning curve."""

    done: int
    """The number of rounds, all variants together."""
    scores: Mapping[str, float]
    """The share of points, by variant."""
    rival: str = "random"
    """Against whom."""

    def __str__(self) -> str:
        return f"{self.done:,} rounds: {self.words} against {self.rival}"

    @property
    def share(self) -> float:
        """The mean share of points."""
        return sum(self.scores.values()) / max(1, len(self.scores))

    @property
    def words(self) -> str:
        """The figures shown next to its progress bar."""
        rows = (f"{name} {percent(value, 1)}".strip() for name, value in self.scores.items())
        return "  ".join(rows)

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"{percent(self.share, 1)} against {self.rival}"

    @property
    def measures(self) -> Mapping[str, float]:
        """What a plot draws."""
        return {
            f"points against {self.rival}, {name}".removesuffix(", "): value
            for name, value in self.scores.items()
        }

    def as_json(self) -> dict[str, Any]:
        """The point as it stands in a file."""
        return {"rounds": self.done, "scores": dict(self.scores)}


def read_points(curve: Any, rival: str = "random") -> list[ScorePoint]:
    """The points of a curve in a file; invalid ones are skipped."""
    points = []
    for point in curve if isinstance(curve, list) else []:
        match point:
            case {"rounds": int(rounds), "scores": dict(scores)} if all(
                isinstance(value, float | int) for value in scores.values()
            ):
                shares = {name: float(value) for name, value in scores.items()}
                points.append(ScorePoint(rounds, shares, rival))
    return points


@dataclass(frozen=True)
class SelfPlaySettings:
    """The settings of a training by self-play of any game (`training.self_play`)."""

    rounds: int = option(
        700, "rounds of playing games and learning from them", low=1, high=1_000_000
    )
    games: int = option(16, "games of self-play per round", low=1, high=100_000)
    simulations: int = option(
        50, "positions that the search values for a decision", low=2, high=100_000
    )
    varied: int = option(
        12, "decisions of a game that are drawn by their share of the simulations", low=0
    )
    window: int = option(20_000, "latest positions to learn from", low=100, high=10_000_000)
    repeats: int = option(8, "how often a position is learned from", low=1, high=100)
    seed: int = option(1, "seed of all random numbers", low=0)
    units: int = option(128, "hidden units in each of the two layers", low=1, high=1024)
    step: float = option(0.001, "Adam's learning rate", low=1e-7, high=1.0)
    measured: int = option(
        20, "games against a search of as many simulations in each measurement", low=1, high=10_000
    )
    jobs: int = option(0, "processes that play; 0 for one on each core", low=0, high=1024)
    dask: str = option("", "the address of a Dask scheduler whose workers play")

    def __post_init__(self) -> None:
        check_options(self)

    def command(self, game: str) -> str:
        """The command line that repeats this training."""
        values = {name: value for name, value in option_values(self).items() if value != ""}
        words = [f"--{name} {value}" for name, value in values.items()]
        return " ".join(["boardgames train", game, "--method network", *words])


class RoundsRun(TrainingRun[ScorePoint]):
    """What training runs of networks share: rounds, a model, and how it was made."""

    unit: ClassVar[str] = "rounds"
    counter: ClassVar[str] = "rounds"

    game: AnyGame
    settings: NetworkSettings | SelfPlaySettings

    @property
    def game_id(self) -> str:
        """The game that is learned."""
        return self.game.info.id

    @abstractmethod
    def model(self) -> NetworkModel | PolicyValueModel:
        """The network so far, with the training state if unfinished."""

    def text(self) -> str:
        """The content of the model's file."""
        return self.model().to_text()

    def about(self) -> dict[str, Any]:
        """How it was trained: the command, the learning curve."""
        return {
            "command": self.settings.command(self.game_id),
            "curve": [point.as_json() for point in self.points],
        }

    def details(self) -> dict[str, Any]:
        """The settings and the curve."""
        return {"settings": option_values(self.settings), "curve": self.about()["curve"]}


class NetworkRun(RoundsRun):
    """A training run of a game's networks.

    Args:
        game: A game whose spec names networks.
        settings: The settings.
        path: The file of the networks; None keeps them in memory only.
        model: An unfinished model to resume, made with these settings.

    Raises:
        MissingPackageError: The extra ``fast`` is missing.
        LearnedFileError: The model has no training state.
    """

    settings: NetworkSettings

    def __init__(
        self,
        game: AnyGame,
        settings: NetworkSettings,
        path: Path | None,
        model: NetworkModel | None = None,
    ) -> None:
        self.settings = settings
        hook = part_of(game, "network")
        make: MakeLearner = load(hook.learner)
        learners = {variant: make(variant, settings) for variant in hook.variants}
        if model is not None:
            _restore(learners, model.training)
        self.game = game
        self._learners = learners
        curve = None if model is None else model.about.get("curve")
        super().__init__(path, self.done, read_points(curve))

    @property
    def done(self) -> int:
        """The amount of training so far, all variants together."""
        return sum(learner.done for learner in self._learners.values())

    @property
    def curve(self) -> Curve:
        """The learning curve."""
        return Curve(self.unit, "points against random moves", self.points, axis="share")

    @property
    def total(self) -> int:
        """The total number of rounds."""
        return self.settings.rounds * len(self._learners)

    def model(self) -> NetworkModel:
        """The networks so far, with the training state if unfinished."""
        info = self.game.info
        networks = {name: learner.network() for name, learner in self._learners.items()}
        return NetworkModel(info.id, info.rules_version, networks, self.about(), self.unfinished())

    def shares(self) -> dict[str, float]:
        """The share of games won by one-ply search against random moves, by variant."""
        return {
            name: learner.count_wins(learner.rivals()[0], GAMES) / GAMES
            for name, learner in self._learners.items()
        }

    def last_examination(self) -> dict[str, dict[str, Score]]:
        """The scores of one-ply search against every rival."""
        return {
            name: {
                rival: Score(learner.count_wins(rival, LAST_GAMES), LAST_GAMES)
                for rival in learner.rivals()
            }
            for name, learner in self._learners.items()
        }

    def unfinished(self) -> dict[str, Any]:
        """The training state to resume; empty if finished."""
        if self.done >= self.total:
            return {}
        return {
            "settings": option_values(self.settings),
            "learners": {name: learner.snapshot() for name, learner in self._learners.items()},
        }

    def facts(self) -> list[str]:
        """The strength of one-ply search with it, and the command."""
        against = [
            f"{name} against {opponent}: {result}"
            for name, results in self.last_scores.items()
            for opponent, result in results.items()
        ]
        return [*against, f"made by: {self.settings.command(self.game_id)}"]

    def details(self) -> dict[str, Any]:
        """The settings, the curve, and the scores by variant and opponent."""
        scores = {
            name: {opponent: result.share for opponent, result in results.items()}
            for name, results in self.last_scores.items()
        }
        return {**super().details(), "scores": scores}

    @functools.cached_property
    def last_scores(self) -> dict[str, dict[str, Score]]:
        """The final scores; empty while unfinished."""
        return self.last_examination() if self.done >= self.total else {}

    def _next(self) -> NetworkLearner:
        """The next variant to train; all are trained equally, even if the run is interrupted."""
        return min(self._learners.values(), key=lambda learner: learner.done)

    def _measure(self) -> ScorePoint | None:
        step = max(1, self.total // POINTS)
        last = self.points[-1].done if self.points else 0
        if self.done < self.total and self.done // step == last // step:
            return None
        return ScorePoint(self.done, self.shares())

    def _block(self) -> None:
        self._next().run()


def _restore(learners: Mapping[str, NetworkLearner], training: Mapping[str, Any]) -> None:
    snapshots = training.get("learners")
    try:
        if not isinstance(snapshots, dict) or set(snapshots) != set(learners):
            raise ValueError("other variants")
        for name, learner in learners.items():
            learner.restore(snapshots[name])
    except (KeyError, TypeError, ValueError) as error:
        raise LearnedFileError("the file has no training state to resume.", BEGIN_ANEW) from error


def kept_settings(kind: type[T], training: Mapping[str, Any], path: Path, rounds: int | None) -> T:
    """The settings of an unfinished training.

    Args:
        kind: Their class.
        training: The state of the training.
        path: Its file, for messages.
        rounds: A new number of rounds; None keeps the old one.

    Raises:
        LearnedFileError: The training is finished.
        OptionError: The settings are not allowed.
    """
    kept = training.get("settings")
    if not isinstance(kept, dict):
        raise LearnedFileError(f"the training of {path} is finished.", BEGIN_ANEW)
    texts = {str(name): str(value) for name, value in kept.items()}
    if rounds is not None:
        texts["rounds"] = str(rounds)
    return build(kind, texts, "training")


def resume_network(game: AnyGame, path: Path, rounds: int | None) -> NetworkRun:
    """Resume the training of the networks in a file.

    Args:
        game: The game.
        path: The file, which will be replaced.
        rounds: A new number of rounds for each variant; None keeps the old one.

    Raises:
        LearnedFileError: The file is damaged, for another game, or finished.
        OptionError: The settings in it are not allowed.
    """
    model = read_network(path)
    model.check_game(game)
    return NetworkRun(
        game, kept_settings(NetworkSettings, model.training, path, rounds), path, model
    )
