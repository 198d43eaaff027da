"""Small evaluation networks with separate first layers for the two sides of a position.

The binary inputs of a side describe its pieces. Every input has two rows of weights, one used when
the side is about to play and one when its opponent is; the rows of all active inputs are summed.
The hidden units are the sums of both sides after a ReLU. Multiplied by the output weights, they
give the log odds that the side about to play wins. The last number of each row is added directly to
the output, and so is a bias for the phase of the game.

A side's sum does not change while the other side moves, so that a search computes it once. The idea
is Yu Nasu's: "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi"
(2018).
"""

from __future__ import annotations

import base64
import json
import operator
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

OWN: Final = 0
"""The role of the side about to play."""
FOE: Final = 1


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a network."""

    inputs: int
    hidden: int
    phases: int

    @property
    def row(self) -> int:
        return self.hidden + 1

    @property
    def rows(self) -> int:
        """The number of rows: first for the own side's inputs, then for the opponent's."""
        return 2 * self.inputs

    @property
    def size(self) -> int:
        """The number of weights: all rows, the output weights, and the biases of the phases."""
        return self.rows * self.row + self.hidden + self.phases


class SideNetwork:
    """A trained network, with all weights in the order of `Shape.size`."""

    def __init__(self, shape: Shape, weights: Sequence[float]) -> None:
        self.shape = shape
        self.weights: Final = tuple(weights)
        end = shape.rows * shape.row
        self._output = self.weights[end : end + shape.hidden]
        self._biases = self.weights[end + shape.hidden :]

    def sums(self, role: int, inputs: Sequence[int]) -> tuple[float, ...]:
        """The contribution of one side to the hidden units and, in the last number, the log odds.

        It is `OWN` or `FOE`; at least one of its inputs is active.
        """
        width, first = self.shape.row, role * self.shape.inputs
        rows = [
            self.weights[(first + number) * width : (first + number + 1) * width]
            for number in inputs
        ]
        return tuple(map(sum, zip(*rows, strict=True)))

    def log_odds(self, own: Sequence[float], opponent: Sequence[float], phase: int) -> float:
        """The log odds that the side about to play wins, by the sums of both sides."""
        units = map(operator.add, own, opponent)
        # zip stops before the last number, which stays in the iterator ``units``.
        hidden: float = sum(
            [weight * unit for weight, unit in zip(self._output, units, strict=False) if unit > 0.0]
        )
        return hidden + own[-1] + opponent[-1] + self._biases[phase]


@dataclass(frozen=True, slots=True)
class NetworkModel:
    """The networks of a game, which come with it in a file (docs/file-formats.md)."""

    networks: Mapping[str, SideNetwork]
    """By variant name; all have the same shape."""
    about: Mapping[str, Any]
    """How they were trained: the command, the learning curve."""

    @property
    def shape(self) -> Shape:
        return next(iter(self.networks.values())).shape


def parse_networks(text: str) -> NetworkModel:
    """Read the text of a file. Its weights are half-precision floats, little-endian."""
    data = json.loads(text)
    shape = Shape(data["inputs"], data["hidden"], data["phases"])
    networks = {
        variant: SideNetwork(shape, struct.unpack(f"<{shape.size}e", base64.b64decode(packed)))
        for variant, packed in data["networks"].items()
    }
    return NetworkModel(networks, data["about"])
