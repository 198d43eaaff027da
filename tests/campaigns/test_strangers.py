"""Misbehaving agents: whatever an agent does, the game goes on and the program stays itself.

Each round seats an agent of an installed package (`tests.strangers`) or a program (`cmd:` with
`tests/odd_program.py`) that raises, lies, hangs, prints, dies, floods, leaves children, takes all
memory, or changes what it was given, on one front end: lines through a pipe, the full screen in a
terminal, or the full screen in real time. The person can play on and leave, and the exit code is 0
or 5 (2 if the agent can't even be seated). Lines meant for the program are not eaten, no escape
sequence of the agent reaches the terminal, the save is whole, and no process is left behind. As one
JSON object they all play in this one process, in which neither memory nor open files nor threads
may grow.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shlex
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import QUIETLY, check_manners, inside, saves_in
from tests.e2e.screens import Terminal
from tests.e2e.test_plain_terminal import pipe
from tests.processes import open_files
from tests.strangers import CANARY

pytestmark = pytest.mark.second_try("waits for programs that are killed or disturbed")

ROOT = Path(__file__).parents[2]
UNSEATABLE = tuple(
    f"odd:way={way},when={when}"
    for when in ("init", "supports", "reset")
    for way in ("exit", "die")
)
ODD = (
    *(f"odd:way={way}" for way in (
        "error", "mute", "interrupt", "exit", "generator", "recurse", "hog", "sleep", "spin",
        "shout", "curse", "print", "close", "die", "kill", "crash", "stop", "deaf", "child",
        "change", "garbage", "endless", "deep",
    )),
    *(f"odd:answer={answer}" for answer in ("win", "none", "all", "function", "meddle")),
    "odd:way=error,when=watch",
    *UNSEATABLE,
)  # fmt: skip
PROGRAMS = tuple(
    f"cmd[memory=150M,start=3]:"
    f"{shlex.join([sys.executable, '-I', '-S', str(ROOT / 'tests' / 'odd_program.py'), way])}"
    for way in (
        "silent", "half", "garbage", "torn", "crash", "flood", "endless", "deep", "stop",
        "children", "hog", "stubborn",
    )
)  # fmt: skip
THINK = ("--think", "0.05")
MOVES = 3
ESCAPES = tuple(f"{escape}{CANARY}".encode() for escape in ("\x1b]0;", "\x1b[2J\x9b31m"))
MOST_GROWTH = 24 << 20
"""Bytes by which this process may grow over all games."""


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    """An installed package with the agent; what to put on the path."""
    folder = tmp_path / "packages"
    metadata = folder / "strangers-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    entry = "[boardgames_cli.agents]\nodd = tests.strangers:ODD\n"
    (metadata / "entry_points.txt").write_text(entry)
    return f"{ROOT}{os.pathsep}{folder}"


def in_lines(folder: Path, agent: str, path: str) -> None:
    words = ("play", "senet", "--vs", agent, "--seed", "3", *THINK, *QUIETLY)
    done = pipe(folder, *words, text="1\n" * MOVES + "pos\nq\n", PYTHONPATH=path)
    check(folder, agent, done.returncode, (done.stdout + done.stderr).encode())
    assert "shout" not in agent or CANARY not in done.stdout
    if done.returncode == 0:
        assert done.stdout.count("You> ") == MOVES + 2, "somebody else has read the lines"


def on_screen(folder: Path, agent: str, path: str) -> None:
    _at_the_screen(folder, agent, path, ("play", "senet", "--vs", agent, "--seed", "3"))


def in_real_time(folder: Path, agent: str, path: str) -> None:
    words = ("play", "pommerman", "-s", "human", "--vs", agent, "--mode", "duel", "--tick", "0.1")
    _at_the_screen(folder, agent, path, words)


def _at_the_screen(folder: Path, agent: str, path: str, words: tuple[str, ...]) -> None:
    terminal = Terminal(folder, *words, *THINK, "--pace", "instant", PYTHONPATH=path)
    with contextlib.suppress(AssertionError):  # one that can't be seated opens no screen
        terminal.wait_for_bytes(b"\x1b[?1049h")
        for key in ("1",) * MOVES:
            _rest(terminal, 0.4)
            terminal.send(key)
    for key in ("\x1b", "q", "1", "q", "1"):
        _rest(terminal, 0.3)
        if terminal.child.isalive():
            terminal.send(key)
    check(folder, agent, terminal.end(), terminal.raw)
    terminal.check_given_back()


def _rest(terminal: Terminal, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and terminal.child.isalive():
        terminal.pump(0.05)


def check(folder: Path, agent: str, code: int, raw: bytes) -> None:
    """What is true whoever plays, and on every front end."""
    story = f"{agent}, exit code {code}: {raw[-1500:]!r}"
    assert code in ((0, 5, 2) if agent in UNSEATABLE else (0, 5)), story
    if code == 2:
        assert b"odd" in raw, story
    for mark in (b"Traceback (most recent", b"Internal error", b"boardgames crashed", *ESCAPES):
        assert mark not in raw, story
    for save in saves_in(folder):
        check_manners(inside(folder, "saves", "show", save.stem), (0,))
    deadline = time.monotonic() + 60
    while (left := left_behind(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"processes left behind: {left}"


def left_behind(folder: Path) -> list[str]:
    """The processes that still run with this folder in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Programs that play get a part of the environment only.
            is_ours = f"={folder}/".encode() in (process / "environ").read_bytes()
            if is_ours and process.name != str(os.getpid()):
                found.append((process / "cmdline").read_text().replace("\0", " ")[:200])
    return found


FRONTS: dict[str, Callable[[Path, str, str], None]] = {
    "lines": in_lines,
    "screen": on_screen,
    "real time": in_real_time,
}


@pytest.mark.parametrize("agents", [ODD, PROGRAMS], ids=["package", "program"])
@pytest.mark.parametrize("front", FRONTS)
def test_the_program_stays_itself(
    campaign: Campaign, tmp_path: Path, plugin: str, front: str, agents: tuple[str, ...]
) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        agent = agents[(7 * here.index + 11 * campaign.seed + len(front)) % len(agents)]
        try:
            FRONTS[front](folder, agent, plugin)
        except AssertionError as error:
            error.add_note(f"The agent was {agent}.")
            raise
        campaign.counts["games"] += 1

    campaign.each(2 if front == "lines" else 1, len(agents), try_once)


def own_size() -> int:
    """Bytes of memory of this process; 0 where nobody tells."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0


def test_this_process_stays_as_it_is(campaign: Campaign, tmp_path: Path) -> None:
    before: list[tuple[int, int, int]] = []

    def try_once(here: Round) -> None:
        agent = PROGRAMS[here.index % len(PROGRAMS)]
        words = ("watch", "senet", "-s", agent, "-s", "random", "--seed", str(here.index))
        result = inside(tmp_path, *words, "--json", "--no-save", "--max-plies", "8", *THINK)
        check(tmp_path, agent, result.code, (result.out + result.err).encode())
        report = json.loads(result.out)
        assert report["plies"] == 8
        assert (result.code == 5) == bool(report["notes"])
        campaign.counts["games"] += 1
        if here.index % len(PROGRAMS) == len(PROGRAMS) - 1 or not before:
            gc.collect()
            before.append((own_size(), open_files(), threading.active_count()))

    campaign.each(4, 600, try_once)
    size, files, threads = before[-1]
    early = before[min(1, len(before) - 1)]  # after everything was loaded once
    campaign.counts["bytes grown"] = max(0, size - early[0])
    assert size - early[0] < MOST_GROWTH
    assert files <= early[1]
    assert threads <= early[2] + 1
