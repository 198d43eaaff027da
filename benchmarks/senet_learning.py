"""Trains Senet's networks on the exact values of `senet_full_game.py`.

`boardgames train senet` learns from its own estimates, as anybody can. Who has solved the game can
do better: the networks it made are trained further, on the values themselves. Games of seven
dancers have none; of these a tenth of the positions is learned as before, so that their part of the
network stays as good as it was. Some 15 minutes for each rule set on one core::

    python benchmarks/senet_full_game.py --rules kendall --positions kendall.npz
    python benchmarks/senet_full_game.py --rules skyruk --positions skyruk.npz
    boardgames train senet --out begun.json
    python benchmarks/senet_learning.py --begun begun.json kendall.npz skyruk.npz --out network.json
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from senet_exact import read_choices

from boardgames_cli.algorithms.endings import SCALE
from boardgames_cli.algorithms.fast.xorshift import make_seed
from boardgames_cli.algorithms.networks.network_model import NetworkModel, read_network
from boardgames_cli.algorithms.networks.side_network import SideNetwork
from boardgames_cli.games.senet.fast import learner
from boardgames_cli.games.senet.fast.learner import Adam, Examples, Manner, make_examples
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.playouts import Masks
from boardgames_cli.games.senet.fast.search import (
    Network,
    chance,
    make_choices,
    make_evaluation,
    split,
)
from boardgames_cli.storage.files import replace_file

ROUND: Final = 102_400
"""Exact positions in a round."""
OTHERS: Final = 12_288
"""Positions with six or seven dancers in a round, of which some rounds find fewer."""
HELD_OUT: Final = 20
"""One position in so many is not learned."""
FIRST_STEP, LAST_STEP = 0.001, 0.00003
BITS: Final = 32
"""More than the houses of the board."""
EXACT: Final = 5
"""The maximum number of dancers a side whose values are exact."""


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


def others(network: Network, rules: str, seed: int) -> Examples:
    """Positions with more dancers than are solved, learned as in `boardgames train senet`."""
    found = positions_of_games(network, rules, 3 * OTHERS, Manner(0.5, 0.5, 0.4), seed)
    large = np.flatnonzero(most_dancers(found.own, found.opponent) > EXACT)[:OTHERS]
    return chosen_of(found, large)


def positions_of_games(
    network: Network, rules: str, count: int, manner: Manner, seed: int
) -> Examples:
    """Positions of games that a network plays, as in `boardgames train senet`."""
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


def teach(begun: SideNetwork, lesson: Lesson, passes: int) -> SideNetwork:
    """Train a network further; prints its error."""
    rng = np.random.default_rng(1)
    numbers = rng.permutation(len(lesson.examples.own))
    held, numbers = np.split(numbers, [len(numbers) // HELD_OUT])
    weights = np.array(begun.weights, dtype=np.float32)
    network = split(begun.shape, weights)
    adam = Adam(*(np.zeros_like(weights) for _ in range(3)))
    rounds = max(1, passes * len(numbers) // ROUND)
    order = np.concatenate([rng.permutation(numbers) for _ in range(passes)])
    print(f"{lesson.rules}: before, off by {lesson.error(network, held):.2%}", flush=True)
    steps = 0
    for turn in range(rounds):
        exact = chosen_of(lesson.examples, order[turn * ROUND : (turn + 1) * ROUND])
        more = others(network, lesson.rules, turn)
        examples = Examples(
            np.append(exact.own, more.own),
            np.append(exact.opponent, more.opponent),
            np.append(exact.target, more.target),
        )
        step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (turn / max(1, rounds - 1))
        places = rng.permutation(len(examples.own))
        gradient = split(begun.shape, adam.gradient)
        learner.learn(examples, places, network, weights, gradient, adam, step, steps)
        steps += len(places) // learner.BATCH
    print(f"{lesson.rules}: after {rounds} rounds, off by {lesson.error(network, held):.2%}")
    return SideNetwork(begun.shape, weights.astype(np.float16).astype(float).tolist())


def main() -> None:
    """Train, and write the networks."""
    parser = Parser(__doc__)
    parser.add_argument("positions", nargs=2, type=Path, help="of Kendall's and Skyruk's rules")
    parser.add_argument("--begun", type=Path, required=True, help="the networks to begin with")
    parser.add_argument("--out", type=Path, required=True, help="the file of the networks")
    parser.add_count("--passes", 8, "how often each position is learned")
    given = parser.parse_args()
    begun = read_network(given.begun)
    networks = {
        rules: teach(begun.network_for(rules), Lesson.read(path, rules), given.passes)
        for rules, path in zip(RULES, given.positions, strict=True)
    }
    command = {"command": "python benchmarks/senet_learning.py"}
    about = dict(begun.about) | {"begun": begun.about.get("command", "")} | command
    model: NetworkModel = dataclasses.replace(begun, networks=networks, about=about)
    replace_file(given.out, model.to_text().encode())


if __name__ == "__main__":
    run_main(main)
