"""Misbehaving agents: whatever an agent does, the game goes on and the program stays itself.

Each round seats an agent of an installed package that raises, lies, hangs, holds the interpreter,
prints, reads, exits, dies, leaves children, or changes what it was given, on one front end: lines
through a pipe, one JSON object, the full screen in a terminal, or the full screen in real time. The
person can play on and leave, and the exit code is 0 or 5 (2 if the agent can't even be seated).
Standard output has nothing of the agent's, lines meant for the program are not eaten, no escape
sequence of the agent reaches the terminal, the save is whole, and no process is left behind.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaigns import strangers
from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.killing import QUIETLY
from tests.campaigns.processes import Piped, saves_in
from tests.campaigns.pseudo_terminal import PseudoTerminal

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

NAMES = sorted(strangers.SPECS)
UNSEATABLE = ("cantbemade", "cantsupport", "refuses")
WRITERS = ("prints", "reads")
THINK = ("--think", "0.05")
MOVES = 3
ESCAPES = tuple(
    part.encode() for part in ("\x1b]0;stranger", "\x9b31m", "\x07\x1b[2J", "\x1b[2J\x9b")
)


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    """An installed package with all agents; what to put on the path."""
    folder = tmp_path / "packages"
    metadata = folder / "strangers-1.0.dist-info"
    metadata.mkdir(parents=True)
    shutil.copy(str(strangers.__file__), folder / "strangers.py")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    entries = "".join(f"{name} = strangers:SPEC_{name}\n" for name in NAMES)
    (metadata / "entry_points.txt").write_text(f"[boardgames_cli.agents]\n{entries}")
    return f"{Path(__file__).parents[2]}{os.pathsep}{folder}"


def in_lines(folder: Path, name: str, path: str) -> None:
    words = ("play", "senet", "--vs", name, "--seed", "3", *THINK, *QUIETLY)
    process = Piped(folder, *words, PYTHONPATH=path)
    process.send("1\n" * MOVES + "pos\nq\n")
    code = process.end()
    text = process.raw.decode() + process.errors
    check(folder, name, code, text.encode())
    if name in WRITERS:
        assert strangers.CANARY.encode() not in process.raw
    if code == 0:
        assert process.raw.count(b"You> ") == MOVES + 2, "somebody else has read the lines"


def as_json(folder: Path, name: str, path: str) -> None:
    words = ("watch", "senet", "-s", name, "--vs", "random", "--json", "--max-plies", "12", *THINK)
    process = Piped(folder, *words, PYTHONPATH=path)
    code = process.end()
    check(folder, name, code, process.raw + process.errors.encode())
    if code == 0 or process.raw:  # an agent that can't even be seated leaves no result
        json.loads(process.raw)


def on_screen(folder: Path, name: str, path: str) -> None:
    _at_the_screen(folder, name, path, ("play", "senet", "--vs", name, "--seed", "3"))


def in_real_time(folder: Path, name: str, path: str) -> None:
    words = ("play", "pommerman", "-s", "human", "--vs", name, "--mode", "duel", "--tick", "0.1")
    _at_the_screen(folder, name, path, words)


def _at_the_screen(folder: Path, name: str, path: str, words: tuple[str, ...]) -> None:
    terminal = PseudoTerminal(folder, *words, *THINK, "--pace", "instant", PYTHONPATH=path)
    try:
        if terminal.wait_for(b"\x1b[?1049h"):
            for key in "1" * MOVES:
                terminal.pump(0.4)
                terminal.send(key)
            for key in ("\x1b", "q", "1", "q", "1"):
                terminal.pump(0.3)
                if terminal.child.poll() is None:
                    terminal.send(key)
        code = terminal.end()
        check(folder, name, code, terminal.raw)
        assert not terminal.left_on
        assert terminal.settings == terminal.before
    finally:
        terminal.close()


def check(folder: Path, name: str, code: int, raw: bytes) -> None:
    """What is true on every front end."""
    story = f"{name}, exit code {code}: {raw[-1500:]!r}"
    assert code in ((0, 5, 2) if name in UNSEATABLE or "reset" in name else (0, 5)), story
    if code == 2:
        assert name.encode() in raw, story
    check_program(folder, raw, story)


def check_program(folder: Path, raw: bytes, story: str) -> None:
    """What is true whoever plays."""
    for mark in (b"Traceback (most recent", b"internal error", b"boardgames crashed"):
        assert mark not in raw, story
    for escape in ESCAPES:
        assert escape not in raw, story
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
    "json": as_json,
    "screen": on_screen,
    "real time": in_real_time,
}


@pytest.mark.parametrize("front", FRONTS)
def test_the_program_stays_itself(
    campaign: Campaign, tmp_path: Path, plugin: str, front: str
) -> None:
    order = sorted(NAMES, key=lambda name: hash_of(name, campaign.seed))

    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        name = order[here.index % len(order)]
        try:
            FRONTS[front](folder, name, plugin)
        except AssertionError as error:
            error.add_note(f"The agent was {name}.")
            raise
        campaign.counts["games"] += 1

    campaign.each(2, len(NAMES), try_once)


def hash_of(name: str, seed: int) -> bytes:
    """An order of the agents that is another for every seed and the same in every process."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()
