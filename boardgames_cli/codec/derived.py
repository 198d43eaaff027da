"""Positions and the headers of files as JSON, derived from the types of a dataclass.

A whole number is written as itself, an enumeration by its value, a tuple as a list, a dataclass as
an object with a key for each field, a `Hidden` value as ``?``. A field that is written otherwise,
or has bounds, says so in its annotation: ``player: Annotated[int, Whole(0, 1)]``. Fields excluded
from equality (``compare=False``) are not part of a position. Constraints that types can't express
belong in `Game.check`.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import reprlib
import types
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from enum import Enum
from typing import (
    Annotated,
    Any,
    Final,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from boardgames_cli.codec.fields import (
    Codec,
    Entries,
    Hidden,
    Key,
    Real,
    Text,
    Truth,
    Whole,
    check_fields,
    checked,
    read_list,
)
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import GameError, PositionError

HIDDEN: Final = "?"
"""How a hidden value is written."""

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


@dataclasses.dataclass(frozen=True, slots=True)
class Member(Codec[E]):
    """A member of an enumeration, written as its value."""

    kind: type[E]

    def write(self, value: E) -> Any:
        return value.value

    def read(self, data: Any, field: str) -> E:
        for member in self.kind:
            if type(data) is type(member.value) and data == member.value:
                return member
        known = ", ".join(str(member.value) for member in self.kind)
        raise PositionError(f"{field} is {reprlib.repr(data)}.", f"It is one of: {known}.")


@dataclasses.dataclass(frozen=True, slots=True)
class Maybe(Codec[T | None]):
    """A value, or null."""

    codec: Codec[T]

    def write(self, value: T | None) -> Any:
        return None if value is None else self.codec.write(value)

    def read(self, data: Any, field: str) -> T | None:
        if data is None:
            return None
        try:
            return self.codec.read(data, field)
        except PositionError as error:
            raise PositionError(
                error.message, error.todo.removesuffix(".") + ", or null."
            ) from None


@dataclasses.dataclass(frozen=True, slots=True)
class Veiled(Codec[T]):
    """A value, or ``?`` for a hidden one."""

    codec: Codec[T]
    mark: T

    def write(self, value: T) -> Any:
        return HIDDEN if value == self.mark else self.codec.write(value)

    def read(self, data: Any, field: str) -> T:
        return self.mark if data == HIDDEN else self.codec.read(data, field)


@dataclasses.dataclass(frozen=True, slots=True)
class Items(Codec[tuple[T, ...]]):
    """A list of values of one kind, of any length."""

    codec: Codec[T]

    def write(self, value: tuple[T, ...]) -> list[Any]:
        return [self.codec.write(item) for item in value]

    def read(self, data: Any, field: str) -> tuple[T, ...]:
        listed = read_list(data, field)
        return tuple(
            self.codec.read(item, f"{field}[{number}]") for number, item in enumerate(listed)
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Each(Codec[dict[str, T]]):
    """An object whose values are all of one kind."""

    codec: Codec[T]

    def write(self, value: dict[str, T]) -> dict[str, Any]:
        return {key: self.codec.write(item) for key, item in value.items()}

    def read(self, data: Any, field: str) -> dict[str, T]:
        entries = checked(isinstance(data, Mapping), data, field, "an object").items()
        return {key: self.codec.read(item, f"{field}.{key}") for key, item in entries}


@dataclasses.dataclass(frozen=True, slots=True)
class Row(Codec[tuple[Any, ...]]):
    """A list of fixed length whose values each have their own codec."""

    codecs: tuple[Codec[Any], ...]

    def write(self, value: tuple[Any, ...]) -> list[Any]:
        return [codec.write(item) for codec, item in zip(self.codecs, value, strict=True)]

    def read(self, data: Any, field: str) -> tuple[Any, ...]:
        listed = read_list(data, field)
        if len(listed) != len(self.codecs):
            raise PositionError(f"{field} has {len(listed)} values instead of {len(self.codecs)}.")
        return tuple(
            codec.read(item, f"{field}[{number}]")
            for number, (codec, item) in enumerate(zip(self.codecs, listed, strict=True))
        )


@dataclasses.dataclass(frozen=True, slots=True)
class ObjectCodec(Codec[T]):
    """A dataclass or named tuple, written as an object with a key for each field."""

    kind: type[T]
    codecs: tuple[tuple[str, str, Codec[Any]], ...]
    """For each field its name, its key and its codec."""
    optional: frozenset[str] = frozenset()
    """The keys of fields with a default, which may be missing."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the object, in order."""
        return tuple(key for _, key, _ in self.codecs)

    def write(self, value: T) -> dict[str, Any]:
        return {key: codec.write(getattr(value, name)) for name, key, codec in self.codecs}

    def read(self, data: Any, field: str) -> T:
        check_keys(data, field, self.keys, self.optional)
        return self.build(data, f"{field}.")

    def build(self, data: Mapping[str, Any], prefix: str = "") -> T:
        """The dataclass instance for an object that has the keys, with their prefix in messages."""
        values = {
            name: codec.read(data[key], prefix + key)
            for name, key, codec in self.codecs
            if key in data
        }
        made: T = self.kind(**values)
        return made


def check_keys(
    data: Any, field: str, keys: Collection[str], optional: Collection[str] = ()
) -> None:
    """Refuse what is not an object with exactly these keys, of which some may be missing.

    Raises:
        PositionError: It is something else; the message names the field and the keys.
    """
    given = set(data) if isinstance(data, Mapping) else {None}
    if not set(keys) - set(optional) <= given <= set(keys):
        raise PositionError(f"{field} is {reprlib.repr(data)}.", f"It has: {', '.join(keys)}.")


def parse_as(kind: type[T], reader: JsonReader, text: str, subject: str) -> T:
    """Read a dataclass from a JSON document; fields with a default may be missing.

    It raises the reader's error; the message names the entry.
    """
    try:
        return object_codec(kind).read(reader.parse(text, subject), subject)
    except PositionError as error:
        raise reader.error(error.message, error.todo) from None


def read_position(kind: type[T], data: Mapping[str, Any], *, is_seen: bool = False) -> T:
    """Read a position as a state of a type; what a seat sees may have hidden values.

    Raises:
        PositionError: The position is not valid; the message names the field.
    """
    codec = object_codec(kind)
    check_fields(data, codec.keys, expected=f"A position has: {', '.join(codec.keys)}.")
    state = codec.build(data)
    for name, mark, is_tuple in () if is_seen else veils_of(kind):
        value = getattr(state, name)
        if mark in value if is_tuple else mark == value:
            raise PositionError(
                f"{name} has a hidden one.",
                "A game can only go on from a position in which nothing is hidden.",
            )
    return state


def read_entries(
    kind: type[T],
    data: Mapping[str, Any],
    wrong: Callable[[str], GameError],
    **content: Any,
) -> T:
    """Read a dataclass from an object that may have other entries, such as the header of a file.

    Args:
        kind: The dataclass; the entries of fields with a default may be missing.
        data: The JSON object.
        wrong: Returns the error for an entry that is missing or invalid.
        **content: The values of fields that are not read.
    """
    codec: ObjectCodec[T] = _derive(cast("Hashable", kind), tuple(content))
    values = {}
    for name, key, part in codec.codecs:
        if key not in data and key in codec.optional:
            continue
        try:
            values[name] = part.read(data[key], key)
        except (KeyError, PositionError):
            raise wrong(key) from None
    return codec.kind(**values, **content)


def object_codec(kind: type[T], *without: str) -> ObjectCodec[T]:
    """The codec of a dataclass or a named tuple, derived from the types of its fields but some.

    Raises:
        TypeError: A field has a type that is not supported, and no codec in its annotation.
    """
    codec: ObjectCodec[T] = _derive(cast("Hashable", kind), without)  # all classes are hashable
    return codec


@functools.cache
def _derive(kind: Any, without: tuple[str, ...]) -> ObjectCodec[Any]:
    hints = get_type_hints(kind, include_extras=True)
    names = [name for name in field_names(kind) if name not in without]
    codecs = tuple((name, _key(name, hints[name]), codec_of(hints[name])) for name in names)
    parameters = inspect.signature(kind).parameters
    optional = (
        key for name, key, _ in codecs if parameters[name].default is not inspect.Parameter.empty
    )
    return ObjectCodec(kind, codecs, frozenset(optional))


def field_names(kind: Any) -> list[str]:
    """The fields of a dataclass or named tuple that are part of a position; none of other types."""
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind) if field.init and field.compare]
    return list(getattr(kind, "_fields", ()))


def type_if_given(hint: Any) -> Any:
    """The type of an optional value where it is given; None if the value is not optional."""
    inner = get_args(hint)
    is_optional = get_origin(hint) in (Union, types.UnionType) and type(None) in inner
    if not is_optional or len(inner) != 2:
        return None
    return next(part for part in inner if part is not type(None))


def _key(name: str, hint: Any) -> str:
    return next((part.name for part in get_args(hint)[1:] if isinstance(part, Key)), name)


def veils_of(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """The fields of a state that are `Hidden`: name, mark, and whether they are in a tuple."""
    try:
        codecs = object_codec(kind).codecs
    except TypeError:  # the game writes such states in its own way
        return
    for name, _, codec in codecs:
        inner = codec.codec if isinstance(codec, Items) else codec
        inner = codec.codecs[0] if isinstance(codec, Row) else inner
        if isinstance(inner, Veiled):
            yield name, inner.mark, inner is not codec


def redacted(state: T, knows: Callable[[int], bool]) -> T:
    """A state with the marks of `Hidden` values that somebody may not know.

    Args:
        state: A state with such values, alone or in a tuple.
        knows: Whether it may know the value at a place of the tuple, or at 0 if it stands alone.
    """
    changed: dict[str, Any] = {}
    for name, mark, is_tuple in veils_of(type(state)):
        values = getattr(state, name) if is_tuple else (getattr(state, name),)
        known = tuple(value if knows(place) else mark for place, value in enumerate(values))
        changed[name] = known if is_tuple else known[0]
    whole: Any = state
    shown: T = getattr(whole, "_replace", functools.partial(dataclasses.replace, whole))(**changed)
    return shown


def codec_of(hint: Any) -> Codec[Any]:
    """The codec for values of a type.

    Raises:
        TypeError: The type is not supported; annotate the field with a codec.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        named = next((part for part in inner[1:] if isinstance(part, Codec)), None)
        hidden = next((part for part in inner[1:] if isinstance(part, Hidden)), None)
        plain = codec_of(inner[0]) if named is None else named
        return plain if hidden is None else Veiled(plain, hidden.mark)
    given = type_if_given(hint)
    if given is not None:
        return Maybe(codec_of(given))
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return Items(codec_of(inner[0]))
        return Row(tuple(codec_of(part) for part in inner))
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is dict and inner[0] is str:
        return Each(codec_of(inner[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Member(hint)
    if field_names(hint):
        return object_codec(hint)
    raise TypeError(f"{hint} can't be written as JSON; annotate the field with a Codec")


_PLAIN: Mapping[Any, Codec[Any]] = {
    int: Whole(), bool: Truth(), str: Text(), float: Real(), Mapping[str, Any]: Entries()
}  # fmt: skip
