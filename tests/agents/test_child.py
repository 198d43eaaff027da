"""Processes that can always be ended, and messages on their pipes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.agents.remote.child import ChildProcess, ProcessGone
from boardgames_cli.agents.remote.protocol import LineReader
from tests.processes import is_alive, open_files, wait_until

PATIENCE = 20.0


def running(code: str, log: Path | None = None) -> AbstractContextManager[ChildProcess]:
    return running_words(sys.executable, "-c", code, log=log)


@contextmanager
def running_words(*words: str, log: Path | None = None) -> Iterator[ChildProcess]:
    child = ChildProcess(words, dict(os.environ), log)
    try:
        yield child
    finally:
        child.close()


def read_all(child: ChildProcess) -> bytes:
    found = b""
    for _ in range(2000):
        try:
            line = child.read(0.05)
        except ProcessGone:
            return found
        found += b"" if line is None else line + b"\n"
    raise AssertionError("it never ended")


def test_one_that_does_not_listen_is_not_waited_for() -> None:
    with running("import time; time.sleep(600)") as child, pytest.raises(TimeoutError):
        child.write(b"x" * 10**7, 0.1)


def test_how_it_ended_is_told(time_to_end: None) -> None:
    with running("import os; os.kill(os.getpid(), 40)") as child:  # a signal without a name
        read_all(child)
        assert child.close() == "signal 40"
        assert child.close() == "signal 40"
        with pytest.raises(ProcessGone):
            child.write(b"x")
        with pytest.raises(ProcessGone):
            child.read(0.0)


def test_what_cant_be_started_leaves_no_open_files() -> None:
    gc.collect()  # what other tests have left may close its files at any time
    before = open_files()
    with running_words("/no/such/program") as child:
        assert read_all(child) == b""
        assert child.close() == "it can't be started: No such file or directory"
    with pytest.raises(FileNotFoundError):
        ChildProcess(["true"], {}, folder=Path("/no/such/folder"))
    assert open_files() <= before


ESCAPE = """
import os, sys, time
told, tell = os.pipe()
if os.fork():
    os.wait()
    os.read(told, 1)  # until the other process has written: its end comes with this one's
    time.sleep({seconds})
    sys.exit(4)
os.setsid()
if os.fork():
    os._exit(0)
sys.stdout.write(str(os.getpid()) + "\\n")
sys.stdout.flush()
os.write(tell, b".")
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there orphans can be adopted")
@pytest.mark.parametrize("seconds", [0, 600])
def test_what_leaves_the_session_ends_as_well(seconds: int, time_to_end: None) -> None:
    with running(ESCAPE.format(seconds=seconds)) as child:
        text = child.read(PATIENCE)
        assert text is not None
        if not seconds:
            read_all(child)
        assert child.close() == ("signal SIGKILL" if seconds else "exit code 4")
    assert not is_alive(int(text))


def test_a_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = "import sys\nfor _ in range(300): sys.stderr.write('x' * 9999)\nprint('done')"
    with running(code, log) as child:
        assert read_all(child) == b"done\n"
        child.close()
    assert log.stat().st_size == 1 << 20


def test_one_that_waits_for_us_to_read_can_be_written_to() -> None:
    code = "import sys\nsys.stdout.write('x' * 10**6)\nprint(len(sys.stdin.read()))"
    with running(code) as child:
        child.write(b"y" * 10**6, PATIENCE)
        child.finish()
        assert read_all(child).endswith(b"x1000000\n")


def test_nothing_stays_open_when_nobody_holds_it() -> None:
    child = ChildProcess([sys.executable, "-c", "input()"], dict(os.environ))
    pid = child.pid
    del child
    wait_until(lambda: not is_alive(pid))


def test_it_gets_no_signals_of_our_terminal() -> None:
    with running("import os; print(os.getsid(0) == os.getpid(), flush=True); input()") as child:
        text = child.read(PATIENCE)
        assert text is not None
        assert text == b"True"


@pytest.mark.parametrize("end", ["pass", "os.kill(os.getpid(), 9)"])
def test_it_ends_with_our_program_however_that_ends(end: str) -> None:
    code = (
        "import os, sys\n"
        "from boardgames_cli.agents.remote.child import ChildProcess\n"
        "child = ChildProcess([sys.executable, '-c', 'import time; time.sleep(600)'], "
        "dict(os.environ))\n"
        f"print(child.pid, flush=True)\n{end}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == ""
    wait_until(lambda: not is_alive(int(done.stdout)))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_of_ours_leaves_it_alone() -> None:
    with running("input()") as child:
        if (fork := os.fork()) == 0:
            child.kill()
            os._exit(0)
        os.waitpid(fork, 0)
        assert is_alive(child.pid)


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=5), st.integers(1, 7))
def test_lines_survive_any_cutting(texts: list[bytes], size: int) -> None:
    lines = [text.hex().encode() for text in texts]
    data = b"".join(line + b"\n" for line in lines)
    reader = LineReader()
    found = []
    for start in range(0, len(data), size):
        reader.feed(data[start : start + size])
        while (line := reader.next()) is not None:
            found.append(line)
    assert found == lines
    assert not reader.has_more
