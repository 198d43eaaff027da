"""Reads files of evaluations made by ``boardgames train``, linear or neural."""

from __future__ import annotations

from boardgames_cli.algorithms.linear_model import MODELS, LinearModel, model_from_json
from boardgames_cli.algorithms.network_model import (
    NetworkModel,
    is_network_file,
    network_from_json,
)
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import features_of, network_of


def read_evaluation(game: AnyGame, path: str) -> Heuristic:
    """The heuristic in a file of networks or of weights.

    Raises:
        ModelError: The file is missing, damaged, or for another game.
    """
    data = MODELS.read(path)
    model: LinearModel | NetworkModel
    if is_network_file(data):
        model, hook = network_from_json(data, path), network_of(game)
    else:
        model, hook = model_from_json(data, path), features_of(game)
    model.check_game(game)
    evaluation: Heuristic = hook.evaluation(model)
    return evaluation
