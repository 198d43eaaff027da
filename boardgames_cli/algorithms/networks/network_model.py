"""Evaluation networks, one for each variant of a game, and their files.

Agents with the option ``weights`` use them.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.learned_file import Count, LearnedFile, LearnedFileError
from boardgames_cli.algorithms.networks.side_network import Shape, SideNetwork, network_from_bytes
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import file_of, spec_of

_REMEDY: Final = "Choose another file."


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

    def to_text(self) -> str:
        """The content of the model's file."""
        header = _FILE.entries(self, "networks") | dataclasses.asdict(self.shape)
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
    _FILE.check_game(model, game)
    evaluation: Heuristic = spec_of(game).load_part("network").evaluation(model)
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
            "Leave the option weights out: the bundled network plays.",
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
