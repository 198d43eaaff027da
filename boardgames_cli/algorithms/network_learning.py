"""How networks are learned: the settings, and what a game brings to learn its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from boardgames_cli.algorithms.side_network import SideNetwork
from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class NetworkSettings:
    """The settings of one training; training repeats itself on one machine if they are equal."""

    rounds: int = option(
        700, "times that it plays games and learns from them, for each rule set",
        low=1, high=1_000_000,
    )  # fmt: skip
    positions: int = option(
        20_480, "positions that it learns from in a round", low=256, high=1_000_000
    )
    passes: int = option(2, "times that each position is learned from", low=1, high=100)
    seed: int = option(1, "everything random derives from it", low=0)
    hidden: int = option(64, "hidden units", low=1, high=1024)
    first_step: float = option(0.002, "how far Adam goes in the first round", low=1e-7, high=1.0)
    last_step: float = option(0.00005, "how far it goes in the last round", low=1e-7, high=1.0)
    first_trace: float = option(
        0.9, "TD's lambda in the first round: the weight of what came of a game", low=0.0, high=1.0
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
        """How far Adam goes in a round, by its number from 0: it falls by a constant factor."""
        return self.first_step * math.pow(self.last_step / self.first_step, round / self.rounds)

    def trace_at(self, round: int) -> float:
        """TD's lambda in a round: it falls evenly until the middle of the training."""
        done = min(1.0, 2 * round / self.rounds)
        return self.first_trace + done * (self.last_trace - self.first_trace)

    def command(self, game: str) -> str:
        """The command line that trains with these settings."""
        words = [
            f"--{name.replace('_', '-')} {value}" for name, value in option_values(self).items()
        ]
        return " ".join(["boardgames train", game, *words])


class NetworkLearner(Protocol):
    """What learns the network of one variant; a game names its own (`NetworkGame.learner`)."""

    @property
    def done(self) -> int:
        """Rounds done so far."""
        ...

    def run(self) -> None:
        """One round: play games, and learn from their positions."""
        ...

    def network(self) -> SideNetwork:
        """The network as it is now."""
        ...

    def rivals(self) -> Sequence[str]:
        """Who it can be measured against; the first takes any move."""
        ...

    def count_wins(self, rival: str, games: int) -> int:
        """Play games one move ahead against one of `rivals`, the same each time.

        Returns:
            How many the network won.
        """
        ...

    def snapshot(self) -> dict[str, Any]:
        """All that is needed to go on later, as JSON values."""
        ...

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on where a snapshot was made.

        Raises:
            ValueError, KeyError, TypeError: It is damaged.
        """
        ...


MakeLearner: TypeAlias = Callable[[str, NetworkSettings], NetworkLearner]
"""``make(variant, settings)``"""
