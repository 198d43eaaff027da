from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from boardgames_cli.cli.solve import _existing
from boardgames_cli.core.errors import install_command
from boardgames_cli.games.senet.ending_tables import ENDINGS, Endings
from boardgames_cli.games.senet.rules import Senet
from tests.conftest import Program

ENDING = {"cones": [4, 25], "spools": [7], "player": 0, "pieces": 5}
"""A position whose values an independent solver has found."""


@pytest.fixture(autouse=True)
def own_tables(monkeypatch: pytest.MonkeyPatch, clean_environment: Path) -> Path:
    folder = clean_environment / "tables"
    monkeypatch.setenv("BOARDGAMES_TABLES", str(folder))
    return folder


def lines(*rows: str) -> list[str]:
    head = "game   rules    pieces a side  positions  error    file"
    return [head, *(f"senet  {row}" for row in rows)]


BUNDLED = lines(
    "kendall  up to 2        165,242    7.8e-06  comes with the program",
    "skyruk   up to 2        189,660    7.8e-06  comes with the program",
)


def test_the_list_has_what_comes_with_the_program(program: Program) -> None:
    assert program("solve", "--list").out.splitlines() == BUNDLED
    assert program("solve", "senet", "--list").out.splitlines() == BUNDLED
    assert json.loads(program("solve", "kuhn", "--list", "--json").out) == []
    first = json.loads(program("solve", "--list", "--json").out)[0]
    assert first.pop("error") < 1e-5
    assert first == {
        "game": "senet", "rules": "kendall", "file": None, "problem": None,
        "up_to": 2, "positions": 165_242,
    }  # fmt: skip


def test_what_is_there_is_not_solved_again(program: Program, own_tables: Path) -> None:
    outcome = program("solve", "senet", "--rules", "skyruk", "--up-to", "2")
    assert outcome.out.splitlines() == [
        "There is a table already. Senet, skyruk: 189,660 positions with up to 2 dancers a side.",
        "error: at most 2.0e-07, and 7.6e-06 by rounding to 16 bits",
        "file: comes with the program",
        "dancers a side at the start  the side that begins wins",
        "1                            55.12 %",
        "2                            56.58 %",
    ]
    told = json.loads(program("solve", "senet", "--up-to", "2", "--json").out)
    assert told["starts"] == pytest.approx([0.53339, 0.52346], abs=1e-5)
    assert not own_tables.exists()


def test_a_table_is_made_and_listed_and_its_damage_too(program: Program, own_tables: Path) -> None:
    pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")
    made = program("solve", "senet", "--up-to", "1", "--force")
    assert (made.code, made.err) == (0, "")
    path = own_tables / "senet-kendall.endings"
    assert made.out.splitlines()[0] == (
        "Senet, kendall: 812 positions with up to 1 dancers a side."
    )
    assert made.out.splitlines()[2] == f"file: {path}"
    assert [file.name for file in own_tables.iterdir()] == [path.name]
    listed = program("solve", "--list").out.splitlines()
    assert listed[2] == f"senet  kendall  up to 1        812        7.6e-06  {path}"
    path.write_bytes(path.read_bytes()[:-1])
    assert "its checksum is wrong" in program("solve", "--list").out
    # A damaged table is not a table: it is made anew without being asked twice.
    again = program("solve", "senet", "--up-to", "1", "--out", "other", "--json")
    assert json.loads(again.out)["file"] == "other"
    outcome = program("solve", "senet", "--up-to", "1", "--out", "other")
    assert (outcome.code, outcome.err) == (4, "other already exists.   To replace it: --force\n")


def test_a_table_of_other_rules_is_refused_and_made_anew(
    program: Program, own_tables: Path
) -> None:
    table = Endings.load("kendall").table
    old = replace(table, rules_version=table.rules_version + 1)
    own_tables.mkdir()
    (own_tables / "senet-kendall.endings").write_bytes(b"".join(old.content()))
    told = program("solve", "--list").out
    assert "not used: the table of endings was made for version 2 of the rules of Senet" in told
    known = cast("Any", ENDINGS)
    assert _existing(Senet(), known, None, 3) is None, "one with three is solved again"
    pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")
    assert program("solve", "senet", "--up-to", "1", "--force").code == 0
    assert "not used" not in program("solve", "--list").out


def test_work_that_is_stopped_goes_on(
    program: Program, own_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="solving needs the extra `fast` (numba)")
    from boardgames_cli.games.senet.fast.solver import SenetSolver

    work = SenetSolver.work
    calls = 0

    def work_until_interrupted(self: SenetSolver) -> None:
        nonlocal calls
        calls += 1
        work(self)
        if calls == 10:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SenetSolver, "work", work_until_interrupted)
    solve = ("solve", "senet", "--up-to", "1", "--force")
    outcome = program(*solve)
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err == "Stopped. To continue, repeat the command.\n"
    unfinished = own_tables / "senet-kendall.endings.unfinished"
    assert [file.name for file in own_tables.iterdir()] == [unfinished.name]
    kept = unfinished.read_bytes()
    outcome = program(*solve)
    assert outcome.code == 0
    assert outcome.err.startswith("Resuming at ")
    assert not unfinished.exists()
    unfinished.write_bytes(kept[:-1])
    outcome = program(*solve)
    assert outcome.code == 0
    assert "is damaged, or for another table. Starting over." in outcome.err


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


def test_without_numba_it_says_what_to_install(own_tables: Path) -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from boardgames_cli.cli.main import run\n"
        "sys.exit(run(['solve', 'senet', '--up-to', '3']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "compiled rules need a package that is not installed (numba).   "
        f"Install it: {install_command('fast')}\n"
    )
    assert not own_tables.exists()
