"""Helpers for streams and untrusted text."""

from __future__ import annotations

from typing import Final, TextIO

from boardgames_cli.core.errors import GameError

LONGEST_LINE: Final = 10_000
"""The maximum number of characters in a line of input."""

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
        for character in text.expandtabs(4)
    )


def read_line(stream: TextIO) -> str:
    """Read a line with its newline; empty at the end of the input.

    Raises:
        GameError: It is too long, as in a device without an end.
    """
    line = stream.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise GameError(
            f"the input has a line of more than {LONGEST_LINE:,} characters.",
            "Check what standard input is.",
        )
    return line


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; a closed or missing one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
