"""What can be said of streams and texts without knowing any game: errors use it too."""

from __future__ import annotations

from typing import Final, TextIO

SUBSTITUTE: Final = "?"
"""Stands for a character that can't be shown."""


def printable(text: str) -> str:
    """A text with everything replaced that a terminal might obey instead of showing.

    All text of others goes through this on its way out of the program: what is written as plain
    text, all errors, and by `boardgames_cli.tui.filters` the whole screen. Python calls printable
    what is not a control character (C0, C1, DEL), no invisible format (such as those that turn the
    direction of writing), and no half of a surrogate pair.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else SUBSTITUTE
        for character in text.expandtabs(4)
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream leads to a terminal; one that is closed or missing does not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
