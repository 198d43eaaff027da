from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from boardgames_cli.games.senet.ending_tables import Endings
from tests.conftest import Program

ENDING = {"cones": [4, 25], "spools": [7], "player": 0, "pieces": 5}
"""A position whose values an independent solver has found."""


@pytest.fixture(autouse=True)
def own_tables(monkeypatch: pytest.MonkeyPatch, clean_environment: Path) -> Path:
    folder = clean_environment / "tables"
    monkeypatch.setenv("BOARDGAMES_TABLES", str(folder))
    return folder


def test_the_table_that_is_there_is_told_of(program: Program, own_tables: Path) -> None:
    outcome = program("solve", "senet", "--rules", "skyruk")
    assert outcome.out.splitlines() == [
        "Senet, skyruk: 189,660 positions with up to 2 dancers a side.",
        "error: at most 2.0e-07, and 7.6e-06 by rounding to 16 bits",
        "file: comes with the program",
        "dancers a side at the start  the side that begins wins",
        "1                            55.12 %",
        "2                            56.58 %",
    ]
    told = json.loads(program("solve", "senet", "--json").out)
    assert told["starts"] == pytest.approx([0.53339, 0.52346], abs=1e-5)
    assert not own_tables.exists()


def test_a_table_of_the_user_is_told_of_and_its_damage_too(
    program: Program, own_tables: Path
) -> None:
    path = own_tables / "senet-kendall.endings"
    table = Endings.load("kendall").table
    own_tables.mkdir()
    path.write_bytes(b"".join(replace(table, up_to=1, numbers=table.numbers[:812]).content()))
    told = program("solve", "senet").out.splitlines()
    assert told[0] == "Senet, kendall: 812 positions with up to 1 dancers a side."
    assert told[2] == f"file: {path}"
    path.write_bytes(path.read_bytes()[:-1])
    outcome = program("solve", "senet")
    assert "its checksum is wrong" in outcome.err
    assert "file: comes with the program" in outcome.out


def test_a_table_of_other_rules_is_refused(program: Program, own_tables: Path) -> None:
    table = Endings.load("kendall").table
    old = replace(table, rules_version=table.rules_version + 1)
    own_tables.mkdir()
    (own_tables / "senet-kendall.endings").write_bytes(b"".join(old.content()))
    told = program("solve", "senet").err
    assert "not used: the table of endings was made for version 2 of the rules of Senet" in told


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
