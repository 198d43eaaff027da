"""Games in plain text that do not begin at the beginning."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Program


def test_resume_takes_the_game_played_last(program: Program) -> None:
    program("play", "senet", "--vs", "random", lines=["q"])
    program("play", "senet", "--vs", "random", lines=["q"])
    program("watch", "senet", "--vs", "random", "--json")
    assert "boardgames resume senet-2" in program("resume", lines=["quit"]).out


def test_position_in_the_middle(program: Program, tmp_path: Path) -> None:
    start = {"cones": [28], "spools": [2], "player": 0, "steps": 2, "pieces": 5}
    (tmp_path / "end.json").write_text(json.dumps(start))
    text = program("play", "senet", "--vs", "random", "--position", "end.json").out
    assert "You: only 29>off is possible." in text
    assert "You won." in text
