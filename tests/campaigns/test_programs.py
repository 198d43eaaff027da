"""Misbehaving programs: whatever a `cmd:` agent does, the game goes on and nothing of it is left.

Each round seats one of twelve programs that fall silent, stop in the middle of a line, write
garbage, die, flood, write without end, nest without end, stop themselves, leave children, take all
memory, or ignore every request to end, on one front end: lines through a pipe, the full screen in a
terminal, the full screen in real time, one JSON object, or a tournament. The exit code is 0 or 5,
the save is whole, and no process is left behind. The JSON games all run in this one process,
in which neither memory nor open files nor threads may grow.
"""

from __future__ import annotations

import gc
import json
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from boardgames_cli.agents.remote import client as remote_client
from boardgames_cli.session import agent_runner
from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import inside
from tests.campaigns.killing import QUIETLY
from tests.campaigns.processes import Piped
from tests.campaigns.pseudo_terminal import PseudoTerminal
from tests.campaigns.test_strangers import check_program

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

PROGRAM = Path(__file__).parents[1] / "odd_program.py"
WAYS = (
    "silent", "half", "garbage", "torn", "crash", "flood", "endless", "deep", "stop", "children",
    "hog", "stubborn",
)  # fmt: skip
LATE = ("silent", "half", "stop")
"""Those that are waited for: three seconds at every decision."""

THINK = ("--think", "0.05")
MOVES = 2
MOST_GROWTH = 24 << 20
"""Bytes by which this process may grow over all games."""


def spec(way: str) -> str:
    words = shlex.join([sys.executable, "-I", "-S", str(PROGRAM), way])
    return f"cmd[memory=150M,cpu=9s,start=3]:{words}"


def in_lines(folder: Path, way: str) -> None:
    words = ("play", "senet", "--vs", spec(way), "--seed", "3", *THINK, *QUIETLY)
    process = Piped(folder, *words)
    process.send("1\n" * MOVES + "q\n")
    check(folder, way, process.end(), process.raw + process.errors.encode())


def on_screen(folder: Path, way: str) -> None:
    at_the_screen(folder, way, ("play", "senet", "--vs", spec(way), "--seed", "3"))


def in_real_time(folder: Path, way: str) -> None:
    words = ("play", "pommerman", "-s", "human", "--vs", spec(way), "--mode", "duel")
    at_the_screen(folder, way, (*words, "--tick", "0.1"))


def at_the_screen(folder: Path, way: str, words: tuple[str, ...]) -> None:
    terminal = PseudoTerminal(folder, *words, *THINK, "--pace", "instant")
    try:
        if terminal.wait_for(b"\x1b[?1049h"):
            for key in "1" * MOVES:
                terminal.pump(0.4)
                terminal.send(key)
            for key in ("\x1b", "q", "1", "q", "1"):
                terminal.pump(0.3)
                if terminal.child.poll() is None:
                    terminal.send(key)
        check(folder, way, terminal.end(), terminal.raw)
        assert not terminal.left_on
    finally:
        terminal.close()


def check(folder: Path, way: str, code: int, raw: bytes) -> None:
    story = f"{way}, exit code {code}: {raw[-1500:]!r}"
    assert code in (0, 5), story
    check_program(folder, raw, story)


FRONTS: dict[str, Callable[[Path, str], None]] = {
    "lines": in_lines,
    "screen": on_screen,
    "real time": in_real_time,
}


@pytest.mark.parametrize("front", FRONTS)
def test_the_game_goes_on(campaign: Campaign, tmp_path: Path, front: str) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        way = WAYS[(here.index * 5 + campaign.seed + 4) % len(WAYS)]
        try:
            FRONTS[front](folder, way)
        except AssertionError as error:
            error.add_note(f"The program was {way}.")
            raise
        campaign.counts["games"] += 1

    campaign.each(1, 60, try_once)


def own_size() -> int:
    """Bytes of memory of this process; 0 where nobody tells."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return sum(1 for _ in folder.iterdir()) if folder.exists() else 0


def test_this_process_stays_as_it_is(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_client, "GRACE_SECONDS", 0.1)
    monkeypatch.setattr(agent_runner, "GRACE_SECONDS", 0.1)
    before: list[tuple[int, int, int]] = []

    def try_once(here: Round) -> None:
        way = WAYS[here.index % len(WAYS)]
        words = ("watch", "senet", "-s", spec(way), "-s", "random", "--seed", str(here.index))
        result = inside(tmp_path, *words, "--json", "--no-save", "--max-plies", "8", *THINK)
        check(tmp_path, way, result.code, (result.out + result.err).encode())
        report = json.loads(result.out)
        assert report["plies"] == 8
        assert (result.code == 5) == bool(report["notes"])
        campaign.counts["games"] += 1
        if here.index % len(WAYS) == len(WAYS) - 1 or not before:
            gc.collect()
            before.append((own_size(), open_files(), threading.active_count()))

    campaign.each(4, 600, try_once)
    size, files, threads = before[-1]
    early = before[min(1, len(before) - 1)]  # after everything was loaded once
    campaign.counts["bytes grown"] = max(0, size - early[0])
    assert size - early[0] < MOST_GROWTH
    assert files <= early[1]
    assert threads <= early[2] + 1


def test_tournaments_end(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        late, quick = LATE[here.index % len(LATE)], [way for way in WAYS if way not in LATE]
        start = here.index * 2 % len(quick)
        ways = [late, *(quick * 2)[start : start + 2], "well"]
        seats = [word for way in ways for word in ("-s", spec(way))]
        limits = ("--games", "2", "--max-plies", "2", "--jobs", "2", "--seed", str(here.index))
        words = ("tournament", "tapnswap", *seats, *limits, *THINK, "--out", "out", "--json")
        process = Piped(folder, *words)
        code = process.end()
        check(folder, " ".join(ways), code, process.raw + process.errors.encode())
        result = json.loads(process.raw)
        assert result["finished"]
        assert result["games"] == 12
        faults = {one["name"]: one["failures"] + one["late"] for one in result["entrants"]}
        assert faults[spec("well")] == 0
        campaign.counts["games"] += result["games"]

    campaign.each(0, 20, try_once)
