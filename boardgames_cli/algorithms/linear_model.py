"""Linear evaluations of positions: a learned weight for each named feature, stored in files.

The sum of the weights of a position's features is the log odds that the seat to play wins. A game
defines its features (`LinearFeatures`, named in its spec), `boardgames train` learns the weights,
and agents with the option ``weights`` use them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from boardgames_cli.algorithms.learned_file import LearnedFile
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.codec.position import is_number
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.spec import Heuristic

_REMEDY: Final = "Choose another file, or make one: boardgames train GAME --out FILE"

Weights: TypeAlias = Mapping[str, float]
"""Log odds by feature name."""


class ModelError(GameError):
    """A file of weights is missing, damaged, or made for another game."""

    exit_code: ClassVar[int] = EXIT_FILE


MODELS: Final = JsonReader(what="the weights", limit=16_000_000, error=ModelError, remedy=_REMEDY)
_FILE: Final = LearnedFile("boardgames_weights", "set of weights", MODELS)


class LinearFeatures(Protocol):
    """What a game provides so that a linear evaluation can be learned.

    It is for two-seat games in which chance acts before each decision and one seat wins.
    """

    def variants(self) -> Mapping[str, Sequence[AnyGame]]:
        """The rule sets that need separate weights, each with the games to train on."""
        ...

    def player(self, state: Any) -> Seat:
        """The seat whose winning probability is estimated: the next to play."""
        ...

    def features(self, state: Any) -> Sequence[str]:
        """The features of a position before chance acts; a repeated feature counts repeatedly."""
        ...

    def random_state(self, game: AnyGame, rng: random.Random) -> Any:
        """A random position before chance acts, so that rare positions are learned, too."""
        ...

    def evaluation(self, model: LinearModel) -> Heuristic:
        """The heuristic defined by a model."""
        ...


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Weights for each variant of a game."""

    game: str
    rules_version: int
    weights: Mapping[str, Weights]
    """By variant name."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: the command, the learning curve."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The state of an unfinished training run; empty once it is finished."""

    def weights_for(self, variant: str) -> Weights:
        """The weights of a variant.

        Raises:
            ModelError: The model has no such variant.
        """
        if variant not in self.weights:
            known = " ".join(self.weights)
            raise ModelError(f'the weights are not for "{variant}", only for {known}.', _REMEDY)
        return self.weights[variant]

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game for which the model was not made.

        Raises:
            ModelError: The model was made for another game, or for other rules.
        """
        _FILE.check_game(game, self.game, self.rules_version)

    def to_text(self) -> str:
        """The content of the model's file."""
        header: dict[str, Any] = {
            "game": self.game,
            "rules_version": self.rules_version,
            "about": dict(self.about),
        }
        if self.training:
            header["training"] = dict(self.training)
        weights = {name: dict(row) for name, row in self.weights.items()}
        return _FILE.to_text(header, "weights", weights)


def read_model(path: Path) -> LinearModel:
    """Read a model from a file.

    Raises:
        ModelError: The file is missing, too large, damaged, or of a newer format.
    """
    return parse_model(MODELS.read_text(path), str(path))


def parse_model(text: str, name: str) -> LinearModel:
    """Parse the text of a file of weights.

    Args:
        text: The text of a file of weights.
        name: What to call the file in messages.

    Raises:
        ModelError: The file is damaged or of a newer format.
    """
    return model_from_json(MODELS.parse(text, MODELS.subject(name)), name)


def model_from_json(read: Any, name: str) -> LinearModel:
    """The model in a parsed JSON document; arguments and errors as for `parse_model`."""
    data = {"about": {}, "training": {}} | _FILE.header(read, name)
    _FILE.check_fields(data, name, {"about": dict, "training": dict})
    weights = _read_weights(data.get("weights"), name)
    return LinearModel(
        data["game"], data["rules_version"], weights, data["about"], data["training"]
    )


def _read_weights(data: Any, name: str) -> dict[str, dict[str, float]]:
    if not isinstance(data, dict) or not all(isinstance(row, dict) for row in data.values()):
        raise ModelError(f'{name} is damaged: "weights" is missing or wrong.', _REMEDY)
    for variant, row in data.items():
        for feature, weight in row.items():
            if not is_number(weight):
                raise ModelError(
                    f'{name} is damaged: {variant}, "{feature}" is not a number.', _REMEDY
                )
    return {
        variant: {feature: float(weight) for feature, weight in row.items()}
        for variant, row in data.items()
    }
