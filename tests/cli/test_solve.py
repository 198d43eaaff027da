from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Program


def write(data: object) -> str:
    Path("position.json").write_text(json.dumps(data))
    return "position.json"


def test_the_known_truth(program: Program) -> None:
    assert program("solve", "tapnswap").out.splitlines() == [
        "TapnSwap: the side that begins has a loss in 26.",
        "positions  number  won  drawn  lost  longest end in plies",
        "reachable  534     372  26     136   33",
        "all        576     394  35     147   33",
    ]


def test_the_known_truth_as_json(program: Program) -> None:
    assert json.loads(program("solve", "tapnswap", "--json").out) == {
        "game": "tapnswap",
        "start": {"outcome": "loss", "plies": 26},
        "reachable": {"won": 372, "drawn": 26, "lost": 136, "longest": 33},
        "all": {"won": 394, "drawn": 35, "lost": 147, "longest": 33},
    }


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


@pytest.mark.parametrize(
    ("position", "code", "message"),
    [
        ({"hands": [[9, 2], [0, 1]], "player": 0}, 4, "hands[0] has 9 fingers"),
        ({"hands": [[3, 2], [0, 0]], "player": 1}, 2, "the game is over"),
    ],
)
def test_positions_that_can_not_be_judged(
    program: Program, position: object, code: int, message: str
) -> None:
    outcome = program("solve", "tapnswap", "--position", write(position))
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


def test_games_that_can_not_be_solved(program: Program) -> None:
    outcome = program("solve", "deepsea")
    assert outcome.code == 2
    assert "chance has a part in it" in outcome.err
    assert program("solve", "nothing").code == 2
    outcome = program("solve")
    assert (outcome.code, outcome.err) == (
        2,
        "no game is named.   Name one, or see what is solved: --list\n",
    )
