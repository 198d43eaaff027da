"""Killing a playing process never costs more than the line being written.

`tests/campaigns/test_kills.py` kills the whole program at any moment.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.reading import load_record
from boardgames_cli.storage.store import Store
from boardgames_cli.testing.scene import one_step
from tests.storage.driver import UNDO_STEPS

pytestmark = pytest.mark.slow

DRIVER = Path(__file__).with_name("driver.py")
SEED = 77
KILLS = 20
MOST_LINES = 2000
"""Of the saving code, in which a process is killed: those of some fifty steps and undos."""


def test_a_save_survives_kill_9_inside_the_saving_code(tmp_path: Path) -> None:
    whole: AnyMatch = Match(Senet(), seed=SEED)
    while whole.waiting_for:
        one_step(whole)
    store = Store(tmp_path)
    delays = random.Random(SEED)
    reached = set()
    for _ in range(KILLS):
        lines = delays.randrange(1, MOST_LINES)
        command = [sys.executable, str(DRIVER), str(tmp_path), str(SEED), str(lines)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "playing\n", process.communicate()[1]
            assert process.wait(60) == -signal.SIGKILL
            told = [int(line) for line in process.stdout.read().split("\n")[:-1]]
        assert list(store.names()) == ["senet-1"]
        match, journal, _ = store.resume("senet-1")
        journal.close()
        assert match.steps == whole.steps[: match.ply]
        # The next step may be saved already, or an undo, or the beginning of the next game.
        last = told[-1] if told else match.ply
        assert match.ply in (last, last + 1, last - UNDO_STEPS, 0)
        assert not load_record(store.find("senet-1")).torn
        reached.add(match.ply)
    assert len(reached) > 1, "the process was killed in the same place each time"
