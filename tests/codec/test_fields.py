"""Positions derived from the types of a state: every kind of value, and what is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Annotated, Any, NamedTuple

import pytest

from boardgames_cli.codec.derived import codec_of, object_codec, read_position, redacted
from boardgames_cli.codec.fields import Hidden, Key, Whole
from boardgames_cli.core.errors import PositionError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Place(NamedTuple):
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Piece:
    colour: Colour
    at: Place | None


@dataclass(frozen=True, slots=True)
class Table:
    pieces: tuple[Piece, ...]
    scores: tuple[Annotated[int, Whole(0, 9)], Annotated[int, Whole(0, 9)]]
    turn: Annotated[int, Whole(0, 1), Key("player")]
    size: Size = Size.SMALL
    is_open: bool = True
    note: str = ""
    age: int = field(default=0, compare=False)


TABLE = Table(
    (Piece(Colour.RED, Place(1, 2)), Piece(Colour.BLUE, None)),
    (3, 4),
    1,
    Size.LARGE,
    False,
    "hi",
    7,
)
GOOD: dict[str, Any] = {
    "pieces": [{"colour": "red", "at": {"row": 1, "column": 2}}, {"colour": "blue", "at": None}],
    "scores": [3, 4],
    "player": 1,
    "size": 2,
    "is_open": False,
    "note": "hi",
}


def read(data: Any) -> Table:
    return read_position(Table, data)


def test_every_kind_of_value_is_written_and_read_back() -> None:
    written = object_codec(Table).write(TABLE)
    assert written == GOOD
    again = read(json.loads(json.dumps(written)))
    assert again == TABLE
    assert again.age == 0, "what does not count for equality is not part of a position"


def no_json() -> list[object]:
    endless: list[object] = []
    endless.append(endless)
    return [[-(10**5000)], float("nan"), {"b": [float("inf")]}, "\ud800", [{1, 2}], b"x", endless]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pieces": {}}, "pieces is not a list"),
        ({"pieces": [1]}, r"pieces\[0\] is 1"),
        ({"pieces": [{"colour": "red"}]}, r"pieces\[0\] is .* It has: colour, at\."),
        ({"pieces": [{"colour": "green", "at": None}]}, r"pieces\[0\].colour is 'green'"),
        ({"pieces": [{"colour": "red", "at": 3}]}, r"pieces\[0\].at is 3"),
        ({"scores": [1]}, "scores has 1 values instead of 2"),
        ({"scores": [1, 10]}, r"scores\[1\] is 10"),
        ({"scores": [1, 1.0]}, r"scores\[1\] is 1.0"),
        ({"player": True}, "player is True"),
        ({"player": -1}, "player is -1"),
        ({"size": 3}, "size is 3"),
        ({"size": True}, "size is True"),
        ({"is_open": 1}, "is_open is 1"),
        ({"note": None}, "note is None"),
        ({"more": 1}, 'unknown field "more"'),
        *(({"note": value}, "the position is not JSON") for value in no_json()),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        read(GOOD | changes)


@pytest.mark.parametrize("key", GOOD)
def test_what_is_missing_is_named(key: str) -> None:
    with pytest.raises(PositionError, match=f'lacks the field "{key}"'):
        read({name: value for name, value in GOOD.items() if name != key})


@pytest.mark.parametrize("data", [[], 1, None, "text"])
def test_a_position_is_an_object(data: Any) -> None:
    with pytest.raises(PositionError, match="not a JSON object"):
        read(data)


def test_the_remedy_says_what_is_expected() -> None:
    with pytest.raises(PositionError) as caught:
        codec_of(Annotated[int, Whole(1, 5)] | None).read(6, "steps")
    assert caught.value.todo == "It is a whole number from 1 to 5, or null."


@pytest.mark.parametrize("hint", [set[int], object, int | str, dict[int, int]])
def test_a_type_that_nobody_can_write_is_the_authors_mistake(hint: Any) -> None:
    with pytest.raises(TypeError, match="annotate the field"):
        codec_of(hint)


@dataclass(frozen=True, slots=True)
class Hand:
    """One card of each player, and one that only the dealer knows."""

    cards: tuple[Annotated[int, Whole(1, 6), Hidden(0)], ...]
    burnt: Annotated[str, Hidden("")]


def test_a_hidden_value_is_marked_and_read_back_only_as_seen() -> None:
    seen = redacted(Hand((3, 4), "ace"), lambda place: place == 1)
    assert seen == Hand((0, 4), "")
    written = object_codec(Hand).write(seen)
    assert written == {"cards": ["?", 4], "burnt": "?"}
    assert read_position(Hand, written, is_seen=True) == seen
    with pytest.raises(PositionError, match="cards has a hidden one"):
        read_position(Hand, written)
    with pytest.raises(PositionError, match="burnt has a hidden one"):
        read_position(Hand, written | {"cards": [1, 2]})
