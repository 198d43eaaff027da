"""Helpers for reading a position from JSON, shared by all games."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, Final

from boardgames_cli.codec.json_reader import DEEPEST, LONGEST_NUMBER
from boardgames_cli.core.errors import PositionError

_LARGEST: Final = 10**LONGEST_NUMBER
_SCALARS: Final = (int, str, float, type(None))


def check_fields(
    data: Mapping[str, Any],
    required: Collection[str],
    optional: Collection[str] = (),
    *,
    expected: str,
) -> None:
    """Refuse a position with unknown or missing fields, or with values that JSON can't represent.

    Afterwards every value can be compared, quoted in a message and converted to a float.

    Args:
        data: The JSON object.
        required: The required fields.
        optional: The optional fields.
        expected: What to do about an error, such as a list of the fields.

    Raises:
        PositionError: A field is unknown or missing, or has such a value; the message names it.
    """
    if not isinstance(data, Mapping):
        raise PositionError("the position is not a JSON object.", expected)
    for key, value in data.items():
        if not isinstance(key, str) or not _is_text(key):
            raise PositionError("the position has a field whose name is not text.", expected)
        flaw = _flaw(value)
        if flaw:
            raise PositionError(f"{key} {flaw}.", expected)
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


def _flaw(value: Any) -> str:
    """What makes a value invalid in JSON, to complete a sentence; empty if it is valid."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, (list, tuple)):
                inner += item
            elif not isinstance(item, _SCALARS) and isinstance(item, Mapping):
                if not all(isinstance(key, str) and _is_text(key) for key in item):
                    return "has a name that is not text"
                inner += item.values()
            else:
                flaw = _flaw_of_scalar(item)
                if flaw:
                    return flaw
        if not inner:
            return ""
        level = inner
    return "is nested too deeply"


def _flaw_of_scalar(value: Any) -> str:
    match value:
        case None | bool():
            return ""
        case int():
            return "" if -_LARGEST < value < _LARGEST else "has a number that is too long"
        case float():
            return "" if math.isfinite(value) else f"has {value}, which is not a JSON number"
        case str():
            return "" if _is_text(value) else "has half a character (a lone surrogate)"
    return f"has a {type(value).__name__}, which is not a JSON value"


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
