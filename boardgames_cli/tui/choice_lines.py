"""Lists of choices with their values, for reviews and puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Span, columns, justified, shortened

_LEAST_LABEL: Final = 6
"""The smallest useful width of a label in columns."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice with its value."""

    notation: str
    """The notation that a click reports."""
    label: str
    mark: str
    """A mark of at most two columns."""
    value: str
    """Its value, padded to the same width for all choices."""
    tail: str = ""
    """The rest of the line."""
    role: str = ""


def first_fitting(texts: Sequence[str], width: int) -> str:
    """The first of several ever shorter texts that fits; empty if none does."""
    return next((text for text in texts if columns(text) <= width), "")


def choice_lines(
    kinds: Sequence[str], rows: Sequence[ChoiceRow], chosen: int, width: int, room: int
) -> list[list[Span]]:
    """A heading and a line for each choice.

    Args:
        kinds: The kind of values, such as ``exact, chips``, then shorter versions for narrow
            columns.
        rows: The choices.
        chosen: The index of the selected choice.
        width: Columns of the heading.
        room: The maximum width of labels.
    """
    kind = first_fitting(kinds, width - len("Choices  "))
    lines = [[Span("Choices", "title"), Span(f"  {kind}", "muted")]]
    room = min(max(columns(row.label) for row in rows), max(_LEAST_LABEL, room))
    for at, row in enumerate(rows):
        label = f"{justified(shortened(row.label, room), room)} {row.mark:<2}"
        lines.append(
            [
                Span("> " if at == chosen else "  ", "key"),
                Span(label, f"{row.role} chosen" if at == chosen else row.role, row.notation),
                Span(row.value, row.role),
                Span(row.tail, row.role),
            ]
        )
    return lines
