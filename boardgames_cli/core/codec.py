"""The parts of a codec that a state names in its annotations: how single values are JSON.

``player: Annotated[int, Whole(0, 1)]`` says that a field is written as a whole number within
bounds. Imported by every game, so it is kept small; `derived_codec` puts the parts together.
"""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.position import is_whole

T = TypeVar("T")


class Codec(ABC, Generic[T]):
    """How one kind of value is written as JSON and read back."""

    @abstractmethod
    def write(self, value: T) -> Any:
        """The value as JSON; a state that is redacted is written too."""

    @abstractmethod
    def read(self, data: Any, field: str) -> T:
        """The value that JSON stands for.

        Args:
            data: What stands there; anything that JSON can hold.
            field: Where it stands, such as ``hands[0]``, for messages.

        Raises:
            PositionError: It is no such value; the message names the field.
        """


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a field in JSON, if it is not the field's own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Whole(Codec[int]):
    """A whole number between two others, these included; None is no bound."""

    low: int | None = None
    high: int | None = None

    def write(self, value: int) -> int:
        """The number."""
        return value

    def read(self, data: Any, field: str) -> int:
        """The number, if it is whole and within the bounds."""
        low = data if self.low is None else self.low
        high = data if self.high is None else self.high
        if not is_whole(data) or not low <= data <= high:
            raise PositionError(f"{field} is {reprlib.repr(data)}.", f"It is {self._expected}.")
        number: int = data
        return number

    @property
    def _expected(self) -> str:
        match self.low, self.high:
            case None, None:
                return "a whole number"
            case int(low), None:
                return f"a whole number from {low} on"
            case None, int(high):
                return f"a whole number up to {high}"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Longest:
    """The most values that a tuple of any length can have, for the encoder derived from a state.

    ``moves: Annotated[tuple[Column, ...], Longest(42)]``
    """

    length: int


class Truth(Codec[bool]):
    """True or false."""

    def write(self, value: bool) -> bool:
        """The value itself."""
        return value

    def read(self, data: Any, field: str) -> bool:
        """The value, if it is true or false and no number."""
        if not isinstance(data, bool):
            raise PositionError(f"{field} is {reprlib.repr(data)}.", "It is true or false.")
        return data


class Text(Codec[str]):
    """A text."""

    def write(self, value: str) -> str:
        """The text itself."""
        return value

    def read(self, data: Any, field: str) -> str:
        """The text."""
        if not isinstance(data, str):
            raise PositionError(f"{field} is {reprlib.repr(data)}.", "It is a text.")
        return data


def read_list(data: Any, field: str) -> Sequence[Any]:
    """A JSON list.

    Raises:
        PositionError: It is none.
    """
    if not isinstance(data, list | tuple):
        raise PositionError(f"{field} is not a list: {reprlib.repr(data)}.")
    return data
