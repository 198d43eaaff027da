"""Signals before anything is torn, and the terminal after everything."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.terminal import startup
from boardgames_cli.terminal.guard import RESET, TerminalGuard
from boardgames_cli.terminal.startup import Stopped

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")

SCRIPT = """
import os, signal, sys
from boardgames_cli.terminal import startup
startup.end_at_once()
for step in sys.argv[2:]:
    getattr(startup, step)()
print("before", flush=True)
os.kill(os.getpid(), int(sys.argv[1]))
print("after")
"""


@pytest.fixture
def handlers() -> Iterator[None]:
    """The handlers of the test's own process, brought back."""
    before = {number: signal.getsignal(number) for number in (2, 15, 1)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def run(number: int, *steps: str, **more: Any) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", SCRIPT, str(number), *steps]
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("steps", [(), ("end_in_order", "prepare_imports")])
def test_start_ends_silently(number: int, steps: tuple[str, ...]) -> None:
    done = run(number, *steps)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "before\n", "")


def test_signals_while_python_is_taken_down_change_nothing() -> None:
    script = (
        "import os, sys\n"
        "from boardgames_cli.terminal import startup\n"
        "startup.end_at_once()\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, own=os.getpid()):\n"
        "        kill(own, 2)\n"
        "late = Late()\n"
        "sys.exit(7)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (7, b"")


def test_hang_up_that_is_ignored_stays_ignored() -> None:
    done = run(signal.SIGHUP, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert (done.returncode, done.stdout) == (0, "before\nafter\n")


def test_work_ends_by_an_exception(handlers: None) -> None:
    startup.end_at_once()
    startup.end_in_order()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(Stopped) as stopped:
        signal.raise_signal(signal.SIGTERM)
    assert stopped.value.exit_code == 143


def test_handlers_of_others_stay(handlers: None) -> None:
    mine = signal.getsignal(signal.SIGTERM)
    startup.end_in_order()
    startup.prepare_imports()
    startup.resume_collection()
    assert signal.getsignal(signal.SIGTERM) is mine


def test_nothing_is_looked_through_until_work_begins() -> None:
    assert gc.isenabled()
    startup.pause_collection()
    try:
        assert not gc.isenabled()
        startup.resume_collection()
        assert gc.isenabled()
        kept = gc.get_freeze_count()
        assert kept
        made = [[number] for number in range(1000)]
        startup.resume_collection()
        assert gc.get_freeze_count() <= kept, "what was made since is looked through"
        del made
    finally:
        gc.enable()
        gc.unfreeze()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int]]:
    """A terminal as standard input: our end and the program's."""
    mine, its = os.openpty()
    with os.fdopen(its, "r+b", 0) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield mine, its
    os.close(mine)


def test_guard_brings_the_mode_back(terminal: tuple[int, int]) -> None:
    import termios
    import tty

    mine, its = terminal
    guard, before = TerminalGuard(), termios.tcgetattr(its)
    tty.setraw(its)
    assert termios.tcgetattr(its) != before
    guard.restore(is_on_screen=False)
    assert termios.tcgetattr(its) == before
    guard.restore(is_on_screen=True)
    assert os.read(mine, 1000) == RESET.encode()  # and nothing before it


def test_guard_without_a_terminal_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    TerminalGuard().restore(is_on_screen=True)
