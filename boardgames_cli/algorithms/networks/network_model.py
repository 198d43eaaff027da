"""Evaluation networks, one for each variant of a game: their files, and how a game trains them.

`boardgames train` trains them; agents with the option ``weights`` use them.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from boardgames_cli.algorithms.learned_file import Count, LearnedFile, LearnedFileError
from boardgames_cli.algorithms.networks.side_network import Shape, SideNetwork, network_from_bytes
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import check_options, option, option_values
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import file_of, part_of

_REMEDY: Final = "Choose another file, or make one: boardgames train GAME --out FILE"


_FILE: Final = LearnedFile("boardgames_network", "network", 16_000_000, _REMEDY, "weights")
MODELS: Final = _FILE.reader
_LARGEST: Final = 10_000
_LINEAR: Final = "boardgames_weights"
"""The key of files that version 0.1 wrote for the method TD(lambda)."""


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """The networks of a game."""

    game: str
    rules_version: Count
    networks: Mapping[str, SideNetwork]
    """By variant name; all have the same shape."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: the command, the learning curve."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The state of an unfinished training run; empty once it is finished."""

    @property
    def shape(self) -> Shape:
        """The size of the networks."""
        return next(iter(self.networks.values())).shape

    def network_for(self, variant: str) -> SideNetwork:
        """The network of a variant.

        Raises:
            LearnedFileError: The model has no such variant.
        """
        if variant not in self.networks:
            known = " ".join(self.networks)
            raise _FILE.error(f'the network is not for "{variant}", only for {known}.')
        return self.networks[variant]

    def check_game(self, game: AnyGame) -> None:
        """Refuse a game for which the model was not made.

        Raises:
            LearnedFileError: The model was made for another game, or for other rules.
        """
        _FILE.check_game(game, self.game, self.rules_version)

    def to_text(self) -> str:
        """The content of the model's file."""
        header = _FILE.entries(self, "networks", "training") | dataclasses.asdict(self.shape)
        if self.training:
            header["training"] = dict(self.training)
        lines = (f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in header.items())
        networks = {
            name: base64.b64encode(network.to_bytes()).decode()
            for name, network in self.networks.items()
        }
        return f'{{\n{"".join(lines)} "networks": {json.dumps(networks, indent=1)}\n}}\n'


def read_evaluation(game: AnyGame, path: str) -> Heuristic:
    """The heuristic in a file of networks.

    Raises:
        LearnedFileError: The file is missing, damaged, or for another game.
    """
    model = read_network(file_of(game, path))
    model.check_game(game)
    evaluation: Heuristic = part_of(game, "network").evaluation(model)
    return evaluation


def read_network(path: Path) -> NetworkModel:
    """Read a model from a file.

    Raises:
        LearnedFileError: The file is missing, too large, damaged, or of a newer format.
    """
    return parse_network(MODELS.read_text(path), str(path))


def parse_network(text: str, name: str) -> NetworkModel:
    """Parse the text of a file of networks.

    Args:
        text: The text of a file of networks.
        name: What to call the file in messages.

    Raises:
        LearnedFileError: The file is damaged or of a newer format.
    """
    read = MODELS.parse(text, MODELS.subject(name))
    if isinstance(read, dict) and _LINEAR in read:
        raise LearnedFileError(
            f"{name} has linear weights, which this version no longer reads.",
            f"Train a network: boardgames train {read.get('game', 'GAME')} --out FILE",
        )
    data = _FILE.header(read, name)
    shape, texts = _FILE.read(Shape, data, name), data.get("networks")
    if not isinstance(texts, dict):
        raise _FILE.wrong(name, "networks")
    if not texts or not all(1 <= size <= _LARGEST for size in dataclasses.astuple(shape)):
        raise _FILE.error(f"{name} is damaged: it has no network of a possible size.")
    networks = {
        variant: _read_network(shape, text, f"{name} is damaged: {variant}")
        for variant, text in texts.items()
    }
    return _FILE.read(NetworkModel, data, name, networks=networks)


def _read_network(shape: Shape, text: Any, subject: str) -> SideNetwork:
    try:
        network = network_from_bytes(shape, base64.b64decode(text, validate=True))
    except (TypeError, ValueError, binascii.Error) as error:
        raise _FILE.error(f"{subject} ({error}).") from error
    if not all(map(math.isfinite, network.weights)):
        raise _FILE.error(f"{subject} (a weight is not a number).")
    return network


@dataclass(frozen=True)
class NetworkSettings:
    """The settings of a training run; equal settings give equal results on one machine."""

    rounds: int = option(
        700, "rounds of playing games and learning from them, for each rule set",
        low=1, high=1_000_000,
    )  # fmt: skip
    positions: int = option(20_480, "positions to learn from per round", low=256, high=1_000_000)
    passes: int = option(2, "passes over the positions of a round", low=1, high=100)
    seed: int = option(1, "seed of all random numbers", low=0)
    hidden: int = option(64, "hidden units", low=1, high=1024)
    first_step: float = option(0.002, "Adam's learning rate in the first round", low=1e-7, high=1.0)
    last_step: float = option(0.00005, "Adam's learning rate in the last round", low=1e-7, high=1.0)
    first_trace: float = option(
        0.9, "TD's lambda in the first round: the weight of the game's result", low=0.0, high=1.0
    )
    last_trace: float = option(
        0.5, "TD's lambda from the middle of the training on", low=0.0, high=1.0
    )
    random_starts: float = option(
        0.5, "share of games that start from a random position", low=0.0, high=1.0
    )
    wrong_moves: float = option(
        0.4, "share of the other games in which a side errs", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        check_options(self)

    def step_at(self, round: int) -> float:
        """Adam's learning rate in a round (counted from 0); it decays exponentially."""
        return self.first_step * math.pow(self.last_step / self.first_step, round / self.rounds)

    def trace_at(self, round: int) -> float:
        """TD's lambda in a round; it falls linearly until the middle of the training."""
        done = min(1.0, 2 * round / self.rounds)
        return self.first_trace + done * (self.last_trace - self.first_trace)

    def command(self, game: str) -> str:
        """The command line that repeats this training."""
        words = [
            f"--{name.replace('_', '-')} {value}" for name, value in option_values(self).items()
        ]
        return " ".join(["boardgames train", game, *words])


class NetworkLearner(Protocol):
    """Trains the network of one variant; a game names its own (`GameSpec.network`)."""

    @property
    def done(self) -> int:
        """The number of rounds done."""
        ...

    def run(self) -> None:
        """Do one round: play games, and learn from their positions."""
        ...

    def network(self) -> SideNetwork:
        """The current network."""
        ...

    def rivals(self) -> Sequence[str]:
        """The opponents it can be measured against; the first plays at random."""
        ...

    def count_wins(self, rival: str, games: int) -> int:
        """Play games with one-ply search against one of `rivals`, the same games each time.

        Returns:
            The number of games that the network won.
        """
        ...

    def snapshot(self) -> dict[str, Any]:
        """The state of the training as JSON values, to resume later."""
        ...

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Resume from a snapshot.

        Raises:
            ValueError, KeyError, TypeError: The snapshot is damaged.
        """
        ...


MakeLearner: TypeAlias = Callable[[str, NetworkSettings], NetworkLearner]
"""``make(variant, settings)``"""
