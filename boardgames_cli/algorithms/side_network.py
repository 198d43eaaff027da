"""Small networks that read the two sides of a position apart.

What stands on the board of a side are inputs, each there or not. Every input has a row of weights,
one set for the side about to play and another for its opponent; the rows of all inputs that are
there are summed up. The hidden units are the sums of both sides, cut off below 0 (ReLU); weighed
by the output weights they give the log odds that the side about to play wins. The last number of
each row goes there straight, and so does a bias for the phase of the game.

A side's sum does not change while the other side moves, so that a search adds up each side once.
The idea is Yu Nasu's: "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
Shogi" (2018).
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

OWN: Final = 0
"""The role of the side about to play."""
FOE: Final = 1

_BYTES: Final = 2
"""Weights are kept as half-precision floats, which are exact to 11 bits."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    inputs: int
    """Inputs of one side."""
    hidden: int
    phases: int

    @property
    def row(self) -> int:
        """The length of an input's row."""
        return self.hidden + 1

    @property
    def rows(self) -> int:
        """How many rows there are: the own side's inputs, then those of the other."""
        return 2 * self.inputs

    @property
    def size(self) -> int:
        """The number of weights: all rows, the output weights, the biases of the phases."""
        return self.rows * self.row + self.hidden + self.phases


class SideNetwork:
    """A network that has been learned.

    Args:
        shape: Its size.
        weights: All weights, in the order of `Shape.size`.
    """

    def __init__(self, shape: Shape, weights: Sequence[float]) -> None:
        if len(weights) != shape.size:
            raise ValueError(f"{len(weights)} weights instead of {shape.size}")
        self.shape = shape
        self.weights: Final = tuple(weights)
        end = shape.rows * shape.row
        self._output = self.weights[end : end + shape.hidden]
        self._biases = self.weights[end + shape.hidden :]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SideNetwork):
            return NotImplemented
        return self.shape == other.shape and self.weights == other.weights

    def __hash__(self) -> int:
        return hash((self.shape, self.weights))

    def sums(self, role: int, inputs: Sequence[int]) -> tuple[float, ...]:
        """What one side adds to the hidden units and, in the end, to the log odds.

        Args:
            role: `OWN` or `FOE`.
            inputs: The numbers of the inputs that are there; at least one.
        """
        width, first = self.shape.row, role * self.shape.inputs
        rows = [
            self.weights[(first + number) * width : (first + number + 1) * width]
            for number in inputs
        ]
        return tuple(map(sum, zip(*rows, strict=True)))

    def log_odds(self, own: Sequence[float], foe: Sequence[float], phase: int) -> float:
        """The log odds that the side about to play wins.

        Args:
            own: The sums of that side.
            foe: The sums of the other.
            phase: The number of the phase of the game.
        """
        units = map(operator.add, own, foe)
        # zip ends before the last number, which the loop leaves in ``units``.
        hidden: float = sum(
            [weight * unit for weight, unit in zip(self._output, units, strict=False) if unit > 0.0]
        )
        return hidden + own[-1] + foe[-1] + self._biases[phase]

    def to_bytes(self) -> bytes:
        """The weights as half-precision floats, little end first."""
        return struct.pack(f"<{len(self.weights)}e", *self.weights)


def network_from_bytes(shape: Shape, data: bytes) -> SideNetwork:
    """The network whose `SideNetwork.to_bytes` gave these bytes.

    Raises:
        ValueError: There are too few bytes, or too many.
    """
    if len(data) != _BYTES * shape.size:
        raise ValueError(f"{len(data)} bytes instead of {_BYTES * shape.size}")
    return SideNetwork(shape, struct.unpack(f"<{shape.size}e", data))
