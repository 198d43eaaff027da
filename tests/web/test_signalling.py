"""Signals to a served program leave its exit code to asyncio."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

from boardgames_cli.web.sessions import ServedSession


def test_a_program_that_has_just_ended_is_not_waited_for() -> None:
    program = subprocess.Popen([sys.executable, "-S", "-c", "raise SystemExit(3)"])
    os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)  # it has ended; nobody knows yet
    session: Any = ServedSession.__new__(ServedSession)
    session._process = SimpleNamespace(
        pid=program.pid, returncode=None, send_signal=program.send_signal
    )
    session._signal(signal.SIGTERM)
    _, status = os.waitpid(program.pid, 0)  # raises if somebody else has done it
    assert os.waitstatus_to_exitcode(status) == 3
    program.returncode = 3
