from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Program


def write(data: object) -> str:
    Path("position.json").write_text(json.dumps(data))
    return "position.json"


def test_a_position(program: Program) -> None:
    path = write({"hands": [[3, 2], [0, 1]], "player": 0})
    assert program("solve", "tapnswap", "--position", path).out.splitlines() == [
        "TapnSwap: the side to move has a win in 11.",
        "action    leads to",
        "tap R>R   win in 11",
        "tap L>R   loss in 32",
        "swap 1-4  loss in 8",
        "swap 4-1  loss in 8",
    ]
    facts = json.loads(program("solve", "tapnswap", "--position", path, "--json").out)
    assert facts["position"] == {"outcome": "win", "plies": 11}
    assert facts["actions"]["tap L>R"] == {"outcome": "loss", "plies": 32}
