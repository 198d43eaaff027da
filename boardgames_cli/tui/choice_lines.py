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


def first_fitting(texts: Sequence[str], width: int) -> str:
    """The first text that fits, of some that say less and less; empty if none does."""
    return next((text for text in texts if len(text) <= width), "")


def choice_lines(
    kinds: Sequence[str], rows: Sequence[ChoiceRow], chosen: int, width: int, room: int
) -> list[list[Span]]:
    """A heading and a line for each choice.

    Args:
        kinds: What the values are, such as ``exact, chips``; then the same in fewer words, for
            columns that are too narrow.
        rows: The choices.
        chosen: The place of the one that is looked at.
        width: Columns of the heading.
        room: Columns that labels may have.
    """
    kind = first_fitting(kinds, width - len("Choices  "))
    lines = [[Span("Choices", "title"), Span(f"  {kind}", "muted")]]
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
