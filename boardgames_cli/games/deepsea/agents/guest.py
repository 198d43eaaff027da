"""Policies that were written for the environment in which this game was first published.

Such a class has the methods ``forward``, ``pick`` and ``drop``, each with one argument: the list of
83 numbers that `encode.DeepSeaVector` describes. Needs numpy (the extra ``numpy``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.agents.guest_class import (
    Maker,
    how_to_write,
    load_class,
    maker_of,
    read_arguments,
)
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import AnyGame, Game, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea.actions import DeepSeaChoice
from boardgames_cli.games.deepsea.agents.policies import Policy
from boardgames_cli.games.deepsea.encode import DeepSeaVector
from boardgames_cli.games.deepsea.state import DeepSeaState, Seen

METHODS: Final = ("forward", "pick", "drop")


@dataclass
class GuestPolicy(Policy):
    """A diver whose class was written for the original environment.

    A new instance is created for each game, with the given arguments.
    """

    policy: str = option("", "its module and class, as MODULE:CLASS")
    arguments: str = option("", "arguments of the class, written policy[KEY=VALUE]:...")
    _make: Maker | None = field(default=None, init=False, repr=False, compare=False)
    _guest: Any = field(default=None, init=False, repr=False, compare=False)
    _encoder: Any = field(default=None, init=False, repr=False, compare=False)
    _vector: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.policy:
            kind = load_class(self.policy, "policy", METHODS)
            self._make = maker_of(kind, read_arguments(self.arguments))

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure, if a class is given."""
        if self._make is None:
            return f"it must know which class plays. {how_to_write('policy')}"
        return super().supports(game)

    def reset(self, game: Game[DeepSeaState, DeepSeaChoice, Any], seat: Seat) -> None:
        """Start a game with a new instance of the class."""
        assert self._make is not None, "supports() refuses to play without a class"
        super().reset(game, seat)
        self._guest, self._encoder = self._make(), DeepSeaVector(self._game)

    def act(self, seen: Seen, thinking: Thinking) -> DeepSeaChoice:
        """The class's answer to the original's state.

        Raises:
            AgentError: Its answer is not 0 or 1.
        """
        self._vector = self._encoder.encode(seen)["vector"].tolist()
        return super().act(seen, thinking)

    def returns(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether it does not go forward."""
        return not self._ask("forward")

    def takes(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether it picks the chip up."""
        return self._ask("pick")

    def drops(self, state: DeepSeaState, seat: Seat) -> bool:
        """Whether it drops its lowest chip."""
        return self._ask("drop")

    def _ask(self, method: str) -> bool:
        answer = getattr(self._guest, method)(list(self._vector))
        try:
            return bool((0, 1).index(answer))
        except (ValueError, TypeError):
            raise AgentError(
                f'agent "{self.policy}" answered {str(answer)[:40]} to {method}.', "It is 0 or 1."
            ) from None
