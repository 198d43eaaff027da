"""Reviews as JSON, for programs and for the files beside saves; docs/review.md lists the keys.

The JSON mirrors the dataclasses: an object with a key for each field, tuples as lists, marks and
kinds by name.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from boardgames_cli.core.analyst import Value
from boardgames_cli.evaluation.review import Review, ReviewStep, StepKind

_LARGEST: Final = 1e15
"""The maximum of every number, so that sums and squares of them are finite."""
_SMALLEST_SCALE: Final = 1e-6


def to_json(review: Review) -> dict[str, Any]:
    """A review as a JSON object."""
    data: dict[str, Any] = _write(review)
    return data


def from_json(data: Any) -> Review:
    """Read a review from JSON.

    Raises:
        ValueError: It is not a valid review; the message names the field.
    """
    review: Review = _read(Review, data, "review")
    seats = range(len(review.names))
    if review.scale.size < _SMALLEST_SCALE:
        raise ValueError("the scale is too small")
    if len(review.steps) > review.total_steps:
        raise ValueError("there are more steps than the game has")
    if review.is_complete and len(review.steps) < review.total_steps:
        raise ValueError("it has the last value, but not all steps")
    for ply, step in enumerate(review.steps):
        if step.ply != ply:
            raise ValueError(f"step {step.ply} is in the place of step {ply}")
        _check_step(step, seats)
    _check_value(review.final, seats)
    if any(remark.seat not in (None, *seats) for remark in review.remarks):
        raise ValueError("a remark is about another seat")
    return review


def _check_step(step: ReviewStep, seats: range) -> None:
    _check_value(step.value, seats)
    _check_errors(step.error)
    if len(step.luck) != len(seats) or step.seat not in (None, *seats):
        raise ValueError(f"step {step.ply} has the wrong number of seats")
    if step.kind is StepKind.DECISION and len(step.decisions) != 1:
        raise ValueError(f"step {step.ply} is not one decision")
    for decision in step.decisions:
        if decision.seat not in seats:
            raise ValueError(f"step {step.ply} has a decision of another seat")
        if decision.played not in [choice.action for choice in decision.choices]:
            raise ValueError(f"step {step.ply}: {decision.played} is not among the choices")
        for choice in decision.choices:
            _check_errors(choice.error, choice.loss_error)
            if len(choice.returns) != len(seats):
                raise ValueError(f"step {step.ply}: a choice has the wrong number of seats")


def _check_value(value: Value | None, seats: range) -> None:
    if value is None:
        return
    _check_errors(value.error)
    if len(value.returns) != len(seats) or len(value.chances) not in (0, len(seats)):
        raise ValueError("a value has the wrong number of seats")


def _check_errors(*errors: float) -> None:
    if min(errors) < 0:
        raise ValueError("an error is negative")


def _write(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        return {name: _write(getattr(value, name)) for name in _hints(kind)}
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return [_write(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


@functools.cache
def _hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _read(kind: Any, data: Any, field: str) -> Any:
    """Convert a JSON value to a value of some type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        (wanted,) = (one for one in get_args(kind) if one is not type(None))
        return None if data is None else _read(wanted, data, field)
    if origin is tuple:
        if not isinstance(data, list):
            raise ValueError(f"{field} is not a list")
        item = get_args(kind)[0]
        return tuple(_read(item, one, f"{field}[{at}]") for at, one in enumerate(data))
    if dataclasses.is_dataclass(kind):
        return _read_object(kind, data, field)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_member(kind, data, field)
    return _read_plain(origin or kind, data, field)


def _read_object(kind: Any, data: Any, field: str) -> Any:
    hints = _hints(kind)
    if not isinstance(data, dict) or set(data) != set(hints):
        raise ValueError(f"{field} does not have the keys {', '.join(hints)}")
    values = {name: _read(hint, data[name], f"{field}.{name}") for name, hint in hints.items()}
    try:
        return kind(**values)
    except AssertionError as error:
        raise ValueError(f"{field} does not fit together") from error


def _read_member(kind: type[Enum], data: Any, field: str) -> Enum:
    for member in kind:
        if member.name.lower() == data:
            return member
    raise ValueError(f"{field} is {data!r}")


def _read_plain(kind: Any, data: Any, field: str) -> Any:
    if kind in (int, float) and type(data) in (int, kind) and abs(data) <= _LARGEST:
        return kind(data)
    if kind in (bool, str) and type(data) is kind:
        return data
    if kind is Mapping and isinstance(data, dict):
        return data
    raise ValueError(f"{field} is not of type {getattr(kind, '__name__', kind)}")
