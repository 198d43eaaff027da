"""Training of networks: the settings, and what a game provides to train its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from boardgames_cli.algorithms.side_network import SideNetwork
from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class NetworkSettings:
    """The settings of a training run; equal settings give equal results on one machine."""

    rounds: int = option(
        700, "rounds of playing games and learning from them, for each rule set",
        low=1, high=1_000_000,
    )  # fmt: skip
    positions: int = option(20_480, "positions to learn from per round", low=256, high=1_000_000)
    passes: int = option(2, "passes over the positions of a round", low=1, high=100)
    seed: int = option(1, "seed of all random numbers", low=0)
    hidden: int = option(64, "hidden units", low=1, high=1024)
    first_step: float = option(0.002, "Adam's learning rate in the first round", low=1e-7, high=1.0)
    last_step: float = option(0.00005, "Adam's learning rate in the last round", low=1e-7, high=1.0)
    first_trace: float = option(
        0.9, "TD's lambda in the first round: the weight of the game's result", low=0.0, high=1.0
    )
    last_trace: float = option(
        0.5, "TD's lambda from the middle of the training on", low=0.0, high=1.0
    )
    random_starts: float = option(
        0.5, "share of games that start from a random position", low=0.0, high=1.0
    )
    wrong_moves: float = option(
        0.4, "share of the other games in which a side errs", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        check_options(self)

    def step_at(self, round: int) -> float:
        """Adam's learning rate in a round (counted from 0); it decays exponentially."""
        return self.first_step * math.pow(self.last_step / self.first_step, round / self.rounds)

    def trace_at(self, round: int) -> float:
        """TD's lambda in a round; it falls linearly until the middle of the training."""
        done = min(1.0, 2 * round / self.rounds)
        return self.first_trace + done * (self.last_trace - self.first_trace)

    def command(self, game: str) -> str:
        """The command line that repeats this training."""
        words = [
            f"--{name.replace('_', '-')} {value}" for name, value in option_values(self).items()
        ]
        return " ".join(["boardgames train", game, *words])


class NetworkLearner(Protocol):
    """Trains the network of one variant; a game names its own (`NetworkGame.learner`)."""

    @property
    def done(self) -> int:
        """The number of rounds done."""
        ...

    def run(self) -> None:
        """Do one round: play games, and learn from their positions."""
        ...

    def network(self) -> SideNetwork:
        """The current network."""
        ...

    def rivals(self) -> Sequence[str]:
        """The opponents it can be measured against; the first plays at random."""
        ...

    def count_wins(self, rival: str, games: int) -> int:
        """Play games with one-ply search against one of `rivals`, the same games each time.

        Returns:
            The number of games that the network won.
        """
        ...

    def snapshot(self) -> dict[str, Any]:
        """The state of the training as JSON values, to resume later."""
        ...

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Resume from a snapshot.

        Raises:
            ValueError, KeyError, TypeError: The snapshot is damaged.
        """
        ...


MakeLearner: TypeAlias = Callable[[str, NetworkSettings], NetworkLearner]
"""``make(variant, settings)``"""
