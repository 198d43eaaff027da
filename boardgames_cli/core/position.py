"""What reading a position from JSON has in common in all games."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from boardgames_cli.core.errors import PositionError


def check_fields(
    data: Mapping[str, Any],
    required: Collection[str],
    optional: Collection[str] = (),
    *,
    expected: str,
) -> None:
    """Refuse a position with fields too many or too few.

    Args:
        data: The JSON object.
        required: The fields that must be there.
        optional: The fields that may be there.
        expected: What to tell people, such as which fields a position has.

    Raises:
        PositionError: A field is unknown or missing; the message names it.
    """
    for key in data:
        if key not in required and key not in optional:
            raise PositionError(f'the position has an unknown field "{key}".', expected)
    for key in required:
        if key not in data:
            raise PositionError(f'the position lacks the field "{key}".', expected)


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number; true and false are none, though Python says so."""
    return isinstance(value, int) and not isinstance(value, bool)
