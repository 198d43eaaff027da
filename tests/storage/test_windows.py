"""Two windows and one save: whoever opens it goes on from where the other has left it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step

pytestmark = pytest.mark.slow

WINDOW: Final = Path(__file__).with_name("window.py")
ROUNDS: Final = int(os.environ.get("BOARDGAMES_TEST_ROUNDS", "200"))
"""How often the windows open a save; the variable makes it a campaign."""

A_GAME: Final = 20
"""Rounds until a new game is begun; few enough that none is over before."""


def play_in_two_windows(folder: Path, name: str, seed: int) -> int:
    """Let two processes take turns as fast as they can; returns how many steps they saved."""
    windows = [
        subprocess.Popen(
            [sys.executable, str(WINDOW), str(folder), name, str(A_GAME // 2), f"{seed}/{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(2)
    ]
    for window in windows:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n", window.communicate()[1]
    for window in windows:
        assert window.stdin is not None
        window.stdin.write("go\n")
        window.stdin.flush()
    ends = [window.communicate(timeout=60) for window in windows]
    assert [window.returncode for window in windows] == [0, 0], ends
    return sum(int(out) for out, _ in ends)


@pytest.mark.parametrize("seed", range(max(1, ROUNDS // A_GAME)))
def test_no_step_is_lost_or_taken_twice(tmp_path: Path, seed: int) -> None:
    store = Store(tmp_path)
    store.create(new_header(Senet(), seed=seed, seats=("random", "random"))).close()
    saved = play_in_two_windows(tmp_path, "senet-1", seed)
    match, journal, _ = store.resume("senet-1")
    journal.close()
    whole: AnyMatch = Match(Senet(), seed=seed)
    while whole.ply < match.ply:
        one_step(whole)
    assert match.steps == whole.steps
    assert match.ply == saved
