"""Senet's compiled evaluation, `heuristic.NetworkEvaluation.chance`, and searches with it.

Endings are found by the compiled `ending_tables.TableLayout.number`. As in `moves`, ``own`` are the
houses of the player about to throw, none if it has won, and ``opponent`` those of the other.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardgames_cli.agents.expectimax import HASTE
from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.algorithms.fast.boards import copy_numbers
from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.algorithms.networks.side_network import FOE, OWN, Shape, SideNetwork
from boardgames_cli.core.game import Seat
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.games.senet import heuristic
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, WATER, bit
from boardgames_cli.games.senet.ending_tables import LEVELS, MOST, Endings, TableLayout
from boardgames_cli.games.senet.fast import Flags, Floats, Seeds, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    KENDALL,
    RULES,
    Masks,
    count_of,
    end_of,
    movers,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.heuristic import NetworkEvaluation, evaluate
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

Weights = npt.NDArray[np.floating[Any]]

MOST_INPUTS: Final = 3 * heuristic.MOST + 2
"""An upper bound on the active inputs of a side."""

_LINES: Final = 1 << 10
"""The cache size in sides per role, 1 MB in total; a larger cache is slower."""
_SPREAD: Final = 0x9E3779B1
"""The multiplier of Knuth's multiplicative hashing."""
_SHIFT: Final = 15
_SEARCHED: Final = 1 << 18
"""The size of a transposition table in positions, 4 MB."""
_SPREAD_WIDE, _SHIFT_WIDE = -0x61C8864680B583EB, 46
"""The multiplier and the shift for keys of 64 bits."""

_HOUSE, _PAIR, _THREE, _BEYOND = heuristic.HOUSE, heuristic.PAIR, heuristic.THREE, heuristic.BEYOND
_GROUPS, _LAST_TWO, _INPUTS = heuristic.GROUPS, heuristic.LAST_TWO, heuristic.INPUTS
_MOST_DANCERS, _BEFORE_GROUP = heuristic.MOST, HAPPINESS - 1


_COMBINATIONS: Final = np.array(
    [[math.comb(house, dancers) for dancers in range(MOST + 1)] for house in range(HOUSES + 1)],
    dtype=np.int64,
)
_WATER: Final = bit(WATER)

Starts = npt.NDArray[np.int64]


def starts_of(layout: TableLayout) -> Starts:
    """The start of each part of a table: int64[`MOST` + 1, `MOST` + 1], -1 if there is none."""
    starts = np.full((MOST + 1, MOST + 1), -1, dtype=np.int64)
    for part in layout.parts:
        starts[part.own, part.opponent] = part.start
    return starts


@compiled
def closed_in(rules: int) -> int:
    """The houses where dancers never stand."""
    return _WATER if rules == KENDALL else 0


@compiled
def number_of(own: int, opponent: int, rules: int, starts: Starts) -> int:
    """The index of a position in its table; -1 if it is not in it."""
    owns, opponents = count_of(own), count_of(opponent)
    if owns > MOST or opponents > MOST or starts[owns, opponents] < 0:
        return -1
    closed = closed_in(rules)
    houses = HOUSES - count_of(closed)
    block: int = _COMBINATIONS[houses - owns, opponents]
    start: int = starts[owns, opponents]
    return start + rank(own, closed) * block + rank(opponent, closed | own)


@compiled
def rank(mask: int, closed: int) -> int:
    """The rank of a mask among all masks with as many dancers on houses that are not closed."""
    found, dancers = 0, 0
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        dancers += 1
        found += _COMBINATIONS[count_of((lowest - 1) & ~closed), dancers]
    return found


UNKNOWN = -1.0
"""The result of `chance_in` for a position that is not in the table."""


class CompiledTable(NamedTuple):
    """Endings in the form used by compiled functions."""

    exact: npt.NDArray[np.uint16]
    """uint16[positions]: 0 to `SCALE`."""
    rounded: npt.NDArray[np.uint8]
    """uint8[positions]: 0 to `LEVELS`; these follow the exact ones."""
    starts: Starts


def table_of(endings: Endings) -> CompiledTable:
    """Convert endings to a table, without copying the numbers."""
    exact, rounded = np.asarray(endings.table.numbers), np.asarray(endings.rounded)
    return CompiledTable(exact, rounded, starts_of(endings.layout))


@compiled
def chance_in(own: int, opponent: int, table: CompiledTable, rules: int) -> float:
    """The winning probability of the player about to throw; `UNKNOWN` if not in the table."""
    if own == 0:
        return 1.0
    if opponent == 0:
        return 0.0
    number = number_of(own, opponent, rules, table.starts)
    if number < 0:
        return UNKNOWN
    first = len(table.exact)
    if number < first:
        return float(table.exact[number] / SCALE)
    return float(table.rounded[number - first] / LEVELS)


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
    inputs: Masks
    """int64[`MOST_INPUTS`]: room for the inputs of one side."""


class CompiledEvaluation(NamedTuple):
    """What evaluates positions of one rule set: the endings, and a network for the rest."""

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
    inputs = np.zeros(MOST_INPUTS, dtype=np.int64)
    memory = NetworkMemory(np.zeros((2, _LINES), dtype=np.int64), sums, inputs)
    return CompiledEvaluation(network, memory, table, rules)


@compiled
def chance(own: int, opponent: int, evaluation: CompiledEvaluation) -> float:
    """The winning probability of the player about to throw."""
    network, memory, table, rules = evaluation
    known = chance_in(own, opponent, table, rules)
    if known >= 0.0:
        return known
    first = _line(own, OWN, network, memory)
    second = _line(opponent, FOE, network, memory)
    log_odds = weigh(memory.sums[OWN, first], memory.sums[FOE, second], network.output)
    bias = network.biases[count_of(own) * (_MOST_DANCERS + 1) + count_of(opponent)]
    return 0.5 + 0.5 * math.tanh((log_odds + bias) / 2)


@compiled
def _line(mask: int, role: int, network: Network, memory: NetworkMemory) -> int:
    line = ((mask * _SPREAD) >> _SHIFT) & (_LINES - 1)
    if memory.masks[role, line] != mask:
        memory.masks[role, line] = mask
        found, sums = memory.inputs, memory.sums[role, line]
        count = list_inputs(mask, role, found, 0)
        copy_numbers(sums, network.rows[found[0]])
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
    """Write the rows of the active inputs, `heuristic.side_inputs`; the new number of entries."""
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


_CHANCES = np.array((0.0, *THROW_CHANCES))


class SenetSearch:
    """Searches from positions before a throw; see `GameSpec.search`."""

    deepest: ClassVar[int] = 4

    def __init__(self, game: Senet, evaluation: NetworkEvaluation) -> None:
        self._evaluation = make_evaluation(
            network_of(evaluation.model.networks[game.rules]),
            table_of(evaluation.endings(game.rules)),
            RULES[game.rules],
        )
        self._searched = make_searched()

    def value(self, state: SenetState, seat: Seat, depth: int) -> float | None:
        """A seat's return after searching ``depth`` decisions; None if there is a throw to use."""
        if state.steps is not None:
            return None
        player = state.player
        own, opponent = state.side(player), state.side(1 - player)
        found = search(own, opponent, depth, self._evaluation, self._searched)
        return found if player == seat else -found


def make_search(game: Senet, heuristic: Heuristic) -> SenetSearch | None:
    """Make a search with an evaluation; None if it is not a network."""
    return SenetSearch(game, heuristic) if isinstance(heuristic, NetworkEvaluation) else None


class Searched(NamedTuple):
    """A transposition table: values of searched positions, for one evaluation."""

    keys: Masks
    """int64[`_SEARCHED`]: both sides and the depth; 0 for an empty line."""
    values: Floats
    """float64[`_SEARCHED`]"""


def make_searched() -> Searched:
    """An empty transposition table."""
    return Searched(np.zeros(_SEARCHED, np.int64), np.zeros(_SEARCHED))


@compiled
def search(
    own: int, opponent: int, depth: int, evaluation: CompiledEvaluation, searched: Searched
) -> float:
    """The return of the player about to throw, searching at most 7 decisions; 0: the evaluation."""
    if own == 0:
        return 1.0
    if opponent == 0:
        return -1.0
    if depth == 0:
        return 2.0 * chance(own, opponent, evaluation) - 1.0
    key = (depth << HOUSES | opponent) << HOUSES | own
    line = ((key * _SPREAD_WIDE) >> _SHIFT_WIDE) & (_SEARCHED - 1)
    if searched.keys[line] == key:
        return float(searched.values[line])
    total, rules = 0.0, evaluation.rules
    for steps in range(1, 6):
        starts = movers(own, opponent, steps, rules)
        backward, starts = starts & BACKWARD, starts & BOARD
        best = -2.0 if starts else -search(opponent, own, depth - 1, evaluation, searched)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(own, opponent, start, steps, backward, rules)
            own_after, opponent_after = play(own, opponent, start, end)
            if throws_again(steps, end, rules):
                value = search(own_after, opponent_after, depth - 1, evaluation, searched)
            else:
                value = -search(opponent_after, own_after, depth - 1, evaluation, searched)
            best = max(best, value)
        total += _CHANCES[steps] * (HASTE * best)
    searched.keys[line], searched.values[line] = key, total
    return total


class MoveChoices(NamedTuple):
    """For every throw the best move: masks after it, its value, and the next player."""

    own: Masks
    opponent: Masks
    value: Floats
    again: Flags


def make_choices() -> MoveChoices:
    """Room for the choices of one position."""
    masks = np.zeros(6, np.int64)
    return MoveChoices(masks, masks.copy(), np.zeros(6), np.zeros(6, np.bool_))


@compiled
def look_ahead(
    own: int, opponent: int, choices: MoveChoices, evaluation: CompiledEvaluation
) -> float:
    """The value of a position by one-decision search; writes the best move for every throw."""
    total, rules = 0.0, evaluation.rules
    for steps in range(1, 6):
        starts = movers(own, opponent, steps, rules)
        backward, starts = starts & BACKWARD, starts & BOARD
        choices.own[steps], choices.opponent[steps], choices.again[steps] = own, opponent, False
        best = -1.0 if starts else 1.0 - chance(opponent, own, evaluation)
        while starts:
            start = starts & -starts
            starts ^= start
            end = end_of(own, opponent, start, steps, backward, rules)
            own_after, opponent_after = play(own, opponent, start, end)
            again = throws_again(steps, end, rules)
            if again:
                value = chance(own_after, opponent_after, evaluation)
            else:
                value = 1.0 - chance(opponent_after, own_after, evaluation)
            if value > best:
                best = value
                choices.own[steps], choices.opponent[steps] = own_after, opponent_after
                choices.again[steps] = again
        choices.value[steps] = best
        total += _CHANCES[steps] * best
    return total


class SenetRollouts:
    """Plays on with the bundled evaluation.

    Both sides make the evaluation's best moves until the table of endings has the position. What
    the throws gave and took, by the evaluation, is subtracted from each result. That leaves its
    mean as it was, since a throw is worth nothing on average, and takes nearly all of its spread
    (control variates; Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree Search",
    2011).
    """

    def __init__(self, endings: Endings) -> None:
        rules = endings.table.rules
        network = network_of(evaluate.model.networks[rules])
        self._evaluation = make_evaluation(network, table_of(endings), RULES[rules])

    def results(self, own: int, opponent: int, plays: int, seed: int) -> Floats:
        """The returns of the player about to throw, without luck: float64[plays]."""
        results: Floats = np.empty(plays)
        roll_out(own, opponent, make_choices(), self._evaluation, make_seed(seed), results)
        return results


@compiled
def roll_out(
    own: int,
    opponent: int,
    choices: MoveChoices,
    evaluation: CompiledEvaluation,
    rng: Seeds,
    results: Floats,
) -> None:
    """Play on from a position before a throw; see `SenetRollouts.results`."""
    for number in range(len(results)):
        first, second, sign, luck = own, opponent, 1.0, 0.0
        known = chance_in(first, second, evaluation.table, evaluation.rules)
        while known < 0.0:
            steps = throw(rng)
            expected = look_ahead(first, second, choices, evaluation)
            luck += sign * 2.0 * (choices.value[steps] - expected)
            first, second = choices.own[steps], choices.opponent[steps]
            if not choices.again[steps]:
                first, second, sign = second, first, -sign
            known = chance_in(first, second, evaluation.table, evaluation.rules)
        results[number] = sign * (2.0 * known - 1.0) - luck
