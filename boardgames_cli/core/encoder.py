"""How an observation becomes arrays for programs that learn.

numpy is imported when an encoder is used (the extra ``numpy``), never when a game is loaded.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

from boardgames_cli.core.game import A, Observation, S
from boardgames_cli.core.view import G

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"
"""An array for each field, by its name."""


@dataclass(frozen=True, slots=True)
class ArrayField:
    """One array of an encoding."""

    name: str
    shape: tuple[int, ...]
    """The length of each axis; ``()`` is a single number."""
    dtype: str
    """The type of its numbers as numpy names it, such as ``int8``."""
    low: float
    """No number in it is less."""
    high: float
    """No number in it is greater."""
    axes: tuple[str, ...]
    """What each axis counts, such as ``("side", "house")``."""
    meaning: str
    """What the numbers mean, in a sentence or two for the documentation."""

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Encoder(ABC, Generic[G, S, A]):
    """Turns what a seat sees in one game, with its options, into arrays.

    It reads observations and never a state, so an array can't tell more than its seat may know.
    The fields depend on the options alone: every observation of a game has the same shapes.
    """

    game: G
    """The rulebook."""

    is_complete: ClassVar[bool] = True
    """Whether a seat gets different arrays whenever it sees different states; an encoding that
    leaves something out, as published ones may, says False."""

    @property
    @abstractmethod
    def fields(self) -> tuple[ArrayField, ...]:
        """The arrays that `encode` returns, in this order."""

    @abstractmethod
    def encode(self, seen: Observation[S, A]) -> Arrays:
        """What is seen, as one array for each field.

        Args:
            seen: The observation of a seat, whether it is to act or not, or of a spectator.

        Returns:
            New arrays with the names, shapes, types and bounds of `fields`.
        """

    def flat(self, seen: Observation[S, A]) -> npt.NDArray[np.float32]:
        """All fields of `encode` in one vector, in their order.

        Returns:
            An array of shape [sum of the sizes of all fields] and type float32.
        """
        import numpy as np

        arrays = self.encode(seen)
        parts = [arrays[field.name].reshape(-1) for field in self.fields]
        return np.concatenate(parts, dtype=np.float32, casting="unsafe")

    def mask(self, seen: Observation[S, A]) -> npt.NDArray[np.bool_]:
        """Which action ids are legal for the seat that sees this.

        Returns:
            An array of shape [game.action_count] and type bool, all False while it is not its turn;
            empty for a game whose actions have no ids.
        """
        import numpy as np

        # Single flags are set faster in bytes than in an array.
        flags = bytearray(self.game.action_count)
        if not flags:
            return np.zeros(0, dtype=np.bool_)
        for action in seen.legal:
            flags[self.game.action_id(seen.state, action)] = 1
        return np.frombuffer(flags, dtype=np.bool_)


AnyEncoder: TypeAlias = Encoder[Any, Any, Any]
"""An encoder of any game."""
