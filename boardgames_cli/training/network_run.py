"""A training run of networks, with evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.algorithms.linear_model import ModelError
from boardgames_cli.algorithms.network_learning import (
    MakeLearner,
    NetworkLearner,
    NetworkSettings,
)
from boardgames_cli.algorithms.network_model import NetworkModel, read_network
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import build
from boardgames_cli.core.spec import load
from boardgames_cli.registry import network_of
from boardgames_cli.tournament.evaluation import Score
from boardgames_cli.training.self_play_run import (
    BEGIN_ANEW,
    SelfPlayRun,
    settings_to_go_on,
    snapshots_of,
)

GAMES: Final = 1000
"""Games against random moves in one evaluation, for each variant."""

LAST_GAMES: Final = 4000
"""Games against each rival in the evaluation at the end, for each variant."""


def why_no_network(game: AnyGame) -> str | None:
    """None if networks can be trained for a game, otherwise the reason why not."""
    return None if network_of(game) else "it has no compiled rules for training networks"


class NetworkRun(SelfPlayRun[NetworkLearner]):
    """A training run of a game's networks.

    Args:
        game: A game whose spec names networks.
        settings: The settings.
        path: The file of the networks; None keeps them in memory only.
        model: An unfinished model to resume, made with these settings.

    Raises:
        MissingPackageError: The extra ``fast`` is missing.
        ModelError: The model has no training state.
    """

    unit: ClassVar[str] = "rounds"
    counter: ClassVar[str] = "rounds"

    def __init__(
        self,
        game: AnyGame,
        settings: NetworkSettings,
        path: Path | None,
        model: NetworkModel | None = None,
    ) -> None:
        self.settings = settings
        hook = network_of(game)
        make: MakeLearner = load(hook.learner)
        learners = {variant: make(variant, settings) for variant in hook.variants}
        if model is not None:
            _restore(learners, model.training)
        curve = None if model is None else model.about.get("curve")
        super().__init__(game, settings, path, learners, curve)

    @property
    def total(self) -> int:
        """The total number of rounds."""
        return self.settings.rounds * len(self._learners)

    def model(self) -> NetworkModel:
        """The networks so far, with the training state if unfinished."""
        info = self.game.info
        networks = {name: learner.network() for name, learner in self._learners.items()}
        return NetworkModel(info.id, info.rules_version, networks, self.about(), self.unfinished())

    def text(self) -> str:
        """The content of the model's file."""
        return self.model().to_text()

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

    def _block(self) -> None:
        self._next().run()


def _restore(learners: Mapping[str, NetworkLearner], training: Mapping[str, Any]) -> None:
    snapshots = snapshots_of(training, learners)
    for name, learner in learners.items():
        try:
            learner.restore(snapshots[name])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError("the file has no training state to resume.", BEGIN_ANEW) from error


def resume_network(game: AnyGame, path: Path, rounds: int | None) -> NetworkRun:
    """Resume the training of the networks in a file.

    Args:
        game: The game.
        path: The file, which will be replaced.
        rounds: A new number of rounds for each variant; None keeps the old one.

    Raises:
        ModelError: The file is damaged, for another game, or finished.
        OptionError: The settings in it are not allowed.
    """
    model = read_network(path)
    model.check_game(game)
    texts = settings_to_go_on(model.training, path, "rounds", rounds)
    return NetworkRun(game, build(NetworkSettings, texts, "training"), path, model)
