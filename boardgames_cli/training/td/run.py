"""TD(lambda) from start to end: every rule set in turn, with evaluations on the way and after."""

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


_BLOCK: Final = 50
"""Games between two looks at the clock and at what the user wants."""

GAMES: Final = 100
"""Games against random moves in one evaluation, for each rule set."""

LAST_GAMES: Final = 200
"""Games against each opponent in the evaluation at the end, for each rule set."""


def why_not_td(game: AnyGame) -> str | None:
    """None if this is the way to train a game, otherwise the reason why not."""
    return None if features_of(game) else "it names no features of its positions"


class TdRun(SelfPlayRun[TdLearner]):
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
        """Games to be learned from altogether."""
        return self.settings.games * len(self._learners)

    def model(self) -> LinearModel:
        """The weights so far, with what is needed to go on if they are not finished."""
        info = self.game.info
        weights = {name: learner.average() for name, learner in self._learners.items()}
        return LinearModel(info.id, info.rules_version, weights, self.about(), self.unfinished())

    def text(self) -> str:
        """The model as the text of a file."""
        return self.model().to_text()

    def shares(self) -> dict[str, float]:
        """The share of points that one-ply play wins against random moves, by rule set."""
        evaluate = self._features.evaluation(self.model())
        return {
            name: score(rulebooks[0], evaluate, None, GAMES).share
            for name, rulebooks in self._features.variants().items()
        }

    def last_examination(self) -> dict[str, dict[str, Score]]:
        """Scores of one-ply play against random moves and against the bundled evaluation."""
        return self.scores(LAST_GAMES)

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
    texts = settings_to_go_on(model.training, path, "games", games)
    return TdRun(game, build(TdSettings, texts, "training"), path, model)
