"""``boardgames agents check`` and ``agent serve``: for people who write agents."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import Program

ODD = Path(__file__).parents[1] / "odd_program.py"


def command(*words: str) -> str:
    return "cmd:" + shlex.join([sys.executable, "-I", "-S", str(ODD), *words])


def test_a_good_program_passes(program: Program) -> None:
    result = program("agents", "check", command("well"), "--game", "senet", "--games", "2")
    assert result.code == 0, result.out
    assert "FAILED" not in result.out
    assert "All trials passed." in result.out


@pytest.mark.parametrize(
    ("way", "row"),
    [
        ("illegal", "answers legally"),
        ("exit", "answers legally"),
        pytest.param("slow", "answers in time", marks=pytest.mark.slow),
        ("moody", "answers the same again"),
    ],
)
def test_what_is_wrong_is_named(program: Program, way: str, row: str) -> None:
    words = ("agents", "check", command(way), "--game", "tapnswap", "--games", "1")
    result = program(*words, "--think", "0.05", "--json")
    trials = {trial["name"]: trial for trial in json.loads(result.out)["trials"]}
    assert trials[row]["passed"] is False
    assert trials["says what it can play"]["passed"] is True
    assert result.code == 5


def test_a_coin_is_found_out_where_a_game_has_one_decision(program: Program) -> None:
    words = ("agents", "check", command("moody"), "--game", "kuhn", "--games", "1", "--json")
    for seed in map(str, range(6)):
        trials = {
            row["name"]: row for row in json.loads(program(*words, "--seed", seed).out)["trials"]
        }
        assert trials["answers the same again"]["passed"] is False
