"""Training by counterfactual regret minimisation (`algorithms.regret_solver`)."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.algorithms.exploitability import quality
from boardgames_cli.algorithms.game_tree import stage_of, tree_of
from boardgames_cli.algorithms.regret_solver import Cfr, CfrSettings
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.game import AnyGame
from boardgames_cli.training.curve import BAR, Curve, Point
from boardgames_cli.training.training_run import TrainingRun, training_command

_NODES: Final = 15_000
"""Nodes visited between checks of the clock and of interrupts: a few hundredths of a second."""
_DECADES: Final = 6
"""A full bar means an exploitability of 10 to the power of minus this."""
_DIGITS: Final = 7
_MOST_ROWS: Final = 24
"""The most information sets that are listed for people."""


def strategy_point(iterations: int, value: float, exploitability: float) -> Point:
    """The quality of the average strategy after some iterations.

    Args:
        iterations: How many.
        value: The first seat's expected return if both play it.
        exploitability: The mean of what the seats could gain by deviating; 0 in equilibrium.
    """
    distance = max(exploitability, 10.0**-_DECADES)
    brief = f"exploitability {exploitability:.1e}"
    return Point(
        iterations,
        f"{iterations:,} iterations: {brief}, value {value:+.6f}",
        f"{exploitability:9.2e}  {value:+.6f}",
        brief,
        # From 1 to the full bar on a logarithmic scale.
        max(0.0, -math.log10(distance)) / _DECADES,
        {
            "iterations": iterations,
            "value": round(value, _DIGITS),
            "exploitability": round(exploitability, _DIGITS),
        },
    )


class CfrRun(TrainingRun):
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
        super().__init__(stage_of(game), settings, path)
        self._tree = tree_of(self.game)
        self._learner = Cfr(self._tree, settings)
        self._longest_block = max(1, _NODES // len(self._tree.nodes))
        self.needs = f"{self.game.info.name}: {self._tree.size}"

    @property
    def done(self) -> int:
        return self._learner.iterations

    @property
    def curve(self) -> Curve:
        heading = f"{'exploitability':<{BAR + 10}}  value of the first seat"
        return Curve(self.unit, heading, self.points)

    def strategy(self) -> Strategy:
        """The average strategy so far, with its command and quality."""
        average = self._learner.average()
        measured = quality(self._tree, average)
        # For an interrupted run, the actual number of iterations reproduces the file.
        settings = dataclasses.replace(self.settings, iterations=self.done or self.total)
        return Strategy.of(
            self.game,
            self._tree.named(average),
            command=training_command(self.game, settings),
            iterations=self.done,
            value=round(measured.value, _DIGITS),
            exploitability=round(measured.exploitability, _DIGITS),
            curve=self.curve_data,
        )

    def text(self) -> str:
        return self.strategy().to_text()

    def facts(self) -> list[str]:
        """The strategy, one line per information set unless they are many, and the command."""
        strategy = self.strategy()
        rows = [f"  {name:<14} {text}" for name, text in strategy.rows()[:_MOST_ROWS]]
        if len(strategy.table) > _MOST_ROWS:
            rows.append(f"  and {len(strategy.table) - _MOST_ROWS} more, in the file")
        return ["strategy:", *rows, f"made by: {strategy.about['command']}"]

    def details(self) -> dict[str, Any]:
        return {**super().details(), "strategy": self.strategy().table}

    def block(self) -> None:
        due = next_point(self.done, self.total)
        self._learner.run(min(due - self.done, self._longest_block))

    def measure(self) -> Point | None:
        if self.done != next_point(self.done - 1, self.total):
            return None
        measured = quality(self._tree, self._learner.average())
        return strategy_point(self.done, measured.value, measured.exploitability)


def next_point(done: int, total: int) -> int:
    """The next measurement: after 1, 2, 5, 10, 20, 50 ... iterations, and at the end."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power > done:
                return min(digit * power, total)
        power *= 10
