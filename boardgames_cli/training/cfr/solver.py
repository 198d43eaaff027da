"""Counterfactual regret minimisation: equilibria of two-player games with secrets.

At every information set the regret of an action is summed up over all iterations: how much better
it would have been than what was played, weighted with the probability that chance and the other
seat lead there. Actions are then played in proportion to their positive regret, and the *average*
of all strategies played approaches an equilibrium (M. Zinkevich, M. Johanson, M. Bowling and
C. Piccione, "Regret minimization in games with incomplete information", 2007).

CFR+ (O. Tammelin, "Solving large imperfect information games using CFR+", 2014) differs in three
ways: sums of regrets never fall below 0, the seats are updated in turn, and usually later
iterations weigh more in the average.

For every game of two seats and opposite interests whose chance is listed and whose seats forget
nothing; no game is named here. The tree is compiled to tuples of numbers once, which is what makes
plain Python fast enough.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.core.game import Seat
from boardgames_cli.training.cfr.settings import CfrSettings

_ROUNDING: Final = 1e-12
"""A regret of this size is none: else the last bit of a sum could decide what is played."""
_BOTH: Final = (True, True)
_ONE: Final = ((True, False), (False, True))


class _Branch(NamedTuple):
    """A node with children, as the inner loops want it."""

    node: int
    seat: Seat
    """-1 where chance acts."""
    information: int
    children: tuple[int, ...]


class Cfr:
    """A strategy being trained.

    Args:
        tree: The game.
        settings: Which variant, and how to average; `iterations` is left to the caller.
    """

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
        # Chance is multiplied into the payoffs once and for all; branches of chance then just add.
        self._values = [
            0.0 if node.children else node.chance * tree.payoff(node) for node in tree.nodes
        ]
        self._reach = ([1.0] * len(tree.nodes), [1.0] * len(tree.nodes))

    def run(self, iterations: int) -> None:
        """Run some more iterations."""
        is_plus = self.settings.variant == "cfr+"
        for _ in range(iterations):
            self.iterations += 1
            for updates in _ONE if is_plus else (_BOTH,):
                self._spread_reach()
                self._collect(updates)
                self._match_regrets(updates, is_plus)

    def average(self) -> list[list[float]]:
        """The average strategy so far: what approaches the equilibrium."""
        return [_normalised(sums) for sums in self._sums]

    def current(self) -> list[list[float]]:
        """What would be played in the next iteration."""
        return [list(row) for row in self._current]

    def _spread_reach(self) -> None:
        """From the root down: how probable each seat's own choices make every node."""
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
        """From the leaves up: values of nodes, regrets of actions, and the average."""
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
        """Play each action in proportion to its positive regret."""
        for number, known in enumerate(self.tree.information_sets):
            if not updates[known.seat]:
                continue
            regrets = self._regrets[number]
            positive = [regret if regret > _ROUNDING else 0.0 for regret in regrets]
            if is_plus:
                self._regrets[number] = positive
            self._current[number] = _normalised(positive)


def _normalised(weights: list[float]) -> list[float]:
    total = sum(weights)
    if total <= 0:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]
