"""Counterfactual regret minimisation: equilibria of two-player games with hidden information.

At every information set the regret of an action is summed over all iterations: how much better it
would have been than the strategy played, weighted by the probability that chance and the other seat
lead there. Actions are then played in proportion to their positive regret, and the *average* of all
strategies converges to an equilibrium (M. Zinkevich, M. Johanson, M. Bowling and C. Piccione,
"Regret minimization in games with incomplete information", 2007).

CFR+ (O. Tammelin, "Solving large imperfect information games using CFR+", 2014) differs in three
ways: cumulative regrets never fall below 0, the seats are updated alternately, and later iterations
usually have more weight in the average. In linear CFR the regrets of later iterations have more
weight, too (N. Brown and T. Sandholm, "Solving Imperfect-Information Games via Discounted Regret
Minimization", 2019).

It works for every two-player zero-sum game with listed chance and perfect recall. A joint step is
two decisions, the second of which does not see the first. The tree is
compiled to tuples of numbers once, which makes plain Python fast enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from boardgames_cli.algorithms.game_tree import GameTree, normalised
from boardgames_cli.core.game import Seat
from boardgames_cli.core.options import check_options, option

_ROUNDING: Final = 1e-12
"""Smaller regrets count as 0; otherwise rounding could decide what is played."""
_BOTH: Final = (True, True)
_ONE: Final = ((True, False), (False, True))


@dataclass(frozen=True)
class CfrSettings:
    """The settings of a training run; equal settings give equal results."""

    iterations: int = option(10_000, "traversals of the game tree", low=1, high=100_000_000)
    variant: str = option(
        "cfr+", "cfr: the first published form; cfr+: forgets negative regrets, much faster; "
        "linear: regrets of later iterations count more",
        choices=("cfr", "cfr+", "linear"),
    )  # fmt: skip
    averaging: str = option(
        "linear", "uniform: all iterations count alike in the average; linear: later ones more",
        choices=("uniform", "linear"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)


class _Branch(NamedTuple):
    node: int
    seat: Seat
    information: int
    children: tuple[int, ...]


class Cfr:
    """A strategy being trained; `iterations` of the settings is ignored."""

    def __init__(self, tree: GameTree[Any, Any], settings: CfrSettings) -> None:
        self.tree = tree
        self.settings = settings
        self.iterations = 0
        counts = [len(known.actions) for known in tree.information_sets]
        self._regrets = [[0.0] * count for count in counts]
        self._sums = [[0.0] * count for count in counts]
        self._current = [[1 / count] * count for count in counts]
        self._branches = [
            _Branch(
                node.number,
                tree.information_sets[node.information].seat if node.information >= 0 else -1,
                node.information,
                tuple(node.children),
            )
            for node in tree.nodes
            if node.children
        ]
        self._backward = self._branches[::-1]
        # Chance probabilities are multiplied into the payoffs once, so that chance nodes just add.
        self._values = [
            0.0 if node.children else node.chance * tree.payoff(node) for node in tree.nodes
        ]
        self._reach = ([1.0] * len(tree.nodes), [1.0] * len(tree.nodes))

    def run(self, iterations: int) -> None:
        is_plus = self.settings.variant == "cfr+"
        for _ in range(iterations):
            self.iterations += 1
            for updates in _ONE if is_plus else (_BOTH,):
                self._spread_reach()
                self._collect(updates)
                self._match_regrets(updates, is_plus)
            if self.settings.variant == "linear":
                # So that the regrets of iteration t end up with a weight of t.
                share = self.iterations / (self.iterations + 1)
                for regrets in self._regrets:
                    regrets[:] = [share * regret for regret in regrets]

    def average(self) -> list[list[float]]:
        """The average strategy so far, which converges to an equilibrium."""
        return [normalised(sums) for sums in self._sums]

    def _spread_reach(self) -> None:
        mine, yours = self._reach
        current = self._current
        for node, seat, information, children in self._branches:
            first, second = mine[node], yours[node]
            if seat < 0:
                for child in children:
                    mine[child] = first
                    yours[child] = second
            elif seat == 0:
                for child, chance in zip(children, current[information], strict=True):
                    mine[child] = first * chance
                    yours[child] = second
            else:
                for child, chance in zip(children, current[information], strict=True):
                    mine[child] = first
                    yours[child] = second * chance

    def _collect(self, updates: tuple[bool, bool]) -> None:
        values, reach = self._values, self._reach
        current, regrets, sums = self._current, self._regrets, self._sums
        weight = self.iterations if self.settings.averaging == "linear" else 1
        for node, seat, information, children in self._backward:
            if seat < 0:
                values[node] = sum([values[child] for child in children])
                continue
            chances = current[information]
            value = 0.0
            for child, chance in zip(children, chances, strict=True):
                value += chance * values[child]
            values[node] = value
            if not updates[seat]:
                continue
            outside = -reach[0][node] if seat else reach[1][node]
            own = weight * reach[seat][node]
            regret, total = regrets[information], sums[information]
            for index, child in enumerate(children):
                regret[index] += outside * (values[child] - value)
                total[index] += own * chances[index]

    def _match_regrets(self, updates: tuple[bool, bool], is_plus: bool) -> None:
        for number, known in enumerate(self.tree.information_sets):
            if not updates[known.seat]:
                continue
            regrets = self._regrets[number]
            positive = [regret if regret > _ROUNDING else 0.0 for regret in regrets]
            if is_plus:
                self._regrets[number] = positive
            self._current[number] = normalised(positive)
