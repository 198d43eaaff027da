"""Trains Senet's networks from games that they play against themselves, on compiled rules.

The networks that `senet_learning.py` trains further begin with these::

    python lab/senet_learner.py --out begun.json

The loss is the cross entropy between the network's probabilities and the targets; see Kingma and
Ba, "Adam: A Method for Stochastic Optimization" (2015).
"""

from __future__ import annotations

import base64
import dataclasses
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main

from boardgames_cli.algorithms.fast.jit import draw, make_seed
from boardgames_cli.algorithms.networks.side_network import (
    FOE,
    OWN,
    NetworkModel,
    Shape,
    SideNetwork,
)
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, WATER, bit, cones_at_start
from boardgames_cli.games.senet.ending_tables import BUNDLED, Endings, TableLayout
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
    nth,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.fast.search import (
    MOST_INPUTS,
    CompiledEvaluation,
    CompiledTable,
    MoveChoices,
    Network,
    Weights,
    chance,
    chance_in,
    list_inputs,
    look_ahead,
    make_choices,
    make_evaluation,
    split,
    starts_of,
    table_of,
    weigh,
)
from boardgames_cli.games.senet.heuristic import INPUTS, MOST, PAIR, PHASES
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.files import replace_file

LONGEST: Final = 4000
"""The maximum number of throws in a game; the network then evaluates the position."""

_PARTS = 1 << 20
_WATER, _HAPPINESS = bit(WATER), bit(HAPPINESS)

ERRORS = np.array((1.0, 1.0, 0.3, 0.1))
"""The error rates of erring sides; one of these is drawn for each game."""


class Examples(NamedTuple):
    """Positions before a throw with their targets."""

    own: Masks
    opponent: Masks
    target: Floats
    """The target probability that the player about to throw wins."""


class Trajectory(NamedTuple):
    """The record of a game, throw by throw."""

    own: Masks
    opponent: Masks
    ahead: Floats
    """The value of the position after a one-decision search."""
    again: Flags
    """Whether the same player throws next."""
    erred: Flags
    """Whether the move may not have been the best."""


class Manner(NamedTuple):
    """How games are played."""

    trace_decay: float
    """TD's lambda."""
    random_starts: float
    """The share of games that start from a random position."""
    wrong_moves: float
    """The share of the other games in which a side errs."""


def make_examples(count: int) -> Examples:
    """Allocate examples."""
    return Examples(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count))


def make_trajectory() -> Trajectory:
    """Allocate the record of a game."""
    masks, flags = np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.bool_)
    return Trajectory(masks, masks.copy(), np.zeros(LONGEST), flags, flags.copy())


@compiled
def happens(rng: Seeds, share: float) -> bool:
    """Draw true with a given probability."""
    return draw(rng, _PARTS) < share * _PARTS


@compiled
def collect(
    examples: Examples,
    course: Trajectory,
    choices: MoveChoices,
    evaluation: CompiledEvaluation,
    manner: Manner,
    rng: Seeds,
) -> int:
    """Play games until there are enough positions; the last game may be partly unused.

    Args:
        examples: Receives the positions.
        course: A buffer for a game.
        choices: Room for the choices of one position.
        evaluation: The network and the exact endings.
        manner: How games are played.
        rng: The generator.

    Returns:
        The number of games played.
    """
    done, games = 0, 0
    while done < len(examples.own):
        length, value = _play_game(course, choices, evaluation, manner, rng)
        games += 1
        for number in range(length - 1, -1, -1):
            if not course.again[number]:
                value = 1.0 - value
            if course.erred[number]:
                value = course.ahead[number]
            else:
                decay = manner.trace_decay
                value = decay * value + (1.0 - decay) * course.ahead[number]
            if done < len(examples.own):
                examples.own[done] = course.own[number]
                examples.opponent[done] = course.opponent[number]
                examples.target[done] = value
                done += 1
    return games


@compiled
def _play_game(
    course: Trajectory,
    choices: MoveChoices,
    evaluation: CompiledEvaluation,
    manner: Manner,
    rng: Seeds,
) -> tuple[int, float]:
    """Play one game; return its length, and the value of its last position to the next player."""
    table, rules = evaluation.table, evaluation.rules
    own, opponent, error, other_error = _start(table, rules, manner, rng)
    is_random = draw(rng, 2) == 0
    for length in range(LONGEST):
        ahead = look_ahead(own, opponent, choices, evaluation)
        course.own[length], course.opponent[length], course.ahead[length] = own, opponent, ahead
        steps = throw(rng)
        own_after, opponent_after = choices.own[steps], choices.opponent[steps]
        again = choices.again[steps]
        course.erred[length] = False
        if error > 0.0 and happens(rng, error):
            course.erred[length] = True
            own_after, opponent_after, again = stray(own, opponent, steps, rules, is_random, rng)
        course.again[length] = again
        if own_after == 0:
            course.again[length] = True
            return length + 1, 1.0
        own, opponent = (own_after, opponent_after) if again else (opponent_after, own_after)
        if not again:
            error, other_error = other_error, error
        known = chance_in(own, opponent, table, rules)
        if known >= 0.0:
            return length + 1, known
    return LONGEST, chance(own, opponent, evaluation)


@compiled
def _start(
    table: CompiledTable, rules: int, manner: Manner, rng: Seeds
) -> tuple[int, int, float, float]:
    """The masks of both sides before the first throw, and their error rates."""
    pieces = 7 if draw(rng, 3) == 0 else 5
    if happens(rng, manner.random_starts):
        own, opponent = 1, 2
        while chance_in(own, opponent, table, rules) >= 0.0:
            own, opponent = random_position(pieces, rules, rng)
        return own, opponent, 0.0, 0.0
    cones = initial(pieces)
    if not happens(rng, manner.wrong_moves):
        return cones << 1, cones, 0.0, 0.0
    error = ERRORS[draw(rng, len(ERRORS))]
    other_error = 0.1 if draw(rng, 5) == 0 else 0.0
    if draw(rng, 2):
        return cones << 1, cones, error, other_error
    return cones << 1, cones, other_error, error


initial: Final = compiled(cones_at_start)


@compiled
def random_position(pieces: int, rules: int, rng: Seeds) -> tuple[int, int]:
    """A random position before a throw, uniform in the number of dancers."""
    closed = _WATER if rules == KENDALL else 0
    own = _scatter(1 + draw(rng, pieces), closed, rng)
    # In Skyruk's rules a dancer that reaches house 26 must leave it with an extra throw.
    closed_too = closed if rules == KENDALL else _HAPPINESS
    return own, _scatter(1 + draw(rng, pieces), own | closed_too, rng)


@compiled
def _scatter(dancers: int, taken: int, rng: Seeds) -> int:
    mask = 0
    while dancers:
        house = 1 << draw(rng, HOUSES)
        if not house & (mask | taken):
            mask |= house
            dancers -= 1
    return mask


@compiled
def stray(
    own: int, opponent: int, steps: int, rules: int, is_random: bool, rng: Seeds
) -> tuple[int, int, bool]:
    """An erroneous move: random, or of the foremost dancer.

    Returns:
        The masks after it, the mover's first, and whether the mover throws again.
    """
    starts = movers(own, opponent, steps, rules)
    backward, starts = starts & BACKWARD, starts & BOARD
    if not starts:
        return own, opponent, False
    last = count_of(starts) - 1
    start = nth(starts, draw(rng, last + 1) if is_random else last)
    end = end_of(own, opponent, start, steps, backward, rules)
    own_after, opponent_after = play(own, opponent, start, end)
    return own_after, opponent_after, throws_again(steps, end, rules)


BATCH: Final = 256
"""The batch size in positions."""
_MEAN_KEPT, _SQUARE_KEPT, _ONE, _TINY = map(np.float32, (0.9, 0.999, 1.0, 1e-8))
_PHASES_A_SIDE = MOST + 1
_LIKENESS: Final = 0.1
"""The relative variation of a house's initial weights between numbers of dancers left"""


class Adam(NamedTuple):
    """The state of Adam, and the gradient of the batch."""

    gradient: Weights
    mean: Weights
    square: Weights


@dataclass(frozen=True)
class Learning:
    """How to learn; equal settings give equal results on one machine."""

    rounds: int = 700
    positions: int = 20_480
    """Positions to learn from in a round."""
    passes: int = 2
    """Passes over the positions of a round."""
    seed: int = 1
    hidden: int = 64
    first_step: float = 0.002
    last_step: float = 0.00005
    first_trace: float = 0.9
    last_trace: float = 0.5
    random_starts: float = 0.5
    """The share of games that start from a random position."""
    wrong_moves: float = 0.4
    """The share of the other games in which a side errs."""

    def step_at(self, round: int) -> float:
        """Adam's learning rate in a round (counted from 0); it decays exponentially."""
        return self.first_step * math.pow(self.last_step / self.first_step, round / self.rounds)

    def trace_at(self, round: int) -> float:
        """TD's lambda in a round; it falls linearly until the middle of the training."""
        done = min(1.0, 2 * round / self.rounds)
        return self.first_trace + done * (self.last_trace - self.first_trace)


class SenetLearner:
    """Trains the network of one rule set.

    Args:
        rules: The rule set.
        settings: How to learn.
    """

    def __init__(self, rules: str, settings: Learning) -> None:
        self.done = 0
        self._rules, self._settings = rules, settings
        self.shape = Shape(INPUTS, settings.hidden, PHASES)
        self._weights = first_weights(self.shape, settings.seed)
        self._adam = Adam(*(np.zeros_like(self._weights) for _ in range(3)))
        self.table = bundled_table(rules)
        self._course, self._choices = make_trajectory(), make_choices()

    def run(self) -> None:
        """Do one round: play games, and learn from their positions."""
        settings = self._settings
        examples = make_examples(settings.positions)
        network = split(self.shape, self._weights)
        seed = make_seed(settings.seed * 1_000_003 + 2 * self.done + RULES[self._rules])
        manner = Manner(
            settings.trace_at(self.done),
            settings.random_starts,
            settings.wrong_moves,
        )
        evaluation = make_evaluation(network, self.table, RULES[self._rules])
        collect(examples, self._course, self._choices, evaluation, manner, seed)
        rng = np.random.default_rng([settings.seed, self.done])
        order = np.concatenate(
            [rng.permutation(settings.positions) for _ in range(settings.passes)]
        )
        steps = self.done * (len(order) // BATCH)
        learn(
            examples,
            order,
            network,
            self._weights,
            split(self.shape, self._adam.gradient),
            self._adam,
            BATCH,
            settings.step_at(self.done),
            steps,
        )
        self.done += 1

    def network(self) -> SideNetwork:
        """The current network, rounded as in files."""
        return SideNetwork(self.shape, self._weights.astype(np.float16).astype(float).tolist())


def bundled_table(rules: str) -> CompiledTable:
    """The bundled endings, even if the user has larger ones."""
    table = table_of(Endings.load(rules))
    return table._replace(starts=starts_of(TableLayout(rules, BUNDLED)))


def first_weights(shape: Shape, seed: int) -> Weights:
    """Random initial weights, nearly equal for a house across numbers of dancers left."""
    rng = np.random.default_rng(seed)
    weights = np.zeros(shape.size, dtype=np.float32)
    network = split(shape, weights)
    hidden = shape.hidden
    for role in (OWN, FOE):
        rows = network.rows[role * shape.inputs : (role + 1) * shape.inputs, :hidden]
        houses = rng.normal(0, 0.25, (HOUSES, hidden))
        for left in range(MOST):
            noise = rng.normal(0, 0.25 * _LIKENESS, (HOUSES, hidden))
            rows[left * HOUSES : (left + 1) * HOUSES] = houses + noise
        rows[PAIR:] = rng.normal(0, 0.05, (shape.inputs - PAIR, hidden))
    network.output[:] = rng.normal(0, 0.1, hidden)
    return weights


@compiled.allocating
def learn(
    examples: Examples,
    order: npt.NDArray[np.int64],
    network: Network,
    weights: Weights,
    gradient: Network,
    adam: Adam,
    batch: int,
    step: float,
    steps: int,
) -> float:
    """Learn from positions, a batch at a time.

    Args:
        examples: The positions and their target values.
        order: The indices of the positions in training order.
        network: The network to train.
        weights: The same weights as a flat array.
        gradient: The gradient as a network; all 0 before and after.
        adam: The same gradient as a flat array, and Adam's state.
        batch: The number of positions in a step; those left over are not learned.
        step: The learning rate.
        steps: The number of batches before these.

    Returns:
        The mean squared error before the steps.
    """
    width = network.rows.shape[1]
    sums, slope = np.zeros((2, width), weights.dtype), np.zeros(width, weights.dtype)
    found = np.zeros(2 * MOST_INPUTS, np.int64)
    total = 0.0
    learned = len(order) // batch * batch
    for first in range(0, learned, batch):
        for number in order[first : first + batch]:
            own, opponent = examples.own[number], examples.opponent[number]
            error = _add_gradient(
                own, opponent, examples.target[number], network, gradient, sums, slope, found
            )
            total += error * error
        _take_step(weights, adam, batch, step, steps + first // batch + 1)
    return total / learned


@compiled
def _add_gradient(
    own: int,
    opponent: int,
    target: float,
    network: Network,
    gradient: Network,
    sums: Weights,
    slope: Weights,
    found: npt.NDArray[np.int64],
) -> float:
    """Add the gradient of one position; return the error of its value."""
    width = network.rows.shape[1]
    middle = list_inputs(own, OWN, found, 0)
    count = list_inputs(opponent, FOE, found, middle)
    sums[:] = 0.0
    for number in range(count):
        row, role = network.rows[found[number]], OWN if number < middle else FOE
        for unit in range(width):
            sums[role, unit] += row[unit]
    phase = count_of(own) * _PHASES_A_SIDE + count_of(opponent)
    log_odds = weigh(sums[OWN], sums[FOE], network.output) + network.biases[phase]
    error = 1.0 / (1.0 + math.exp(-log_odds)) - target
    for unit in range(width - 1):
        active = sums[OWN, unit] + sums[FOE, unit]
        slope[unit] = 0.0
        if active > 0.0:
            slope[unit] = error * network.output[unit]
            gradient.output[unit] += error * active
    slope[width - 1] = error
    gradient.biases[phase] += error
    for number in range(count):
        row = gradient.rows[found[number]]
        for unit in range(width):
            row[unit] += slope[unit]
    return error


@compiled.allocating
def _take_step(weights: Weights, adam: Adam, batch: int, step: float, steps: int) -> None:
    """Take an Adam step with the mean gradient of a batch, and reset the gradient."""
    slope, mean, square = adam
    slope *= np.float32(1.0 / batch)
    mean[:] = _MEAN_KEPT * mean + (_ONE - _MEAN_KEPT) * slope
    square[:] = _SQUARE_KEPT * square + (_ONE - _SQUARE_KEPT) * slope * slope
    mean_left = np.float32(1.0 / (1.0 - 0.9**steps))
    square_left = np.float32(1.0 / (1.0 - 0.999**steps))
    root = np.sqrt(square * square_left) + _TINY
    weights -= np.float32(step) * (mean * mean_left) / root
    slope[:] = 0.0


def main() -> None:
    """Train both networks, and write them."""
    parser = Parser(__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the file of the networks")
    parser.add_count("--rounds", 700, "rounds of playing games and learning from them")
    parser.add_count("--positions", 20_480, "positions to learn from in a round")
    parser.add_count("--hidden", 64, "hidden units")
    given = parser.parse_args()
    settings = Learning(given.rounds, given.positions, hidden=given.hidden)
    networks = {}
    for rules in RULES:
        learner = SenetLearner(rules, settings)
        for _ in range(settings.rounds):
            learner.run()
        networks[rules] = learner.network()
        print(f"{rules}: {settings.rounds} rounds")
    about = {"command": f"python lab/senet_learner.py --rounds {given.rounds}"}
    replace_file(given.out, file_of(NetworkModel(networks, about)))


def file_of(model: NetworkModel) -> str:
    """The content of the file of networks."""
    head = {
        "boardgames_network": 1,
        "game": Senet.info.id,
        "rules_version": Senet.info.rules_version,
        "about": model.about,
        **dataclasses.asdict(model.shape),
    }
    lines = (f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    networks = {
        name: base64.b64encode(np.array(network.weights, "<f2").tobytes()).decode()
        for name, network in model.networks.items()
    }
    return f'{{\n{"".join(lines)} "networks": {json.dumps(networks, indent=1)}\n}}\n'


if __name__ == "__main__":
    run_main(main)
