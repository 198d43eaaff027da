"""The settings of counterfactual regret minimisation."""

from __future__ import annotations

from dataclasses import dataclass

from boardgames_cli.core.options import check_options, option, option_values


@dataclass(frozen=True)
class CfrSettings:
    """The settings of a training run; it is deterministic."""

    iterations: int = option(10_000, "traversals of the game tree", low=1, high=100_000_000)
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
        """The command line that repeats this training."""
        words = [f"--{name} {value}" for name, value in option_values(self).items()]
        return " ".join(["boardgames train", game, *words])
