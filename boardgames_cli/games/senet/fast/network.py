"""Senet's compiled evaluation: `inputs.side_inputs` and `heuristic.NetworkEvaluation.chance`."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.side_network import FOE, OWN, Shape, SideNetwork
from boardgames_cli.games.senet import inputs
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES
from boardgames_cli.games.senet.fast import compiled
from boardgames_cli.games.senet.fast.playouts import Masks, count_of
from boardgames_cli.games.senet.fast.ranking import CompiledTable, chance_in

Weights = npt.NDArray[np.floating[Any]]

MOST_INPUTS: Final = 3 * inputs.MOST + 2
"""An upper bound on the active inputs of a side."""

_LINES: Final = 1 << 10
"""The cache size in sides per role, 1 MB in total; a larger cache is slower."""
_SPREAD: Final = 0x9E3779B1
"""The multiplier of Knuth's multiplicative hashing."""
_SHIFT: Final = 15

_HOUSE, _PAIR, _THREE, _BEYOND = inputs.HOUSE, inputs.PAIR, inputs.THREE, inputs.BEYOND
_GROUPS, _LAST_TWO, _INPUTS = inputs.GROUPS, inputs.LAST_TWO, inputs.INPUTS
_MOST, _BEFORE_GROUP = inputs.MOST, HAPPINESS - 1


class Network(NamedTuple):
    """The weights of a network in the form used by compiled functions, of one float type."""

    rows: Weights
    """[2 * inputs, hidden + 1]"""
    output: Weights
    """[hidden]"""
    biases: Weights
    """[phases]"""


class NetworkMemory(NamedTuple):
    """A cache of sums of sides; must be replaced whenever the weights change."""

    masks: Masks
    """int64[2, lines]: the keys; 0 for an empty line."""
    sums: Weights
    """[2, lines, hidden + 1]"""


class CompiledEvaluation(NamedTuple):
    """What evaluates positions of one rule set: the exact endings, and a network for the rest."""

    network: Network
    memory: NetworkMemory
    table: CompiledTable
    rules: int
    """The number of the rule set, see `moves`."""


def network_of(network: SideNetwork, kind: type[np.floating[Any]] = np.float64) -> Network:
    """Convert a network to arrays of a float type."""
    return split(network.shape, np.array(network.weights, dtype=kind))


def split(shape: Shape, weights: Weights) -> Network:
    """Views of a flat array of all weights as a network."""
    end = shape.rows * shape.row
    rows = weights[:end].reshape(shape.rows, shape.row)
    return Network(rows, weights[end : end + shape.hidden], weights[end + shape.hidden :])


def make_evaluation(network: Network, table: CompiledTable, rules: int) -> CompiledEvaluation:
    """The evaluation by a network, with an empty cache for its sums."""
    width = network.rows.shape[1]
    sums = np.zeros((2, _LINES, width), dtype=network.rows.dtype)
    memory = NetworkMemory(np.zeros((2, _LINES), dtype=np.int64), sums)
    return CompiledEvaluation(network, memory, table, rules)


@compiled
def chance(own: int, opponent: int, evaluation: CompiledEvaluation) -> float:
    """The winning probability of the player about to throw.

    Args:
        own: The houses of that player, as a mask.
        opponent: The houses of the other player.
        evaluation: The network and the exact endings.
    """
    network, memory, table, rules = evaluation
    known = chance_in(own, opponent, table, rules)
    if known >= 0.0:
        return known
    first = _line(own, OWN, network, memory)
    second = _line(opponent, FOE, network, memory)
    log_odds = weigh(memory.sums[OWN, first], memory.sums[FOE, second], network.output)
    bias = network.biases[count_of(own) * (_MOST + 1) + count_of(opponent)]
    return 0.5 + 0.5 * math.tanh((log_odds + bias) / 2)


@compiled
def _line(mask: int, role: int, network: Network, memory: NetworkMemory) -> int:
    """The cache line with the sums of a side, computed if missing."""
    line = ((mask * _SPREAD) >> _SHIFT) & (_LINES - 1)
    if memory.masks[role, line] != mask:
        memory.masks[role, line] = mask
        found = np.empty(MOST_INPUTS, dtype=np.int64)
        count = list_inputs(mask, role, found, 0)
        sums = memory.sums[role, line]
        sums[:] = network.rows[found[0]]
        for number in range(1, count):
            row = network.rows[found[number]]
            for unit in range(len(sums)):
                sums[unit] += row[unit]
    return line


@compiled.sums
def weigh(own: Weights, opponent: Weights, output: Weights) -> float:
    """The log odds from the sums of both sides, without the bias of the phase."""
    hidden = len(output)
    total = own[hidden] + opponent[hidden]
    nothing = total - total  # of the type of the weights
    for unit in range(hidden):
        total += max(own[unit] + opponent[unit], nothing) * output[unit]
    return total  # type: ignore[no-any-return]


@compiled
def list_inputs(mask: int, role: int, found: Masks, count: int) -> int:
    """Write the rows of the active inputs, `inputs.side_inputs`, into an array.

    Args:
        mask: The houses of the side's dancers.
        role: The role of the side.
        found: Receives the row indices.
        count: The number of entries so far.

    Returns:
        The new number of entries.
    """
    base = role * _INPUTS
    left = count_of(mask) - 1
    low, high = 0, 0
    house, rest = 0, mask
    while rest:
        if rest & 1:
            low, high = high, house
            found[count] = base + _HOUSE + left * HOUSES + house
            count += 1
            if rest & 2:
                found[count] = base + _PAIR + house
                count += 1
                if rest & 4:
                    found[count] = base + _THREE + house
                    count += 1
        rest >>= 1
        house += 1
    group = mask >> _BEFORE_GROUP
    if group:
        found[count] = base + _BEYOND + left * _GROUPS + group
        count += 1
    if left == 1:
        found[count] = base + _LAST_TWO + high * (high - 1) // 2 + low
        count += 1
    return count
