"""Helpers for streams and untrusted text."""

from __future__ import annotations

from typing import Final, TextIO

from boardgames_cli.core.text import without_filler

SUBSTITUTE: Final = "?"
"""Replaces a character that can't be shown."""


def printable(text: str) -> str:
    """Replace everything that a terminal might interpret instead of showing.

    All output passes through this: plain text, errors, and the whole screen
    (`boardgames_cli.tui.filters`). `str.isprintable` excludes control characters (C0, C1, DEL),
    invisible formatting (such as changes of the writing direction), and lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else SUBSTITUTE
        for character in without_filler(text).expandtabs(4)
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; a closed or missing one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
