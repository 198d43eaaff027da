"""What a keyboard can send that no terminal should, and keys that come too early."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.e2e.screens import Terminal
from tests.e2e.test_endings import READY, SENET


@pytest.mark.parametrize(
    "typed",
    [
        b"\xe9",  # e acute in Latin-1
        b"\x1b[200~caf\xe9\x1b[201~",  # the same, pasted
        b"\xf0\x9f",  # half an emoji
        b"\xc3\x28\xed\xa0\x80\xff\xfe",
        b"\x1b[99999999u",  # a key beyond all letters
        b"\x1b[1;1;99999999u",
        b"\x1b[48;99999;99999;1;1t",  # a size that nobody asked for
        b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",  # a late answer, with choices in it
    ],
)
def test_bytes_that_mean_nothing_change_nothing(tmp_path: Path, typed: bytes) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for(READY)
    terminal.child.send(typed)
    # A key that comes after them is heard as ever.
    terminal.send("?")
    terminal.wait_for("legend|Legend")
    terminal.send("\x1b")
    terminal.wait_for(READY)
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143
    terminal.check_given_back()


@pytest.mark.parametrize("keys", ["\x1b[5~", "\x1b[6~\x1b[6~", "\x1b[5~x\x1b[6~"])
def test_page_keys_before_the_palette_is_laid_out(tmp_path: Path, keys: str) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for(READY)
    for _ in range(3):
        terminal.send("\x10" + keys)
        terminal.wait_for("Search for commands|x")
        terminal.send("\x1b")
        terminal.wait_for(READY)
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143
