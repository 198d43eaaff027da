"""Pommerman in a real terminal: real time, keys, two people, fog."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from boardgames_cli.storage.reading import load_record
from tests.e2e.screens import Terminal

pytestmark = pytest.mark.second_try("waits for a program in a real terminal")

STEPS = r"step ([2-9]|\d\d+) of 800"
"""Time has passed. No single step can be waited for: it may be over before it is read."""

DUEL = ("play", "pommerman", "--mode", "duel", "--seed", "5", "--think", "60")


def steps(folder: Path) -> list[list[str]]:
    """What the seats did in each step of the only save, the layout left out."""
    (save,) = (folder / "saves").glob("*.jsonl")
    return [list(step.values()) for step in load_record(save).steps if "chance" not in step]


def leave(terminal: Terminal) -> None:
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143


def test_time_passes_without_a_key_and_stands_still_in_a_pause(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *DUEL, "-s", "human:Ann", "-s", "human:Ben", "--tick", "0.2")
    terminal.wait_for(STEPS)
    terminal.send("p")
    terminal.wait_for("paused")
    played = len(steps(tmp_path))
    for _ in range(20):
        terminal.pump()
    assert len(steps(tmp_path)) == played
    assert all(step == ["stop", "stop"] for step in steps(tmp_path))
    terminal.send("s")  # in a pause a key plays one step
    terminal.wait_for(rf"step {played + 1} of 800")
    assert steps(tmp_path)[-1] == ["down", "stop"]
    leave(terminal)


def test_two_play_one_team_behind_lock_screens(tmp_path: Path) -> None:
    words = ("play", "pommerman", "--mode", "team", "--seed", "5", "--vs", "random")
    seats = ("-s", "human:Ann", "-s", "random", "-s", "human:Ben")
    terminal = Terminal(tmp_path, *words, *seats, "--think", "60")
    for name, key in (("ANN", "s"), ("BEN", "w")):
        terminal.wait_for(f"(?i)pass .*{name}")
        for _ in range(5):  # the rest of the lock screen may still be on its way
            terminal.pump()
        assert "#" not in terminal.text
        assert "You are" not in terminal.text
        terminal.send("\r")
        terminal.wait_for(f"You are {'A' if name == 'ANN' else 'C'}")
        terminal.send(key)
    terminal.wait_for("(?i)pass .*ANN")
    leave(terminal)
    assert [(step[0], step[2]) for step in steps(tmp_path)] == [("down", "up")]
