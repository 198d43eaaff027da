"""A TD(lambda) training run: all rule sets in turn, with evaluations."""

from __future__ import annotations

from collections.abc import Mapping
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
from boardgames_cli.core.options import build
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import features_of, spec_of
from boardgames_cli.tournament.evaluation import Score, evaluate
from boardgames_cli.training.self_play_run import (
    BEGIN_ANEW,
    SelfPlayRun,
    settings_to_go_on,
    snapshots_of,
)
from boardgames_cli.training.td.learner import TdLearner
from boardgames_cli.training.td.settings import TdSettings


@dataclass
class HeuristicPlayer(Greedy[Any, Any]):
    """Greedy one-ply search with a given evaluation."""

    def use(self, heuristic: Heuristic) -> HeuristicPlayer:
        """Set the evaluation."""
        self._given = heuristic
        return self

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Start a game with the given evaluation."""
        super().reset(game, seat)
        self._heuristic = self._given


def score(game: AnyGame, heuristic: Heuristic, rival: Heuristic | None, games: int) -> Score:
    """Measure an evaluation against another one, or against random moves.

    Args:
        game: The rules.
        heuristic: The evaluation to measure.
        rival: The opponent's evaluation; None plays random moves.
        games: The number of games, rounded up to whole deals; each deal is played from both seats.
    """

    def make_rival() -> Agent[Any, Any]:
        return RandomAgent() if rival is None else HeuristicPlayer().use(rival)

    return evaluate(game, lambda: HeuristicPlayer().use(heuristic), make_rival, games)


_BLOCK: Final = 50
"""Games between checks of the clock and of interrupts."""

GAMES: Final = 100
"""Games against random moves in one evaluation, for each rule set."""

LAST_GAMES: Final = 200
"""Games against each opponent in the evaluation at the end, for each rule set."""


def why_not_td(game: AnyGame) -> str | None:
    """None if TD can train a game, otherwise the reason why not."""
    return None if features_of(game) else "it defines no features of its positions"


class TdRun(SelfPlayRun[TdLearner]):
    """A training run of the weights of a game's evaluation.

    Args:
        game: A game whose spec names features.
        settings: The settings.
        path: The file of the weights; None keeps them in memory only.
        model: An unfinished model to resume, made with these settings.

    Raises:
        ModelError: The model has no training state.
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
        self.settings = settings
        self._features: LinearFeatures = features_of(game)
        learners = {
            variant: TdLearner(self._features, variant, settings)
            for variant in self._features.variants()
        }
        if model is not None:
            _restore(learners, model.training, settings)
        curve = None if model is None else model.about.get("curve")
        super().__init__(game, settings, path, learners, curve)

    @property
    def total(self) -> int:
        """The total number of games."""
        return self.settings.games * len(self._learners)

    def model(self) -> LinearModel:
        """The weights so far, with the training state if unfinished."""
        info = self.game.info
        weights = {name: learner.average() for name, learner in self._learners.items()}
        return LinearModel(info.id, info.rules_version, weights, self.about(), self.unfinished())

    def text(self) -> str:
        """The content of the model's file."""
        return self.model().to_text()

    def shares(self) -> dict[str, float]:
        """The share of points won by one-ply search against random moves, by rule set."""
        evaluate = self._features.evaluation(self.model())
        return {
            name: score(rulebooks[0], evaluate, None, GAMES).share
            for name, rulebooks in self._features.variants().items()
        }

    def last_examination(self) -> dict[str, dict[str, Score]]:
        """Scores of one-ply search against random moves and against the bundled evaluation."""
        return self.scores(LAST_GAMES)

    def scores(self, games: int) -> dict[str, dict[str, Score]]:
        """Scores of one-ply search against random moves and against the bundled evaluation.

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
        learner = self._next()
        learner.run(min(_BLOCK, self.settings.games - learner.done))


def _restore(
    learners: Mapping[str, TdLearner], training: Mapping[str, Any], settings: TdSettings
) -> None:
    snapshots = snapshots_of(training, learners)
    for name, learner in learners.items():
        learner.restore(snapshots[name])
        if not 0 <= learner.done <= settings.games:
            raise ModelError(
                f"the file has learned from {learner.done} games of {name}; "
                f"the training is {settings.games} games long.",
                BEGIN_ANEW,
            )


def resume_model(game: AnyGame, path: Path, games: int | None) -> TdRun:
    """Resume the training of the weights in a file.

    Args:
        game: The game.
        path: The file, which will be replaced.
        games: A new number of games for each rule set; None keeps the old one.

    Raises:
        ModelError: The file is damaged, for another game, or finished.
        OptionError: The settings in it are not allowed.
    """
    model = read_model(path)
    model.check_game(game)
    texts = settings_to_go_on(model.training, path, "games", games)
    return TdRun(game, build(TdSettings, texts, "training"), path, model)
