"""The program in a real pseudo-terminal: what is left of the screen and the save afterwards."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")

PROGRAM = """
import sys
from pathlib import Path
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import run_game
settings = Settings(pace=Pace.INSTANT, glyphs=Glyphs.UNICODE, save_folder=Path(sys.argv[1]))
session = open_session(Setup("senet", seats=("human", "random"), seed=101), settings)
if len(sys.argv) > 2:
    def broken(*_):
        raise ZeroDivisionError("broken on purpose")
    def starved(*_):
        while True:
            print("starved", file=sys.__stderr__)
    session.view.describe = broken if sys.argv[2] == "broken" else starved
sys.exit(run_game(session, settings))
"""

pytestmark = [
    pytest.mark.slow,
]


def start(folder: Path, *arguments: str, **environment: str) -> Any:
    """Run a table in a terminal of 80x24."""
    import os

    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_STATE_HOME": str(folder / "state")}
    return pexpect.spawn(
        sys.executable,
        ["-c", PROGRAM, str(folder / "saves"), *arguments],
        env=env | environment,
        dimensions=(24, 80),
        timeout=60,
    )


def finish(child: Any) -> tuple[bytes, int | None]:
    """All that still comes, and the exit code."""
    rest: bytes = child.read()
    child.close()
    return rest, child.exitstatus


def test_a_crash_is_one_message(tmp_path: Path) -> None:
    child = start(tmp_path, "broken")
    rest, status = finish(child)
    assert status == 1
    after = rest[rest.index(b"\x1b[?1049l") :]
    assert b"boardgames crashed" in after
    assert b"Traceback" not in after
    logs = list((tmp_path / "state").rglob("errors.log"))
    assert "broken on purpose" in logs[0].read_text()


def test_a_program_that_only_works_for_itself_ends_on_one_signal(tmp_path: Path) -> None:
    child = start(tmp_path, "starved")
    child.expect(b"starved")
    child.kill(signal.SIGTERM)
    rest, status = finish(child)
    assert status == 143
    assert b"\x1b[?1049l" in rest
