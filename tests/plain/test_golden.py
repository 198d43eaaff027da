"""A short game as a person reads it, line by line.

After a change that is meant, write the file anew: ``UPDATE_GOLDEN=1 pytest tests/plain``.
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.conftest import Program

GOLDEN = Path(__file__).parent / "golden" / "senet.txt"
LINES = [
    "1", "", "?", "b", "m", "l", "w", "legend", "pos", "save copy-1", "save copy-1", "save",
    "99", "castle", "5>7", "7", "1", "u", "redo", "undo", "undo", "redo", "2", "1",
]  # fmt: skip


def test_transcript(program: Program) -> None:
    outcome = program("play", "senet", "--vs", "random", "--seed", "3", lines=LINES)
    assert outcome.code == 0
    assert outcome.err == ""
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(outcome.out, encoding="utf-8")
    assert outcome.out == GOLDEN.read_text(encoding="utf-8")


def test_transcript_is_plain_ascii() -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert max(len(line) for line in text.splitlines()) <= 100


def test_terse_leaves_the_boards_out(program: Program) -> None:
    words = ("play", "senet", "--vs", "random", "--seed", "3", "--terse")
    text = program(*words, lines=["1"]).out
    assert "+--" not in text
    assert "\n1 7>10    2 11>14\nYou> " in text
    assert "+--" in program(*words, lines=["b"]).out
