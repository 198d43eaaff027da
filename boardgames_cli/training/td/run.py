"""TD(lambda) from start to end: every rule set in turn, with evaluations on the way and after."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.agents.greedy import Greedy
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.algorithms.linear_model import (
    LinearFeatures,
    LinearModel,
    ModelError,
    read_model,
)
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.options import build, option_values
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import features_of, spec_of
from boardgames_cli.tournament.evaluation import Score, evaluate
from boardgames_cli.training.curve import Curve
from boardgames_cli.training.td.learner import TdLearner
from boardgames_cli.training.td.settings import TdSettings
from boardgames_cli.training.training_run import TrainingRun


@dataclass
class HeuristicPlayer(Greedy[Any, Any]):
    """Takes the action after which a given evaluation likes its seat best."""

    def use(self, heuristic: Heuristic) -> HeuristicPlayer:
        """Play by another evaluation than the game's own."""
        self._given = heuristic
        return self

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Begin a game with the evaluation that was given."""
        super().reset(game, seat)
        self._heuristic = self._given


def score(game: AnyGame, heuristic: Heuristic, rival: Heuristic | None, games: int) -> Score:
    """Play an evaluation against another one, or against random moves.

    Args:
        game: The rules.
        heuristic: The evaluation that is measured.
        rival: The other one; None plays random moves.
        games: Games, rounded up to whole deals; each deal is played from both seats.
    """

    def make_rival() -> Agent[Any, Any]:
        return RandomAgent() if rival is None else HeuristicPlayer().use(rival)

    return evaluate(game, lambda: HeuristicPlayer().use(heuristic), make_rival, games)


@dataclass(frozen=True, slots=True)
class TdPoint:
    """One point of a learning curve."""

    games: int
    """Games learned from, all rule sets together."""
    scores: Mapping[str, float]
    """The share of points against random moves, by rule set."""

    def __str__(self) -> str:
        return f"{self.games:,} games: {self.words} against random"

    @property
    def done(self) -> int:
        """Games learned from."""
        return self.games

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
        return {"games": self.games, "scores": dict(self.scores)}


def read_points(curve: Any) -> list[TdPoint]:
    """The valid points of a file's curve."""
    points = []
    for point in curve if isinstance(curve, list) else []:
        match point:
            case {"games": int(games), "scores": dict(scores)} if all(
                isinstance(value, float | int) for value in scores.values()
            ):
                points.append(TdPoint(games, {name: float(v) for name, v in scores.items()}))
    return points


_BLOCK: Final = 50
"""Games between two looks at the clock and at what the user wants."""

_POINTS: Final = 10
"""Evaluations spread evenly over a training."""

GAMES: Final = 100
"""Games against random moves in one evaluation, for each rule set."""

LAST_GAMES: Final = 200
"""Games against each opponent in the evaluation at the end, for each rule set."""

_BEGIN_ANEW: Final = "Train anew: leave --resume out, and add --force."


def why_not_td(game: AnyGame) -> str | None:
    """None if this is the way to train a game, otherwise the reason why not."""
    return None if features_of(game) else "it names no features of its positions"


class TdRun(TrainingRun[TdPoint]):
    """One training of the weights of a game's evaluation.

    Args:
        game: A game whose spec names features.
        settings: How to learn.
        path: Where the weights are kept; None keeps them in memory only.
        model: An unfinished model to go on with, made with these settings.

    Raises:
        ModelError: The model does not say how to go on.
    """

    unit: ClassVar[str] = "games"
    counter: ClassVar[str] = "games"

    def __init__(
        self,
        game: AnyGame,
        settings: TdSettings,
        path: Path | None,
        model: LinearModel | None = None,
    ) -> None:
        self.game = game
        self.settings = settings
        self._features: LinearFeatures = features_of(game)
        self._learners = {
            variant: TdLearner(self._features, variant, settings)
            for variant in self._features.variants()
        }
        points: Sequence[TdPoint] = ()
        if model is not None:
            self._restore(model.training)
            points = read_points(model.about.get("curve"))
        super().__init__(path, self.done, points)

    @property
    def game_id(self) -> str:
        """The game that is learned."""
        return self.game.info.id

    @property
    def done(self) -> int:
        """Games learned from so far, all rule sets together."""
        return sum(learner.games for learner in self._learners.values())

    @property
    def total(self) -> int:
        """Games to be learned from altogether."""
        return self.settings.games * len(self._learners)

    @property
    def curve(self) -> Curve:
        """How good the weights were after each number of games."""
        return Curve(self.unit, "points against random moves", self.points, axis="share")

    def model(self) -> LinearModel:
        """The weights so far, with what is needed to go on if they are not finished."""
        info = self.game.info
        about = {
            "command": self.settings.command(info.id),
            "curve": [point.as_json() for point in self.points],
        }
        training = {}
        if self.done < self.total:
            training = {
                "settings": option_values(self.settings),
                "learners": {name: learner.snapshot() for name, learner in self._learners.items()},
            }
        weights = {name: learner.average() for name, learner in self._learners.items()}
        return LinearModel(info.id, info.rules_version, weights, about, training)

    def text(self) -> str:
        """The model as the text of a file."""
        return self.model().to_text()

    def facts(self) -> list[str]:
        """How strong one-ply play by the weights is, and what made them."""
        against = [
            f"{name} against {rival}: {result}"
            for name, results in self.last_scores.items()
            for rival, result in results.items()
        ]
        return [*against, f"made by: {self.settings.command(self.game_id)}"]

    def details(self) -> dict[str, Any]:
        """The settings, the curve, and the scores by rule set and opponent."""
        return {
            "settings": option_values(self.settings),
            "curve": [point.as_json() for point in self.points],
            "scores": {
                name: {rival: result.share for rival, result in results.items()}
                for name, results in self.last_scores.items()
            },
        }

    @functools.cached_property
    def last_scores(self) -> dict[str, dict[str, Score]]:
        """The scores of the finished weights; empty while they are not finished."""
        return self.scores(LAST_GAMES) if self.done >= self.total else {}

    def scores(self, games: int) -> dict[str, dict[str, Score]]:
        """Scores of one-ply play against random moves and against the bundled evaluation.

        Args:
            games: Games for each rule set and opponent.
        """
        evaluate, bundled = self._features.evaluation(self.model()), spec_of(self.game)
        rivals = {"random": None, "the bundled evaluation": bundled.load_heuristic()}
        return {
            name: {
                rival: score(rulebooks[0], evaluate, heuristic, games)
                for rival, heuristic in rivals.items()
            }
            for name, rulebooks in self._features.variants().items()
        }

    def _block(self) -> None:
        # Rule sets take turns, so that a training that is stopped has learned all of them.
        learner = min(self._learners.values(), key=lambda learner: learner.games)
        learner.run(min(_BLOCK, self.settings.games - learner.games))

    def _measure(self) -> TdPoint | None:
        step = max(1, self.total // _POINTS)
        before = self.done - _BLOCK
        if self.done < self.total and self.done // step == before // step:
            return None
        evaluate = self._features.evaluation(self.model())
        scores = {
            name: score(rulebooks[0], evaluate, None, GAMES).share
            for name, rulebooks in self._features.variants().items()
        }
        return TdPoint(self.done, scores)

    def _restore(self, training: Mapping[str, Any]) -> None:
        learners = training.get("learners")
        if not isinstance(learners, dict) or set(learners) != set(self._learners):
            raise ModelError("the file does not say how to go on with its training.", _BEGIN_ANEW)
        for name, learner in self._learners.items():
            learner.restore(learners[name])
            if not 0 <= learner.games <= self.settings.games:
                raise ModelError(
                    f"the file has learned from {learner.games} games of {name}; "
                    f"the training is {self.settings.games} games long.",
                    _BEGIN_ANEW,
                )


def resume_model(game: AnyGame, path: Path, games: int | None) -> TdRun:
    """A training that goes on with the weights of a file.

    Args:
        game: The game it is about.
        path: The file, which will be replaced.
        games: A new number of games for each rule set; None keeps the old one.

    Raises:
        ModelError: The file is damaged, about something else, or finished.
        OptionError: The settings in it are not allowed.
    """
    model = read_model(path)
    model.check_game(game)
    kept = model.training.get("settings")
    if not isinstance(kept, dict):
        raise ModelError(f"the training of {path} is finished.", _BEGIN_ANEW)
    texts = {str(name): str(value) for name, value in kept.items()}
    if games is not None:
        texts["games"] = str(games)
    return TdRun(game, build(TdSettings, texts, "training"), path, model)
