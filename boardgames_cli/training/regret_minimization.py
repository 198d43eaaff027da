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

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from boardgames_cli.algorithms.exploitability import quality
from boardgames_cli.algorithms.game_tree import GameTree, stage_of, why_not_extensive
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.game import AnyGame, Seat, Traits
from boardgames_cli.core.options import check_options, option, option_values
from boardgames_cli.training.curve import BAR, Curve
from boardgames_cli.training.training_run import TrainingRun

_ROUNDING: Final = 1e-12
"""Smaller regrets count as 0; otherwise rounding could decide what is played."""
_BOTH: Final = (True, True)
_ONE: Final = ((True, False), (False, True))
_NODES: Final = 15_000
"""Nodes visited between checks of the clock and of interrupts: a few hundredths of a second."""
_DECADES: Final = 6
"""A full bar means an exploitability of 10 to the power of minus this."""
_DIGITS: Final = 7


@dataclass(frozen=True)
class CfrSettings:
    """The settings of a training run; it is deterministic."""

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

    def command(self, game: str) -> str:
        """The command line that repeats this training."""
        words = [f"--{name} {value}" for name, value in option_values(self).items()]
        return " ".join(["boardgames train", game, *words])


class _Branch(NamedTuple):
    """A node with children, in the form used by the inner loops."""

    node: int
    seat: Seat
    """-1 at chance nodes."""
    information: int
    children: tuple[int, ...]


class Cfr:
    """A strategy being trained.

    Args:
        tree: The game tree.
        settings: The variant and the averaging; `iterations` is ignored.
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
        # Chance probabilities are multiplied into the payoffs once, so that chance nodes just add.
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
            if self.settings.variant == "linear":
                self._discount(self.iterations / (self.iterations + 1))

    def average(self) -> list[list[float]]:
        """The average strategy so far, which converges to an equilibrium."""
        return [_normalised(sums) for sums in self._sums]

    def current(self) -> list[list[float]]:
        """The strategy of the next iteration."""
        return [list(row) for row in self._current]

    def _spread_reach(self) -> None:
        """Propagate each seat's reach probabilities from the root down."""
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
        """Propagate node values from the leaves up, and update regrets and the average."""
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
        """Set the strategy in proportion to the positive regrets (regret matching)."""
        for number, known in enumerate(self.tree.information_sets):
            if not updates[known.seat]:
                continue
            regrets = self._regrets[number]
            positive = [regret if regret > _ROUNDING else 0.0 for regret in regrets]
            if is_plus:
                self._regrets[number] = positive
            self._current[number] = _normalised(positive)

    def _discount(self, share: float) -> None:
        """Reduce all regrets, so that those of iteration t end up with a weight of t."""
        for regrets in self._regrets:
            regrets[:] = [share * regret for regret in regrets]


def _normalised(weights: list[float]) -> list[float]:
    total = sum(weights)
    if total <= 0:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]


@dataclass(frozen=True, slots=True)
class CfrPoint:
    """The quality of the average strategy after some iterations."""

    iterations: int
    value: float
    """The first seat's expected return if both play it."""
    exploitability: float
    """The mean of what the seats could gain by deviating; 0 in equilibrium."""

    def __str__(self) -> str:
        return (
            f"{self.iterations:,} iterations: exploitability {self.exploitability:.1e}, "
            f"value {self.value:+.6f}"
        )

    @property
    def done(self) -> int:
        """The number of iterations at the measurement."""
        return self.iterations

    @property
    def share(self) -> float:
        """The progress of the exploitability from 1 to the full bar, on a logarithmic scale."""
        distance = max(self.exploitability, 10.0**-_DECADES)
        return max(0.0, -math.log10(distance)) / _DECADES

    @property
    def words(self) -> str:
        """The figures next to its bar."""
        return f"{self.exploitability:9.2e}  {self.value:+.6f}"

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"exploitability {self.exploitability:.1e}"

    @property
    def measures(self) -> Mapping[str, float]:
        """The values to plot."""
        return {"exploitability": self.exploitability}

    def as_json(self) -> dict[str, Any]:
        """The point as JSON."""
        return {
            "iterations": self.iterations,
            "value": round(self.value, _DIGITS),
            "exploitability": round(self.exploitability, _DIGITS),
        }


def why_not_cfr(game: AnyGame) -> str | None:
    """None if CFR can train a game, otherwise the reason why not.

    It is only for games with hidden information or joint steps; others need no mixed strategies.
    """
    if not game.traits & (Traits.HIDDEN | Traits.SIMULTANEOUS):
        return "it has no secrets"
    return why_not_extensive(game)


class CfrRun(TrainingRun[CfrPoint]):
    """A CFR training run with its file.

    Args:
        game: A small two-player zero-sum game. For a repeated game, the stage game is trained.
        settings: The settings.
        path: The file of the strategy; None keeps it in memory only.

    Raises:
        TreeError: The game is not supported or too large.
    """

    unit: ClassVar[str] = "iterations"
    counter: ClassVar[str] = "iterations"

    def __init__(self, game: AnyGame, settings: CfrSettings, path: Path | None) -> None:
        super().__init__(path)
        self.game = stage_of(game)
        self.settings = settings
        self._tree = GameTree(self.game)
        self._learner = Cfr(self._tree, settings)
        self._longest_block = max(1, _NODES // len(self._tree.nodes))

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self.game.info.id

    @property
    def done(self) -> int:
        """Iterations so far."""
        return self._learner.iterations

    @property
    def total(self) -> int:
        """Iterations altogether."""
        return self.settings.iterations

    @property
    def curve(self) -> Curve:
        """The learning curve."""
        heading = f"{'exploitability':<{BAR + 10}}  value of the first seat"
        return Curve(self.unit, heading, self.points, axis="gain a game", is_share=False)

    def strategy(self) -> Strategy:
        """The average strategy so far, with its command and quality."""
        average = self._learner.average()
        table = {
            known.name: dict(zip(map(str, known.actions), row, strict=True))
            for known, row in zip(self._tree.information_sets, average, strict=True)
        }
        measured = quality(self._tree, average)
        # For an interrupted run, the actual number of iterations reproduces the file.
        settings = dataclasses.replace(self.settings, iterations=self.done or self.total)
        return Strategy.of(
            self.game,
            table,
            command=settings.command(self.game_id),
            iterations=self.done,
            value=round(measured.value, _DIGITS),
            exploitability=round(measured.exploitability, _DIGITS),
            curve=[point.as_json() for point in self.points],
        )

    def text(self) -> str:
        """The content of the strategy's file."""
        return self.strategy().to_text()

    def facts(self) -> list[str]:
        """The strategy, one line per information set, and the command."""
        strategy = self.strategy()
        rows = [f"  {name:<14} {text}" for name, text in strategy.rows()]
        return ["strategy:", *rows, f"made by: {strategy.about['command']}"]

    def details(self) -> dict[str, Any]:
        """The settings, the curve and the strategy."""
        strategy = self.strategy()
        return {
            "settings": option_values(self.settings),
            "curve": strategy.about["curve"],
            "strategy": strategy.table,
        }

    def _block(self) -> None:
        due = next_point(self.done, self.total)
        self._learner.run(min(due - self.done, self._longest_block))

    def _measure(self) -> CfrPoint | None:
        if self.done != next_point(self.done - 1, self.total):
            return None
        measured = quality(self._tree, self._learner.average())
        return CfrPoint(self.done, measured.value, measured.exploitability)


def next_point(done: int, total: int) -> int:
    """The next measurement: after 1, 2, 5, 10, 20, 50 ... iterations, and at the end."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power > done:
                return min(digit * power, total)
        power *= 10
