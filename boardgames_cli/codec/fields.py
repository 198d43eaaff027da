"""Codecs that a state names in its annotations: how single values are written as JSON.

``player: Annotated[int, Whole(0, 1)]`` says that a field is written as a whole number within
bounds. Every game imports this module, so it is kept small; `derived` combines the codecs.
"""

from __future__ import annotations

import json
import math
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from boardgames_cli.core.errors import PositionError

T = TypeVar("T")


class Codec(ABC, Generic[T]):
    """Writes one kind of value as JSON and reads it back."""

    def write(self, value: T) -> Any:
        """The value as JSON, by default as it is. Redacted states are written as well."""
        return value

    @abstractmethod
    def read(self, data: Any, field: str) -> T:
        """The value that any JSON value stands for; messages name its path, as ``hands[0]``.

        Raises:
            PositionError: The JSON value is not valid; the message names the field.
        """


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a field in JSON, if it is not the field's own name."""

    name: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """Says that not every viewer may know a value; redacted states have a mark in its place.

    ``dice: tuple[Annotated[int, Whole(1, 6), Hidden(0)], ...]`` has 0 for a hidden die, and ``?``
    in JSON. Only what a seat sees is read back with such values, no position to go on from.
    `codec.derived.redacted` hides them.
    """

    mark: Any = None


@dataclass(frozen=True, slots=True)
class Whole(Codec[int]):
    """A whole number within inclusive bounds; None means no bound."""

    low: int | None = None
    high: int | None = None

    def read(self, data: Any, field: str) -> int:
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
                return f"a whole number, {low} or more"
            case None, int(high):
                return f"a whole number, {high} or less"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Longest:
    """The maximum length of a tuple of variable length, for the encoder derived from a state.

    ``moves: Annotated[tuple[Column, ...], Longest(42)]``
    """

    length: int


class Truth(Codec[bool]):
    """True or false."""

    def read(self, data: Any, field: str) -> bool:
        return bool(checked(isinstance(data, bool), data, field, "true or false"))


class Text(Codec[str]):
    """A string."""

    def read(self, data: Any, field: str) -> str:
        return str(checked(isinstance(data, str), data, field, "a text"))


class Real(Codec[float]):
    """A finite number; a whole one stays an int."""

    def read(self, data: Any, field: str) -> float:
        number: float = checked(is_number(data), data, field, "a number")
        return number


class Entries(Codec[Mapping[str, Any]]):
    """An object with entries of any kind."""

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return dict(value)

    def read(self, data: Any, field: str) -> Mapping[str, Any]:
        entries: Mapping[str, Any] = checked(isinstance(data, Mapping), data, field, "an object")
        return entries


def checked(fits: bool, data: Any, field: str, expected: str) -> Any:
    """A JSON value that fits.

    Raises:
        PositionError: It does not; the message names the field, and what is expected.
    """
    if not fits:
        raise PositionError(f"{field} is {reprlib.repr(data)}.", f"It is {expected}.")
    return data


def check_fields(
    data: Mapping[str, Any],
    required: Collection[str],
    optional: Collection[str] = (),
    *,
    expected: str,
) -> None:
    """Refuse a position with unknown or missing fields, or with values that JSON can't represent.

    Afterwards every value can be compared and quoted in a message. What is expected, such as a list
    of the fields, says what to do.

    Raises:
        PositionError: There is such a field or value.
    """
    if not isinstance(data, Mapping):
        raise PositionError("the position is not a JSON object.", expected)
    try:
        json.dumps(dict(data), allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise PositionError(f"the position is not JSON ({error}).", expected) from None
    for key in data:
        if key not in required and key not in optional:
            raise PositionError(f'the position has an unknown field "{key}".', expected)
    for key in required:
        if key not in data:
            raise PositionError(f'the position lacks the field "{key}".', expected)


def is_whole(value: Any) -> bool:
    """Whether a JSON value is an integer; a bool, which is an int in Python, is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number; it may still be too large for a float."""
    return is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def read_list(data: Any, field: str) -> Sequence[Any]:
    """A JSON list.

    Raises:
        PositionError: The value is not a list.
    """
    if not isinstance(data, list | tuple):
        raise PositionError(f"{field} is not a list: {reprlib.repr(data)}.")
    return data
