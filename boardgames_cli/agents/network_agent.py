"""A tree search guided by a network that has learned a game by self-play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boardgames_cli.agents.mcts import Mcts
from boardgames_cli.algorithms.tree_search import Leaves
from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.game import A, AnyGame, Game, S, Seat, Traits
from boardgames_cli.core.options import option
from boardgames_cli.registry import file_of

if TYPE_CHECKING:
    from boardgames_cli.algorithms.networks.policy_value_network import (
        NetworkLeaves,
        PolicyValueModel,
    )


@dataclass
class NetworkAgent(Mcts[S, A]):
    """Searches where the policy of a network points, and values leaves by it (PUCT).

    The sources are in `algorithms.networks.policy_value_network`.
    """

    file: str = option("", "the network's file, which boardgames train --method network makes")
    simulations: int = option(
        400, "positions valued for a decision, if the time suffices", low=1, high=100_000_000
    )
    # Nothing is played on.
    rollout: str = field(init=False, repr=False, default="random")
    depth: int = field(init=False, repr=False, default=0)

    # The options of an agent are found by its annotations, which must need no import.
    _model: Any = field(init=False, repr=False, compare=False, default=None)
    _leaves: Any = field(init=False, repr=False, compare=False)

    @property
    def leaves(self) -> Leaves:
        leaves: Leaves = self._leaves
        return leaves

    @property
    def is_multi(self) -> bool:
        """Whether every seat has a tree of its own, as is needed where something is hidden."""
        return Traits.HIDDEN in self._game.traits

    def supports(self, game: AnyGame) -> str | None:
        """A game for which the file was made.

        Raises:
            LearnedFileError: The file can't be read.
        """
        if not self.file:
            return (
                "it needs a file (network:file=PATH), which boardgames train "
                f"{game.info.id} --method network makes"
            )
        return self._read(game).fits(game)

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        super().reset(game, seat)
        self._leaves = self.load(game)

    def load(self, game: AnyGame) -> NetworkLeaves:
        """The network in the file.

        Raises:
            LearnedFileError: It can't be read, or was made for another game.
        """
        model = self._read(game)
        from boardgames_cli.algorithms.networks.policy_value_network import NetworkLeaves

        return NetworkLeaves(game, *model.load(game))

    def _read(self, game: AnyGame) -> PolicyValueModel:
        if self._model is None:
            try:  # imported late, with numpy: lists of agents read no file
                from boardgames_cli.algorithms.networks import policy_value_network
            except ModuleNotFoundError as error:
                raise MissingPackageError("networks", error.name or "numpy", "numpy") from error

            self._model = policy_value_network.read_policy_value(file_of(game, self.file))
        model: PolicyValueModel = self._model
        return model

    def facts(self) -> list[tuple[str, str]]:
        model = self._read(self._game)
        facts = [
            ("game", f"{model.game}, rules version {model.rules_version}"),
            ("size", f"two layers of {model.hidden} units"),
        ]
        command = model.about.get("command")
        return [*facts, ("made by", command)] if isinstance(command, str) else facts
