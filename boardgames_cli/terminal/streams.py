"""What can be said of streams and texts without knowing any game: errors are told with it too."""

from __future__ import annotations

from typing import TextIO


def printable(text: str) -> str:
    """A text with everything replaced that a terminal might obey instead of showing."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else "?"
        for character in text.expandtabs(4)
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream leads to a terminal; one that is closed or missing does not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
