"""The settings of Q-learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.options import check_options, option, option_values

OPPONENTS: Final = ("self", "random", "perfect", "mixed")


@dataclass(frozen=True)
class QSettings:
    """The settings of Q-learning; equal settings give exactly equal results."""

    episodes: int = option(50_000, "games to learn from", low=1)
    opponent: str = option(
        "self", "the opponent: self, random, perfect, mixed, or several separated by commas, "
        "one after the other for equal shares of the games",
    )  # fmt: skip
    seed: int = option(1, "seed of all random numbers", low=0)
    rate: float = option(
        0.5, "learning rate: how far a value moves toward a new estimate", low=1e-6, high=1.0
    )
    rate_decay: float = option(
        0.0, "the rate falls with the visits v of an action: rate / (1 + decay * v); 0 keeps it",
        low=0.0,
    )  # fmt: skip
    discount: float = option(
        0.95, "discount per ply, so that quick wins beat slow ones", low=0.0, high=1.0
    )
    epsilon: float = option(
        1.0, "share of moves tried at random in the first game", low=0.0, high=1.0
    )
    epsilon_end: float = option(
        0.1, "share of moves tried at random in the last game", low=0.0, high=1.0
    )
    optimism: float = option(
        0.0, "initial value of untried moves; above 0 they are tried sooner", low=-1.0, high=1.0
    )
    longest: int = option(
        200, "plies after which a game is truncated without a reward", low=1, high=100_000
    )
    share: bool = option(True, "learn mirror images of a position together")

    def __post_init__(self) -> None:
        check_options(self)
        for name in self.opponents:
            if name not in OPPONENTS:
                raise OptionError(
                    f'opponent can\'t be "{self.opponent}".',
                    f"Allowed: {', '.join(OPPONENTS)}, or several separated by commas.",
                )

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents in their order."""
        return tuple(name.strip() for name in self.opponent.split(","))

    def opponent_at(self, episode: int) -> str:
        """The opponent of a game, by its number from 0."""
        count = len(self.opponents)
        return self.opponents[min(episode * count // self.episodes, count - 1)]

    def epsilon_at(self, episode: int) -> float:
        """The share of random moves in a game; it decreases linearly."""
        # Plain arithmetic only: powers may round differently on other machines.
        return self.epsilon + (self.epsilon_end - self.epsilon) * (episode / self.episodes)

    def command(self, game: str) -> str:
        """The command line that trains with these settings."""
        words = [f"boardgames train {game}"]
        for name, value in option_values(self).items():
            flag = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{flag}" if value else f"--no-{flag}")
            else:
                words.append(f"--{flag} {value}")
        return " ".join(words)
