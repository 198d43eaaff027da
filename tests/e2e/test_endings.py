"""The program is ended from outside at every moment, and gives the terminal back."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.e2e.screens import PATIENCE, Terminal, environment
from tests.e2e.test_full_screen import READY, SENET
from tests.e2e.test_plain_terminal import pipe, resumable

SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]

# The moments of a start, each known by what has been written by then.
IMPORTS = (
    b"boardgames_cli.core.errors",
    b"boardgames_cli.cli.errors",
    b"boardgames_cli.registry",
    b"asyncio.events",
    b"textual.app",
)
SCREENS: dict[str, tuple[tuple[str, ...], str]] = {
    "table": (SENET, READY),
    "menu": ((), "Senet"),
    "watched": (("watch", "senet", "--vs", "random", "--seed", "3"), r"step \d"),
    "replay": (("replay", "senet-1"), r"step \d"),
    "thinking": (
        ("play", "senet", "--vs", "expectimax:depth=20", "--think", "60", "--seed", "3"),
        r"step \d",
    ),
    "lines": ((*SENET, "--plain"), "You>$"),
    "menu in lines": (("--plain",), r"choice\?$"),
}  # fmt: skip
"""What is on the screen, and what it shows then."""
DRAWING = (b"\x1b[?1049h", b"\x1b[?25l", b"\x1b[?2004h", b"\x1b]22;")


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("module", IMPORTS)
def test_signal_while_it_is_imported(
    tmp_path: Path, module: bytes, number: signal.Signals, code: int
) -> None:
    terminal = Terminal(tmp_path, *SENET, PYTHONPROFILEIMPORTTIME="1")
    terminal.wait_for_bytes(module)
    terminal.kill(number)
    assert terminal.end() == code
    terminal.check_given_back()
    assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("sign", DRAWING)
def test_signal_while_the_screen_is_put_up(
    tmp_path: Path, sign: bytes, number: signal.Signals, code: int
) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for_bytes(sign)
    terminal.kill(number)
    assert terminal.end() == code
    terminal.check_given_back()
    assert "error" not in terminal.text
    assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("kind", SCREENS)
def test_signal_on_the_screen(tmp_path: Path, kind: str, number: signal.Signals, code: int) -> None:
    words, shown = SCREENS[kind]
    if kind == "replay":
        assert pipe(tmp_path, *SENET, "--plain", text="1\n").returncode == 0
    terminal = Terminal(tmp_path, *words)
    terminal.wait_for(shown)
    terminal.kill(number)
    assert terminal.end() == code
    terminal.check_given_back()
    assert b"Traceback" not in terminal.raw
    if kind in ("table", "lines"):
        assert b"Saved as senet-1. Go on with: boardgames resume senet-1" in terminal.raw
        assert resumable(tmp_path)


def test_signals_that_come_while_it_leaves_change_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for(READY)
    terminal.kill(signal.SIGINT)
    terminal.wait_for_bytes(b"\x1b[?1049l")
    while terminal.child.isalive():
        terminal.kill(signal.SIGINT)
        terminal.pump(0.005)
    assert terminal.end() == 130
    terminal.check_given_back()
    assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_stopped_and_continued_it_still_gives_the_terminal_back(
    tmp_path: Path, number: signal.Signals
) -> None:
    terminal = Terminal(tmp_path, *SENET)
    terminal.wait_for(READY)
    raw_mode = terminal.mode
    for _ in range(2):
        stop(terminal, number)
        terminal.raw, before = b"", terminal.raw
        terminal.screen.reset()
        terminal.kill(signal.SIGCONT)
        terminal.wait_for(READY)
        terminal.raw = before + terminal.raw
        assert terminal.mode == raw_mode
    terminal.send("\x1aq")  # ctrl+z does nothing: there is no shell that could continue it
    terminal.wait_for("Leave the game")
    terminal.send("1")
    assert terminal.end() == 0
    terminal.check_given_back()


def stop(terminal: Terminal, number: signal.Signals) -> None:
    """Stop the program, and wait until it stands still."""
    terminal.kill(number)
    state = Path(f"/proc/{terminal.child.pid}/stat")
    if not state.exists():
        pytest.skip("needs /proc")
    while state.read_text().rpartition(")")[2].split()[0] != "T":
        terminal.pump(0.01)


def test_terminal_that_goes_away_ends_the_program(tmp_path: Path) -> None:
    # Not in a session of its own, so that no signal tells the program about it.
    mine, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    program = [sys.executable, "-m", "boardgames_cli", *SENET]
    child = subprocess.Popen(
        program, stdin=its, stdout=its, stderr=its, cwd=tmp_path, env=environment(tmp_path)
    )
    os.close(its)
    written = b""
    while b"You threw" not in written:
        written += os.read(mine, 65536)
    os.close(mine)
    assert child.wait(PATIENCE) == 129
    assert resumable(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("list",),
        ("saves",),
        ("rules", "senet"),
        ("watch", "senet", "--seed", "1", "--json"),
        ("play", "senet", "--vs", "random", "--plain"),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_full_device_is_one_message(tmp_path: Path, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "boardgames_cli", *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment(tmp_path),
            check=False,
        )
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1, done.stderr
    assert "No space left on device" in done.stderr
    assert "Internal error" not in done.stderr
