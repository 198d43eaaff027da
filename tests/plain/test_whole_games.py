"""Whole games through the plain front end."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Program


def test_a_game_of_skyruk_to_the_end(program: Program) -> None:
    words = ["play", "senet", "--rules", "skyruk", "--pieces", "7", "--vs", "random", "--seed", "2"]
    outcome = program(*words, "--terse", lines=["1"] * 2000)
    assert outcome.code == 0
    assert outcome.err == ""
    *rest, closing_message, review = outcome.out.splitlines()
    # What was earned for the first time follows the result.
    result = next(line for line in reversed(rest) if "won" in line)
    assert closing_message == "Saved as senet-1. See it again: boardgames replay senet-1"
    assert review == "Have it judged: boardgames review senet-1"
    told = program("replay", "senet-1").out
    assert result in told
    facts = json.loads(program("replay", "senet-1", "--json").out)
    assert facts["over"]
    assert sorted(facts["returns"]) == [-1.0, 1.0]


def test_resume_takes_the_game_played_last(program: Program) -> None:
    program("watch", "senet", "--vs", "random", "--json")
    program("play", "senet", "--vs", "random", lines=["q"])
    assert "boardgames resume senet-2" in program("resume", lines=["quit"]).out


def test_position_in_the_middle(program: Program, tmp_path: Path) -> None:
    start = {"cones": [28], "spools": [2], "player": 0, "steps": 2, "pieces": 5}
    (tmp_path / "end.json").write_text(json.dumps(start))
    text = program("play", "senet", "--vs", "random", "--position", "end.json").out
    assert "You: only 29>off is possible." in text
    assert "You won." in text
