"""The settings of TD(lambda)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class TdSettings:
    """The settings of a training run; equal settings give exactly equal results."""

    games: int = option(40_000, "games of self-play for each rule set", low=1, high=100_000_000)
    seed: int = option(1, "seed of all random numbers", low=0)
    first_rate: float = option(0.05, "learning rate of the first game", low=1e-6, high=1.0)
    last_rate: float = option(0.002, "learning rate of the last game", low=1e-6, high=1.0)
    trace_decay: float = option(
        0.8, "TD's lambda: the weight of the result relative to later values",
        low=0.0, high=1.0,
    )  # fmt: skip
    random_starts: float = option(
        0.5, "share of games that start from a random position", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        check_options(self)

    def rate_at(self, game: int) -> float:
        """The learning rate of a game (counted from 0); it decays exponentially."""
        done = game / self.games
        return self.first_rate * math.pow(self.last_rate / self.first_rate, done)

    def command(self, game: str) -> str:
        """The command line that trains with these settings."""
        words = [
            f"--{name.replace('_', '-')} {value}" for name, value in option_values(self).items()
        ]
        return " ".join(["boardgames train", game, *words])
