"""Encoders derived from the fields of a state."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import pytest

import boardgames_cli as bg
from boardgames_cli.codec.derived import Items
from boardgames_cli.codec.fields import Longest, Whole
from boardgames_cli.core.encoder import ArrayField, DerivedEncoder
from boardgames_cli.core.errors import GameError, install_command
from boardgames_cli.core.game import GameInfo, Observation, Traits
from tests.toys import Cards, Race, RaceState


class Colour(Enum):
    RED = "r"
    BLUE = "b"


class Place(NamedTuple):
    row: Annotated[int, Whole(1, 8)]
    is_marked: bool


START = Place(3, False)
CORNER = Place(1, True)


@dataclass(frozen=True, slots=True)
class Rich:
    """A field of every kind that can be derived."""

    flag: bool = True
    any_number: int = 7
    small: Annotated[int, Whole(-3, 200)] = 5
    colour: Colour = Colour.BLUE
    wind: Literal["north", "south"] = "south"
    roll: Annotated[int, Whole(2, 6)] | None = None
    pair: tuple[Colour, Colour] = (Colour.RED, Colour.BLUE)
    mixed: tuple[int, bool] = (4, True)
    row: tuple[int, ...] = (1, 2, 3)
    line: Annotated[tuple[int, ...], Items(Whole(1, 9)), Longest(4)] = ()
    grid: tuple[Annotated[tuple[int, ...], Longest(2)], ...] = ((), ())
    raw: bytes = b"\x00\xff"
    here: Place = START
    crowd: tuple[Place | None, ...] = (CORNER, None)
    forgotten: int = field(default=0, compare=False)


def game_of(start: Any, traits: Traits = Traits.NONE) -> Race:
    """A race whose states are of another kind, which nobody ever moves in."""

    @dataclass(frozen=True)
    class Still(Race):
        info: ClassVar[GameInfo] = GameInfo("still", "Still", (2,), traits, 1)

        def initial_state(self) -> RaceState:
            state: RaceState = start
            return state

        def to_act(self, state: RaceState) -> tuple[int, ...]:
            return (1,)

    return Still()


def encode(start: Any, state: Any) -> dict[str, Any]:
    arrays = DerivedEncoder(game_of(start)).encode(Observation(None, 0, state, ()))
    return {name: array.tolist() for name, array in arrays.items()}


def test_every_kind_of_field() -> None:
    assert encode(Rich(), Rich(line=(9, 8), grid=((5,), (6, 7)), roll=6)) == {
        "viewer_seat": [0, 0],
        "seats_to_act": [0, 1],
        "flag": 1,
        "any_number": 7,
        "small": 5,
        "colour": [0, 1],
        "wind": [0, 1],
        "roll_given": 1,
        "roll": 6,
        "pair": [[1, 0], [0, 1]],
        "mixed_0": 4,
        "mixed_1": 1,
        "row_count": 3,
        "row": [1, 2, 3],
        "line_count": 2,
        "line": [9, 8, 0, 0],
        "grid_count": 2,
        "grid_count_2": [1, 2],
        "grid": [[5, 0], [6, 7]],
        "raw_count": 2,
        "raw": [0, 255],
        "here_row": 3,
        "here_is_marked": 0,
        "crowd_count": 2,
        "crowd_given_2": [1, 0],
        "crowd_row": [1, 0],
        "crowd_is_marked": [1, 0],
    }


def fields_of(start: Any, traits: Traits = Traits.NONE) -> dict[str, ArrayField]:
    return {field.name: field for field in DerivedEncoder(game_of(start, traits)).fields}


def test_types_and_bounds_follow_the_annotations() -> None:
    fields = fields_of(Rich())
    shown = {name: (f.shape, f.dtype, f.low, f.high) for name, f in fields.items()}
    assert shown["flag"] == ((), "int8", 0, 1)
    assert shown["small"] == ((), "int16", -3, 200)
    assert shown["any_number"] == ((), "int64", -(2**63), 2**63 - 1)
    assert shown["wind"] == ((2,), "int8", 0, 1)
    assert shown["roll"] == ((), "int8", 0, 6), "0 stands for none"
    assert shown["line"] == ((4,), "int8", 0, 9)
    assert shown["grid_count_2"] == ((2,), "int16", 0, 2)
    assert shown["here_row"] == ((), "int8", 1, 8)
    assert shown["crowd_row"] == ((2,), "int8", 0, 8)
    assert fields["grid"].axes == ("place in grid", "inner place 2")
    assert fields["colour"].meaning == "1 at one of: r, b"


def test_where_things_are_hidden_numbers_have_no_bounds() -> None:
    # A redacted state may hold, say, -1 for a card that is one of 52.
    assert fields_of(Rich(), Traits.HIDDEN)["small"].low == -(2**63)


@dataclass(frozen=True, slots=True)
class Named:
    colour: str = "red"


@dataclass(frozen=True, slots=True)
class Twice:
    pair: tuple[int, bool] = (1, True)
    pair_0: int = 0


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (Named(), 'the field "colour" of the state is of a type that no array is derived from'),
        (Twice(), 'two arrays of the derived encoder are called "pair_0"'),
    ],
)
def test_what_can_not_be_derived_is_refused(start: Any, message: str) -> None:
    with pytest.raises(GameError) as caught:
        DerivedEncoder(game_of(start))
    assert caught.value.message.startswith(message)
    assert caught.value.todo.startswith("Write an Encoder")


def test_a_tuple_that_grows_from_nothing_needs_its_longest_length() -> None:
    with pytest.raises(GameError, match='"cards" of the state is empty at the start'):
        bg.make_encoder(Cards())


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (Rich(small=201), "holds 201, but its numbers are -3 to 200"),
        (Rich(any_number=2**63), "holds 9223372036854775808"),
        (Rich(line=(1,) * 5), "has 5 values, but at most 4 were expected"),
        (Rich(row=(1, None, 3)), r"holds \(1, None, 3\)"),  # type: ignore[arg-type]  # a mistake
        (Rich(wind="east"), "holds 'east', which its type does not name"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_nothing_announced_is_refused(state: Rich, message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        encode(Rich(), state)
    assert caught.value.todo.startswith("Write an Encoder")


def test_without_numpy_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(GameError) as caught:
        bg.make_encoder(bg.make("senet"))
    assert caught.value.todo == f"Install it: {install_command('numpy')}"
