"""Texts that others might write into saves, names and messages."""

from __future__ import annotations

CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
"""C0, DEL and C1."""

INVISIBLE = (
    "\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
"""What turns the direction of writing, breaks lines, or can't be seen."""

SEQUENCES = "\x1b[2J\x1b[31mred\x1b]0;title\x07\x1bP1;2q\x1b\\\x9b31m\x1b]52;c;cm0=\x07\x1b[6n"
"""Clears the screen, sets colours and the title, draws, fills the clipboard, asks for an answer."""

POISON = f"[{SEQUENCES}{CONTROLS}{INVISIBLE}\ud800\udfff]"

MARKUP = "[red]x[@click=app.q]"
"""Rich's and Textual's markup."""
