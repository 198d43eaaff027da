"""Linear evaluations of positions: a weight for each named feature, learned and kept in files.

The sum of the weights of a position's features is the log odds that the seat to play will win. A
game says what the features are (`LinearFeatures`, found through its spec); `boardgames train`
learns the weights; agents with the option ``weights`` play by them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from boardgames_cli.algorithms.learned_file import LearnedFile
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.json_reader import JsonReader
from boardgames_cli.core.position import is_number
from boardgames_cli.core.spec import Heuristic

_REMEDY: Final = "Choose another file, or make one: boardgames train GAME --out FILE"

Weights: TypeAlias = Mapping[str, float]
"""Log odds by the name of the feature."""


class ModelError(GameError):
    """A file of weights is missing, damaged, or made for another game."""

    exit_code: ClassVar[int] = EXIT_FILE


MODELS: Final = JsonReader(what="the weights", limit=16_000_000, error=ModelError, remedy=_REMEDY)
_FILE: Final = LearnedFile("boardgames_weights", "set of weights", MODELS)


class LinearFeatures(Protocol):
    """What a game says of its positions so that an evaluation of them can be learned.

    The game has two seats, chance acts before each decision, and one seat wins in the end.
    """

    def variants(self) -> Mapping[str, Sequence[AnyGame]]:
        """The rule sets that need weights of their own, each with the games to learn it from."""
        ...

    def player(self, state: Any) -> Seat:
        """The seat whose chance of winning is estimated: the one that plays next."""
        ...

    def features(self, state: Any) -> Sequence[str]:
        """The names of a position's features before chance acts; what counts twice comes twice."""
        ...

    def random_state(self, game: AnyGame, rng: random.Random) -> Any:
        """Any possible position before chance acts, so that rare ones are learned too."""
        ...

    def evaluation(self, model: LinearModel) -> Heuristic:
        """The heuristic that a model makes."""
        ...


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Weights for each variant of a game."""

    game: str
    rules_version: int
    weights: Mapping[str, Weights]
    """By the name of the variant."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was made: the command, the curve."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """What an unfinished training needs to go on; empty once it is finished."""

    def weights_for(self, variant: str) -> Weights:
        """The weights of a variant.

        Raises:
            ModelError: The model does not know it.
        """
        if variant not in self.weights:
            known = " ".join(self.weights)
            raise ModelError(f'the weights say nothing of "{variant}", only of {known}.', _REMEDY)
        return self.weights[variant]

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game that the model was not made for.

        Raises:
            ModelError: It was made for another game, or for other rules.
        """
        _FILE.check_game(game, self.game, self.rules_version)

    def to_text(self) -> str:
        """The model as the text of a file."""
        data: dict[str, Any] = {
            _FILE.key: _FILE.format,
            "game": self.game,
            "rules_version": self.rules_version,
            "about": dict(self.about),
        }
        if self.training:
            data["training"] = dict(self.training)
        head = "".join(f" {json.dumps(key)}: {json.dumps(data[key])},\n" for key in data)
        rows = json.dumps({name: dict(row) for name, row in self.weights.items()}, indent=1)
        return f'{{\n{head} "weights": {rows}\n}}\n'


def read_model(path: Path) -> LinearModel:
    """Read a model from a file.

    Raises:
        ModelError: It is missing, too large, damaged, or of a newer format.
    """
    return parse_model(MODELS.read_text(path), str(path))


def parse_model(text: str, name: str) -> LinearModel:
    """Read a model from a text.

    Args:
        text: The text of a file of weights.
        name: What to call the file in messages.

    Raises:
        ModelError: It is damaged or of a newer format.
    """
    return model_from_json(MODELS.parse(text, MODELS.subject(name)), name)


def model_from_json(read: Any, name: str) -> LinearModel:
    """The model that a file holds; arguments and errors as for `parse_model`."""
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
                    f'{name} is damaged: {variant}, "{feature}" is no number.', _REMEDY
                )
    return {
        variant: {feature: float(weight) for feature, weight in row.items()}
        for variant, row in data.items()
    }
