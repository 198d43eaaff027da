"""Encoding observations as arrays for learning programs.

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
    """The lower bound of its numbers."""
    high: float
    """The upper bound of its numbers."""
    axes: tuple[str, ...]
    """The name of each axis, such as ``("side", "house")``."""
    meaning: str
    """What the numbers mean, in one or two sentences for the documentation."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Encoder(ABC, Generic[G, S, A]):
    """Encodes observations of one game with given options as arrays.

    It reads observations and never a state, so an array can't reveal more than its seat may know.
    The fields depend on the options alone: every observation of a game has the same shapes.
    """

    game: G
    """The rulebook."""

    is_complete: ClassVar[bool] = True
    """Whether different observations always give different arrays; False for encodings that leave
    something out, as published ones may."""

    @property
    @abstractmethod
    def fields(self) -> tuple[ArrayField, ...]:
        """The arrays that `encode` returns, in this order."""

    @abstractmethod
    def encode(self, seen: Observation[S, A]) -> Arrays:
        """Encode an observation as one array for each field.

        Args:
            seen: The observation of a seat, to act or not, or of a spectator.

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

        # Setting single flags is faster in a bytearray than in an array.
        flags = bytearray(self.game.action_count)
        if not flags:
            return np.zeros(0, dtype=np.bool_)
        for action in seen.legal:
            flags[self.game.action_id(seen.state, action)] = 1
        return np.frombuffer(flags, dtype=np.bool_)


AnyEncoder: TypeAlias = Encoder[Any, Any, Any]
"""An encoder of any game."""
