"""Reading positions: which fields there are, and what a whole number is."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.codec.fields import check_fields, is_whole
from boardgames_cli.core.errors import PositionError


def test_fields_that_are_there_and_may_be() -> None:
    check_fields({"a": 1}, ("a",), ("b",), expected="a, perhaps b")
    check_fields({"a": 1, "b": None}, ("a",), ("b",), expected="a, perhaps b")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": 1, "c": 2}, 'the position has an unknown field "c".'),
        ({"b": 2}, 'the position lacks the field "a".'),
    ],
)
def test_the_wrong_field_is_named(data: dict[str, int], message: str) -> None:
    with pytest.raises(PositionError) as caught:
        check_fields(data, ("a",), ("b",), expected="a, perhaps b")
    assert (caught.value.message, caught.value.todo) == (message, "a, perhaps b")


@pytest.mark.parametrize(
    ("value", "whole"), [(0, True), (-3, True), (True, False), (2.0, False), ("2", False)]
)
def test_whole_numbers(value: object, whole: bool) -> None:
    assert is_whole(value) is whole


@pytest.mark.parametrize(
    "value",
    [[-(10**5000)], float("nan"), {"b": [float("inf")]}, "\ud800", [{1, 2}], b"x"],
    ids=type,
)
def test_values_that_no_file_can_have(value: object) -> None:
    with pytest.raises(PositionError, match="the position is not JSON"):
        check_fields({"a": value}, ("a",), expected="a")


def test_a_position_nested_without_end_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(PositionError, match="the position is not JSON"):
        check_fields({"a": value}, ("a",), expected="a")


def test_positions_are_objects() -> None:
    wrong: tuple[Any, ...] = ([], "text", None)
    for data in wrong:
        with pytest.raises(PositionError, match="not a JSON object"):
            check_fields(data, ("a",), expected="a")
