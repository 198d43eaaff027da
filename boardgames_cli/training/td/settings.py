"""The settings of TD(lambda): every choice, with its default and its limits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class TdSettings:
    """The settings of one training; training repeats itself exactly if they are equal."""

    games: int = option(40_000, "games of self-play for each rule set", low=1, high=100_000_000)
    seed: int = option(1, "everything random derives from it", low=0)
    first_rate: float = option(0.05, "learning rate of the first game", low=1e-6, high=1.0)
    last_rate: float = option(0.002, "learning rate of the last game", low=1e-6, high=1.0)
    trace_decay: float = option(
        0.8, "TD's lambda: the weight of the result against the values on the way to it",
        low=0.0, high=1.0,
    )  # fmt: skip
    random_starts: float = option(
        0.5, "share of games that start from a random position", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        check_options(self)

    def rate_at(self, game: int) -> float:
        """The learning rate of a game, by its number from 0: it falls by a constant factor."""
        done = game / self.games
        return self.first_rate * math.pow(self.last_rate / self.first_rate, done)

    def command(self, game: str) -> str:
        """The command line that trains with these settings."""
        words = [
            f"--{name.replace('_', '-')} {value}" for name, value in option_values(self).items()
        ]
        return " ".join(["boardgames train", game, *words])
