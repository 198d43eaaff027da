from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Program

ENDING = {"cones": [4, 25], "spools": [7], "player": 0, "pieces": 5}
"""A position whose values an independent solver has found."""


def test_the_table_that_is_there_is_told_of(program: Program) -> None:
    outcome = program("solve", "senet", "--rules", "skyruk")
    assert outcome.out.splitlines() == [
        "Senet, skyruk: 189,660 positions with up to 2 dancers a side.",
        "error: at most 2.0e-07, and 7.6e-06 by rounding to 16 bits",
        "dancers a side at the start  the side that begins wins",
        "1                            55.12 %",
        "2                            56.58 %",
    ]
    told = json.loads(program("solve", "senet", "--json").out)
    assert told["starts"] == pytest.approx([0.53339, 0.52346], abs=1e-5)


def test_a_position_is_judged(program: Program) -> None:
    Path("thrown.json").write_text(json.dumps(ENDING | {"steps": 1}))
    outcome = program("solve", "senet", "--position", "thrown.json")
    assert outcome.out.splitlines() == [
        "Senet: the player whose turn it is wins with probability 0.5071.",
        "action  chance of winning",
        "5>6     0.5071",
        "26>15   0.4308",
    ]
    Path("before.json").write_text(json.dumps(ENDING | {"steps": None}))
    found = json.loads(program("solve", "senet", "--position", "before.json", "--json").out)
    assert found.pop("chance") == pytest.approx(0.505068349, abs=1e-5)
    assert found == {"game": "senet", "actions": {}}
