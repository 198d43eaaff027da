"""Encoding observations as arrays for learning programs.

numpy is imported when an encoder is used (the extra ``numpy``), never when a game is loaded.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NoReturn,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from boardgames_cli.codec.derived import Items, field_names, type_if_given
from boardgames_cli.codec.fields import Longest, Whole
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import A, AnyGame, Observation, S, Traits
from boardgames_cli.core.presentation.view import G

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
    high: float
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

    is_complete: ClassVar[bool] = True
    """Whether different observations give different arrays, unlike in some published encodings."""
    version: ClassVar[int] = 1
    """Increased when equal fields mean something else: networks of another version are refused."""

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
        """All fields of `encode` in one vector of float32, in their order."""
        import numpy as np

        arrays = self.encode(seen)
        parts = [arrays[field.name].reshape(-1) for field in self.fields]
        return np.concatenate(parts, dtype=np.float32, casting="unsafe")

    def mask(self, seen: Observation[S, A]) -> npt.NDArray[np.bool_]:
        """Which of the `Game.action_count` action ids are legal for the seat that sees this.

        All are False while it is not its turn.
        """
        import numpy as np

        # Setting single flags is faster in a bytearray than in an array.
        flags = bytearray(self.game.action_count)
        if not flags:
            return np.zeros(0, dtype=np.bool_)
        for action in seen.legal:
            flags[self.game.action_id(seen.state, action)] = 1
        return np.frombuffer(flags, dtype=np.bool_)


class RowEncoder(Encoder[G, S, A]):
    """An encoder that writes all fields into one vector, which saves most of the time.

    Implement `row` instead of `encode`.
    """

    @abstractmethod
    def row(self, seen: Observation[S, A], dtype: str) -> npt.NDArray[Any]:
        """All fields in their order as one new vector of a type that is wide enough for each."""

    def encode(self, seen: Observation[S, A]) -> Arrays:
        return split_row(self.fields, self.row(seen, widest(self.fields)))

    def flat(self, seen: Observation[S, A]) -> npt.NDArray[np.float32]:
        return self.row(seen, "float32")


def widest(fields: Sequence[ArrayField]) -> str:
    """The widest type of some fields with whole numbers, which holds those of all."""
    return max((field.dtype for field in fields), key=lambda dtype: int(dtype.lstrip("int")))


def split_row(fields: Sequence[ArrayField], row: npt.NDArray[Any]) -> Arrays:
    """Cut the last axis of an array into that of each field, which may be a view of the row.

    Other axes, such as that of boards, stay.
    """
    arrays, start = {}, 0
    for field in fields:
        part = row[..., start : start + field.size].reshape(row.shape[:-1] + field.shape)
        arrays[field.name] = part.astype(field.dtype, copy=False)
        start += field.size
    return arrays


AnyEncoder: TypeAlias = Encoder[Any, Any, Any]


VIEWER: Final = "viewer_seat"
TO_ACT: Final = "seats_to_act"

_UNBOUNDED: Final = (-(2**63), 2**63 - 1)
_TODO: Final = "Write an Encoder for this game and name it in its GameSpec."


@dataclass(frozen=True)
class DerivedEncoder(Encoder[AnyGame, Any, Any]):
    """The fields of a state as arrays, plus the viewer's seat and the seats to act.

    Fields excluded from equality (``compare=False``) are left out.

    Raises:
        GameError: The type of a field can't be written as an array; the message names it.
    """

    def __post_init__(self) -> None:
        names = [field.name for field in self._fields]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise GameError(f'two arrays of the derived encoder are called "{twice}".', _TODO)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)

    @functools.cached_property
    def _layout(self) -> _Layout:
        start = self.game.initial_state()
        source = _Source("", (start,), is_hidden=Traits.HIDDEN in self.game.traits)
        return _derive(type(start), source, ())

    @functools.cached_property
    def _fields(self) -> tuple[ArrayField, ...]:
        seats, layout = (self.game.seats,), self._layout
        return (
            ArrayField(VIEWER, seats, "int8", 0, 1, ("seat",), "1 for the viewer's seat"),
            ArrayField(TO_ACT, seats, "int8", 0, 1, ("seat",), "1 for each seat that is to act"),
            *layout.fields,
        )

    @property
    def fields(self) -> tuple[ArrayField, ...]:
        """The viewer's seat, the seats to act, then the fields of the state in order."""
        return self._fields

    def encode(self, seen: Observation[Any, Any]) -> Arrays:
        """One array for each field.

        Raises:
            GameError: The state holds a value that its type or the initial state rules out.
        """
        import numpy as np

        arrays = {field.name: np.zeros(field.shape, field.dtype) for field in self.fields}
        if seen.seat is not None:
            arrays[VIEWER][seen.seat] = 1
        for seat in self.game.to_act(seen.state):
            if seat >= 0:
                arrays[TO_ACT][seat] = 1
        self._layout.fill(arrays, (), seen.state)
        return arrays


Fill: TypeAlias = Callable[[Arrays, tuple[int, ...], Any], None]
"""Writes a value into arrays that are still 0, at an index: a number for each enclosing tuple."""


class _Layout(NamedTuple):
    fields: list[ArrayField]
    fill: Fill
    fill_row: Fill | None = None
    """For numbers, how a whole tuple of them is written at once."""


@dataclass(frozen=True, slots=True)
class _Source:
    path: str
    start_values: tuple[Any, ...]
    """The values in the initial state; several inside a tuple."""
    is_hidden: bool
    """Whether a redacted state may hold numbers beyond the bounds of its type."""
    lengths: tuple[int, ...] = ()
    has_gaps: bool = False
    """Whether it may be missing; it is then encoded as 0."""
    level: int = 1
    """The depth in nested tuples of this path; the tuple itself has 1."""

    def inside(self, name: str, values: Sequence[Any]) -> _Source:
        path = "_".join(filter(None, (self.path, name)))
        return dataclasses.replace(self, path=path, start_values=tuple(values), level=1)

    def items(self, length: int, *, has_gaps: bool) -> _Source:
        return dataclasses.replace(
            self,
            start_values=tuple(item for value in self.start_values for item in value),
            lengths=(*self.lengths, length),
            has_gaps=has_gaps or self.has_gaps,
            level=self.level + 1,
        )

    def field(
        self, suffix: str, low: int, high: int, meaning: str, more: Sequence[int] = ()
    ) -> ArrayField:
        bits = next(bits for bits in (8, 16, 32, 64) if max(-1 - low, high) < 2 ** (bits - 1))
        axes = [f"place in {self.path}", *(f"inner place {n}" for n in range(2, 9))]
        names = (*axes[: len(self.lengths)], *("choice" for _ in more))
        name, shape = self.path + suffix, (*self.lengths, *more)
        return ArrayField(name, shape, f"int{bits}", low, high, names, meaning)

    def beside(self, suffix: str, high: int, meaning: str) -> ArrayField:
        return self.field(suffix if self.level == 1 else f"{suffix}_{self.level}", 0, high, meaning)

    def refuse(self, reason: str) -> NoReturn:
        raise GameError(f'the field "{self.path}" of the state {reason}.', _TODO)


def _derive(hint: Any, source: _Source, notes: tuple[Any, ...]) -> _Layout:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _derive(inner[0], source, (*notes, *inner[1:]))
    given = type_if_given(hint)
    if given is not None:
        return _optional(given, source, notes)
    if origin is tuple:
        return _tuple(inner, source, notes)
    if hint is bytes:
        return _tuple((Annotated[int, Whole(0, 255)], ...), source, notes)
    if origin is Literal or (isinstance(hint, type) and issubclass(hint, Enum)):
        return _choice(inner or tuple(hint), source)
    if hint is bool:
        return _number(0, 1, f"1 if {source.path}", source)
    if hint is int:
        return _whole(source, notes)
    names = field_names(hint)
    if not names:
        source.refuse(f"is of a type that no array is derived from: {hint}")
    hints = get_type_hints(hint, include_extras=True)
    starts = {name: [getattr(value, name) for value in source.start_values] for name in names}
    parts = [_derive(hints[name], source.inside(name, starts[name]), ()) for name in names]
    return _together(parts, lambda value: [getattr(value, name) for name in names])


def _together(parts: Sequence[_Layout], split: Callable[[Any], Iterable[Any]]) -> _Layout:
    def fill(arrays: Arrays, at: tuple[int, ...], value: Any) -> None:
        for part, inner in zip(parts, split(value), strict=True):
            part.fill(arrays, at, inner)

    return _Layout([field for part in parts for field in part.fields], fill)


def _whole(source: _Source, notes: tuple[Any, ...]) -> _Layout:
    bounds = next((note for note in notes if isinstance(note, Whole)), Whole())
    low, high = _UNBOUNDED
    if not source.is_hidden:
        low = low if bounds.low is None else bounds.low
        high = high if bounds.high is None else bounds.high
    if source.has_gaps:
        low, high = min(low, 0), max(high, 0)
    return _number(low, high, f"{source.path or 'the value'} of the state", source)


def _number(low: int, high: int, meaning: str, source: _Source) -> _Layout:
    def check(values: Any, held: Any) -> None:
        try:
            fits = low <= min(values) and max(values) <= high
        except TypeError:
            fits = False
        if not fits:
            source.refuse(f"holds {held!r}, but its numbers are {low} to {high}")

    def fill(arrays: Arrays, at: tuple[int, ...], value: Any) -> None:
        check((value,), value)
        arrays[source.path][at] = value

    def fill_row(arrays: Arrays, at: tuple[int, ...], values: Any) -> None:
        if values:
            check(values, values)
            arrays[source.path][at][: len(values)] = tuple(values)

    return _Layout([source.field("", low, high, meaning)], fill, fill_row)


def _choice(members: Sequence[Any], source: _Source) -> _Layout:
    places = {member: place for place, member in enumerate(members)}
    named = ", ".join(str(getattr(member, "value", member)) for member in members)

    def fill(arrays: Arrays, at: tuple[int, ...], value: Any) -> None:
        if value not in places:
            source.refuse(f"holds {value!r}, which its type does not name")
        arrays[source.path][(*at, places[value])] = 1

    return _Layout([source.field("", 0, 1, f"1 at one of: {named}", (len(members),))], fill)


def _optional(hint: Any, source: _Source, notes: tuple[Any, ...]) -> _Layout:
    there = tuple(value for value in source.start_values if value is not None)
    inner = _derive(hint, dataclasses.replace(source, start_values=there, has_gaps=True), notes)
    given = source.beside("_given", 1, f"1 if {source.path} is not None")

    def fill(arrays: Arrays, at: tuple[int, ...], value: Any) -> None:
        if value is not None:
            arrays[given.name][at] = 1
            inner.fill(arrays, at, value)

    return _Layout([given, *inner.fields], fill)


def _tuple(kinds: tuple[Any, ...], source: _Source, notes: tuple[Any, ...]) -> _Layout:
    if kinds and kinds[-1] is Ellipsis:
        stated = [note.length for note in notes if isinstance(note, Longest)]
        length = max(stated or [len(value) for value in source.start_values], default=0)
        if not length:
            source.refuse("is empty at the start, so nothing says how long it can become")
        codec = next((note.codec for note in notes if isinstance(note, Items)), None)
        kind = kinds[0] if codec is None else Annotated[kinds[0], codec]
        meaning = f"How many values {source.path} has; the rest is padding"
        count = dataclasses.replace(source.beside("_count", length, meaning), dtype="int16")
        return _row(kind, length, source, count)
    if len(set(kinds)) == 1:
        return _row(kinds[0], len(kinds), source)
    columns = [[value[n] for value in source.start_values] for n in range(len(kinds))]
    return _together(
        [_derive(kind, source.inside(str(n), columns[n]), ()) for n, kind in enumerate(kinds)],
        iter,
    )


def _row(hint: Any, length: int, source: _Source, count: ArrayField | None = None) -> _Layout:
    inner = _derive(hint, source.items(length, has_gaps=count is not None), ())

    def fill(arrays: Arrays, at: tuple[int, ...], value: Any) -> None:
        if len(value) > length:
            source.refuse(f"has {len(value)} values, but at most {length} were expected")
        if count is not None:
            arrays[count.name][at] = len(value)
        if inner.fill_row is not None:
            inner.fill_row(arrays, at, value)
            return
        for place, item in enumerate(value):
            inner.fill(arrays, (*at, place), item)

    return _Layout([*([] if count is None else [count]), *inner.fields], fill)
