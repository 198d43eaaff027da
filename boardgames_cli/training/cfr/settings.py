"""How a strategy is trained by counterfactual regret minimisation: every choice, with limits."""

from __future__ import annotations

from dataclasses import dataclass

from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class CfrSettings:
    """The settings of one training; there is no chance in it, so equal settings repeat it."""

    iterations: int = option(10_000, "walks over the game's tree", low=1, high=100_000_000)
    variant: str = option(
        "cfr+", "cfr: the first published form; cfr+: forgets negative regrets, much faster",
        choices=("cfr", "cfr+"),
    )  # fmt: skip
    averaging: str = option(
        "linear", "uniform: all iterations count alike in the average; linear: later ones more",
        choices=("uniform", "linear"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)

    def command(self, game: str) -> str:
        """The command line that trains with these settings."""
        words = [f"--{name} {value}" for name, value in option_values(self).items()]
        return " ".join(["boardgames train", game, *words])
