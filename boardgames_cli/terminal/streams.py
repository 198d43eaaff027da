"""Helpers for streams and untrusted text."""

from __future__ import annotations

import re
import textwrap
from typing import Final, TextIO

from boardgames_cli.core.errors import GameError

LONGEST_LINE: Final = 10_000
"""The maximum number of characters in a line of input."""

SUBSTITUTE: Final = "?"


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


CONTROL: Final = re.compile(
    r"""\x1b(?:
        \[(?: M[^\x1b]{3} | M[^\x1b]{0,2}(?=\x1b)   # the mouse, of old terminals
            | \[[^\x1b] | \[(?=\x1b)                # function keys of the Linux console
            | (?:[378]|2[34])\$                     # keys with shift, of rxvt
            | (?![M\[])[ -?]*(?:[@-~]|(?=[^ -~])))
        | []PX^_][^\x07\x18\x1a\x1b]*               # a string, to its end or the next sequence
            (?: \x1b\\ | [\x07\x18\x1a] | (?=\x1b[^\\]) )
        | O\d*[^\d\x1b] | O\d*(?=\x1b)
        | (?=\x1b)                                  # the key Escape, before another sequence
        | [^]\[PX^_O\x1b]                           # a key with alt, or the end of a string
    )""",
    re.VERBOSE | re.DOTALL,
)
"""One control function of ECMA-48 (5.4, 5.6) in its 7-bit form, or a key that looks like one."""

CONTROL_STRINGS: Final = tuple(f"\x1b{sign}" for sign in "]PX^_\\")
"""How control strings begin, and how all of them end: nothing of this is a key."""

_EIGHT_BITS: Final = dict.fromkeys(range(0x80, 0xA0), "") | {
    code: f"\x1b{chr(code - 0x40)}" for code in (0x8F, 0x90, 0x98, *range(0x9B, 0xA0))
}


def seven_bits(text: str) -> str:
    """The control characters from 0x80 on as the escape sequences that they stand for."""
    return text if text.isascii() else text.translate(_EIGHT_BITS)


def without_controls(line: str) -> str:
    """What a person typed in a line, without what a terminal answered to a question."""
    return re.sub(r"\x1b.*", "", CONTROL.sub("", seven_bits(line)), flags=re.DOTALL)


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


WIDEST: Final = 100
"""The maximum line length: longer lines are hard to read."""

_ITEM: Final = r"\s*(?:[-*]|\d+\.)\s+"
_CODE: Final = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
_PARAGRAPH: Final = re.compile(
    rf"^(?:(?!    |[#|>]|\s*$)|(?={_ITEM}\S)).*(?:\n(?!{_ITEM}|[#|>]|```|\s*$).*)*", re.MULTILINE
)

_GAP: Final = "   "


def fill(text: str, width: int) -> str:
    """Wrap a line of parts separated by wide gaps, breaking it at the gaps."""
    lines: list[str] = []
    for part in text.split(_GAP):
        joined = f"{lines[-1]}{_GAP}{part}" if lines else part
        if lines and len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(part)
    return "\n".join(lines)


def wrap_lines(text: str, width: int, indent: str = "    ") -> str:
    """Wrap long lines between words; shorter lines stay unchanged.

    Args:
        text: The lines.
        width: The width in columns.
        indent: The indentation of continuation lines.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= width:
            lines.append(line)
        else:
            lines += _wrap(line, width, indent)
    return "\n".join(lines)


def reflow(markdown: str, width: int) -> str:
    """Rewrap the paragraphs and list items of a Markdown text.

    Headings, tables, quotes and code stay unchanged.
    """
    parts = _CODE.split(markdown)
    parts[::2] = [_PARAGRAPH.sub(lambda found: _fill(found[0], width), part) for part in parts[::2]]
    return "".join(parts)


def _fill(block: str, width: int) -> str:
    item, (first, *rest) = re.match(_ITEM, block), block.split("\n")
    indent = " " * len(item[0]) if item else ""
    text = " ".join([first.rstrip(), *map(str.strip, rest)])
    return "\n".join(_wrap(text, min(width, WIDEST), indent))


def _wrap(line: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        line, max(width, 20), subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
