"""Trains Senet's networks on the exact values of `senet_full_game.py`.

`senet_learner.py` learns from its own estimates. Who has solved the game can
do better: the networks it made are trained further, on the values themselves. Games of seven
dancers have none; as many positions of these as a tenth of the others are learned as before, so
that their part of the network stays as good as it was. The rule sets are learned side by side, one
core each::

    python lab/senet_full_game.py --rules kendall --positions kendall.npz
    python lab/senet_full_game.py --rules skyruk --positions skyruk.npz
    python lab/senet_learner.py --out begun.json
    python lab/senet_learning.py --begun begun.json kendall.npz skyruk.npz --out network.json

The last takes three minutes of processor time for each rule set; new hidden units are added first.
The bundled networks began with those of 64 hidden units that came with the program before, which
eight passes in batches of 256 had made of such a ``begun.json``.

The step of Adam falls as a cosine; see Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent
with Warm Restarts" (2017).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import senet_learner as learner
from arguments import Parser, run_main
from senet_exact import read_choices
from senet_learner import Adam, Examples, Manner, make_examples

from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.algorithms.networks.side_network import (
    NetworkModel,
    SideNetwork,
    parse_networks,
)
from boardgames_cli.games.senet.fast.moves import RULES, Masks
from boardgames_cli.games.senet.fast.search import (
    Network,
    chance,
    make_choices,
    make_evaluation,
    network_of,
    split,
)
from boardgames_cli.storage.files import replace_file

RENEWED: Final = 10
"""The passes until other positions with six or seven dancers are learned."""
OTHERS: Final = 0.1
"""Their share, relative to the exact positions; some games have fewer."""
HELD_OUT: Final = 20
"""One position in so many is not learned."""
FIRST_STEP, LAST_SHARE = 0.002, 0.003
"""The step of Adam, and the share of it at the end."""
NEW_ROWS, NEW_OUTPUT = 0.5, 0.01
"""The weights of new hidden units, relative to those with which a training begins."""
BITS: Final = 32
"""More than the houses of the board."""
EXACT: Final = 5
"""The maximum number of dancers a side whose values are exact."""


Parts: TypeAlias = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


@dataclasses.dataclass(frozen=True)
class Lesson:
    """Positions of one rule set with exact values."""

    rules: str
    examples: Examples

    @staticmethod
    def read(path: Path, rules: str) -> Lesson:
        """Read a file of `senet_full_game.py`, without the positions that test reviews."""
        with np.load(path) as file:
            own, opponent = (file[name].astype(np.int64) for name in ("own", "opponent"))
            examples = Examples(own, opponent, file["value"] / SCALE)
        is_tested = np.isin(own << BITS | opponent, list(sample_positions(rules)))
        return Lesson(rules, chosen_of(examples, np.flatnonzero(~is_tested)))

    def parts(self, rng: np.random.Generator) -> Parts:
        """The numbers of positions held out, and of those to learn; no position is in both."""
        masks = self.examples.own << BITS | self.examples.opponent
        known, place = np.unique(masks, return_inverse=True)
        is_held = rng.permutation(len(known))[place] < len(known) // HELD_OUT
        return np.flatnonzero(is_held), np.flatnonzero(~is_held)

    def error(self, network: Network, numbers: npt.NDArray[np.int64]) -> float:
        """The root mean square error of a network, without the endings, over some positions."""
        evaluation = make_evaluation(network, learner.bundled_table(self.rules), RULES[self.rules])
        squares = [
            (
                chance(self.examples.own[at], self.examples.opponent[at], evaluation)
                - self.examples.target[at]
            )
            ** 2
            for at in numbers
        ]
        return float(np.mean(squares) ** 0.5)


def sample_positions(rules: str) -> Iterator[int]:
    """The positions after every move of the sample ``games``: the masks of both sides in one."""
    for choice in read_choices("games"):
        if choice.rules == rules:
            state, player = choice.state, choice.state.player
            for action in choice.game.legal_actions(state, player):
                after = choice.game.apply(state, {player: action})
                yield after.side(after.player) << BITS | after.side(1 - after.player)


def others(network: Network, rules: str, count: int, seed: int) -> Examples:
    """Positions with more dancers than are solved, learned as in `senet_learner.py`."""
    found = positions_of_games(network, rules, 3 * count, Manner(0.5, 0.5, 0.4), seed)
    large = np.flatnonzero(most_dancers(found.own, found.opponent) > EXACT)[:count]
    return chosen_of(found, large)


def positions_of_games(
    network: Network, rules: str, count: int, manner: Manner, seed: int
) -> Examples:
    """Positions of games that a network plays, as in `senet_learner.py`."""
    evaluation = make_evaluation(network, learner.bundled_table(rules), RULES[rules])
    found, course = make_examples(count), learner.make_trajectory()
    learner.collect(found, course, make_choices(), evaluation, manner, make_seed(seed))
    return found


def chosen_of(examples: Examples, numbers: npt.NDArray[np.int64]) -> Examples:
    """Some of the positions."""
    own, opponent, target = examples
    return Examples(own[numbers], opponent[numbers], target[numbers])


def most_dancers(own: Masks, opponent: Masks) -> npt.NDArray[np.uint8]:
    """The dancers of the side that has more of them, for each position."""
    return np.maximum(np.bitwise_count(own), np.bitwise_count(opponent))


def widened(begun: SideNetwork, hidden: int) -> SideNetwork:
    """The same network with more hidden units, whose small output weights change its values little.

    Raises:
        ValueError: It has more hidden units already.
    """
    kept = begun.shape.hidden
    if hidden < kept:
        raise ValueError(f"{kept} hidden units can't become {hidden}")
    shape = dataclasses.replace(begun.shape, hidden=hidden)
    weights = learner.first_weights(shape, seed=1)
    wide, narrow = split(shape, weights), network_of(begun)
    wide.rows[:, :kept], wide.rows[:, hidden] = narrow.rows[:, :kept], narrow.rows[:, kept]
    wide.rows[:, kept:hidden] *= NEW_ROWS
    wide.output[:kept], wide.output[kept:] = narrow.output, wide.output[kept:] * NEW_OUTPUT
    wide.biases[:] = narrow.biases
    return SideNetwork(shape, weights.tolist())


def teach(begun: SideNetwork, lesson: Lesson, passes: int, batch: int) -> SideNetwork:
    """Train a network further; prints its error."""
    rng = np.random.default_rng(1)
    held, numbers = lesson.parts(rng)
    exact = chosen_of(lesson.examples, numbers)
    weights = np.array(begun.weights, dtype=np.float32)
    network = split(begun.shape, weights)
    adam = Adam(*(np.zeros_like(weights) for _ in range(3)))
    gradient, steps = split(begun.shape, adam.gradient), 0
    for turn in range(passes):
        if turn % RENEWED == 0:
            off = lesson.error(network, held)
            print(f"{lesson.rules}: before pass {turn} off by {off:.3%}", flush=True)
            more = others(network, lesson.rules, round(OTHERS * len(numbers)), turn)
            examples = Examples(
                np.append(exact.own, more.own),
                np.append(exact.opponent, more.opponent),
                np.append(exact.target, more.target),
            )
        order = rng.permutation(len(examples.own))
        share = (1 + math.cos(math.pi * turn / passes)) / 2
        step = FIRST_STEP * max(LAST_SHARE, share)
        learner.learn(examples, order, network, weights, gradient, adam, batch, step, steps)
        steps += len(order) // batch
    print(f"{lesson.rules}: after {passes} passes off by {lesson.error(network, held):.3%}")
    return SideNetwork(begun.shape, weights.astype(np.float16).astype(float).tolist())


def main() -> None:
    """Train, and write the networks."""
    parser = Parser(__doc__)
    parser.add_argument("positions", nargs=2, type=Path, help="of Kendall's and Skyruk's rules")
    parser.add_argument("--begun", type=Path, required=True, help="the networks to begin with")
    parser.add_argument("--out", type=Path, required=True, help="the file of the networks")
    parser.add_count("--passes", 60, "how often each position is learned")
    parser.add_count("--hidden", 128, "hidden units; new ones are added to those there")
    parser.add_count("--batch", 4096, "positions in a step")
    given = parser.parse_args()
    begun = parse_networks(given.begun.read_text())

    def learned(rules: str, path: Path) -> SideNetwork:
        first = widened(begun.networks[rules], given.hidden)
        return teach(first, Lesson.read(path, rules), given.passes, given.batch)

    with ThreadPoolExecutor() as pool:  # the compiled functions hold no lock
        networks = dict(zip(RULES, pool.map(learned, RULES, given.positions), strict=True))
    command = {"command": "python lab/senet_learning.py"}
    about = {"begun": begun.about.get("command", "")} | dict(begun.about) | command
    replace_file(given.out, learner.file_of(NetworkModel(networks, about)))


if __name__ == "__main__":
    run_main(main)
