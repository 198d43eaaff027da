"""What the choices of a decision are worth, a line each: reviews and puzzles show them alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.text import Span, shortened

_LEAST_LABEL: Final = 6
"""Columns with which one still knows what a choice is."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice and what it is worth."""

    notation: str
    """What a click on it means."""
    label: str
    mark: str
    """A sign of two columns at most."""
    value: str
    """What it is worth, as wide as that of the other choices."""
    tail: str = ""
    """What comes after that."""
    role: str = ""


def choice_lines(
    kind: str, rows: Sequence[ChoiceRow], chosen: int, width: int, room: int
) -> list[list[Span]]:
    """A heading and a line for each choice.

    Args:
        kind: What the values are, such as ``exact, chips``.
        rows: The choices.
        chosen: The place of the one that is looked at.
        width: Columns of the heading.
        room: Columns that labels may have.
    """
    lines = [[Span("Choices", "title"), Span(f"  {kind}"[: width - 7], "muted")]]
    room = min(max(len(row.label) for row in rows), max(_LEAST_LABEL, room))
    for at, row in enumerate(rows):
        label = f"{shortened(row.label, room):<{room}} {row.mark:<2}"
        lines.append(
            [
                Span("> " if at == chosen else "  ", "key"),
                Span(label, f"{row.role} chosen" if at == chosen else row.role, row.notation),
                Span(row.value, row.role),
                Span(row.tail, row.role),
            ]
        )
    return lines
