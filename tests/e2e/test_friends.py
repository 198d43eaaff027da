"""Two people at two terminals, and a host that is killed and started again."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tests.e2e.screens import Terminal
from tests.online.test_killed import free_port

pytestmark = pytest.mark.second_try("waits for two programs and the network between them")


def test_friends_meet_talk_and_go_on_after_the_host_was_killed(tmp_path: Path) -> None:
    port = free_port()
    folders = [tmp_path / name for name in ("ann", "ben")]
    for folder in folders:
        folder.mkdir()
    hosting = ("host", "tapnswap", "--first", "1", "--listen", f"127.0.0.1:{port}")
    ann = Terminal(folders[0], *hosting, "--name", "Ann")
    ann.wait_for("copy the line")
    found = re.search(r"join (\S+:\S+)", ann.text)
    assert found is not None
    ben = Terminal(folders[1], "join", found[1], "--name", "Ben")
    ben.wait_for("waiting for Ann")
    ann.wait_for("Ann to move")
    ann.send("t")
    ann.wait_for("Say:")
    ann.send("hello\r")
    ben.wait_for("Ann: hello")
    ann.send("1")
    ben.wait_for("Ben to move")

    ann.kill(signal.SIGKILL)
    ann.end()
    ben.wait_for("reconnecting")
    ann = Terminal(folders[0], *hosting)
    ann.wait_for("waiting for Ben")
    ben.wait_for("up again")
    ben.send("1")
    ann.wait_for("Ann to move")
    for terminal in (ann, ben):
        terminal.child.close(force=True)
