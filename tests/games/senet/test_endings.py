"""Exact endings: the bundled tables against the truth, and what becomes of broken ones."""

from __future__ import annotations

import gzip
import hashlib
import json
import mmap
import random
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import boardgames_cli
from boardgames_cli.algorithms.endings import parse_table
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.games.senet.actions import THROWS
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.ending_tables import (
    BUNDLED,
    Endings,
    TableLayout,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

SAMPLE = Path(__file__).parents[2] / "data" / "senet_exact_sample.jsonl.gz"
RULES = ("kendall", "skyruk")
PACKAGE = Path(boardgames_cli.__file__).parent
DATA = PACKAGE / "games/senet/data"


def test_tables_have_the_values_of_an_independent_solver() -> None:
    checked: Counter[bool] = Counter()
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        game, endings = Senet(row["rules"]), Endings.load(row["rules"])
        position = {key: row[key] for key in ("cones", "spools", "player")}
        state = game.from_json(position | {"steps": None, "pieces": 5})
        is_exact = endings.exact.value(state) is not None
        close = (endings.exact if is_exact else endings).error + 1e-6
        assert endings.value(state) == pytest.approx(row["win_prob_before_throw"], abs=close)
        for throw in THROWS:
            thrown = game.apply_chance(state, throw)
            known = row["by_steps"][str(throw.steps)]["values"]
            found = endings.action_chances(thrown)
            assert found is not None
            for move in game.legal_actions(thrown, thrown.player):
                wanted = known[str(game.action_id(thrown, move))]
                assert found[str(move)] == pytest.approx(wanted, abs=close)
            assert endings.value(thrown) == max(found.values())
        checked[is_exact] += 1
    assert checked == {True: 90, False: 110}
    assert [Endings.load(rules).error < 0.002 for rules in RULES] == [True, True]


def test_tables_have_the_sizes_that_are_known() -> None:
    assert TableLayout("kendall", 3).size == 12_230_750
    assert [part.size for part in TableLayout("kendall", 2).parts] == [812, 10_962, 10_962, 142_506]
    assert TableLayout("kendall", 3).parts[:4] == TableLayout("kendall", 2).parts


def test_what_no_table_has() -> None:
    endings = Endings.load("kendall").exact
    assert endings.up_to == BUNDLED
    assert endings.value(Senet().initial_state()) is None
    assert endings.chance(0b111, bit(30)) is None
    assert endings.chance(bit(27), bit(30)) is None, "nobody stays in the Water"
    # A move that leads to positions the table has, from one it has not: the choice needs all.
    capture = SenetState(bit(1) | bit(2) | bit(30), bit(5), 0, 1)
    assert endings.value(capture) is None
    assert endings.chance(0, 0b11111) == 1.0
    assert endings.chance(0b11111, 0) == 0.0
    assert endings.value(SenetState(0, 0b1, 1, None)) == 0.0


# -- files -----------------------------------------------------------------------------------------


def file_of(**changes: Any) -> bytes:
    header = json.loads((DATA / "kendall.endings").read_bytes().partition(b"\n")[0])
    numbers = b"\x40\x9c" * 3
    told = {"positions": 3, "sha256": hashlib.sha256(numbers).hexdigest()}
    return json.dumps(header | told | changes).encode() + b"\n" + numbers


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (file_of()[:-2], "checksum is wrong"), (file_of()[:-1] + b"\x00", "checksum is wrong"),
        (b"", "is not JSON"), (random.Random(1).randbytes(5000), "is not JSON"),
        (b"{}\n" + file_of(), "is not a table of endings"),
        (file_of(game="go"), "made for go, not senet"),
        (file_of(rules_version=9), "version 9 of the rules"),
        (file_of(boardgames_endings=7), "written in format 7"),
    ],
)  # fmt: skip
def test_a_table_that_is_damaged_or_of_other_rules_is_refused(content: bytes, message: str) -> None:
    assert list(parse_table(file_of(), "small", Senet()).numbers) == [40_000] * 3
    with pytest.raises(LearnedFileError, match=message):
        parse_table(content, "small", Senet())


# -- rounded tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_the_first_line_of_a_rounded_table_tells_what_follows(rules: str) -> None:
    line, values = (DATA / f"{rules}.rounded").read_bytes().split(b"\n", 1)
    header = json.loads(line)
    assert header["sha256"] == hashlib.sha256(values).hexdigest()
    assert header["error"] == pytest.approx(Endings.load(rules).error, abs=1e-6)
    assert Endings.load(rules).rounded == values


def test_a_rounded_table_is_mapped() -> None:
    assert isinstance(Endings.load("kendall").rounded.obj, mmap.mmap)


LOOK_UP = """
import sys
from boardgames_cli.games.senet.ending_tables import Endings
found = Endings.load("kendall")
print(found.chance(0b111, 0b111000), {"numpy", "numba", "platformdirs"} & set(sys.modules))
"""
ROUNDED = (DATA / "kendall.rounded").read_bytes()
REFUSED = "LearnedFileError: kendall.rounded is for other rules of the game, or damaged"


@pytest.mark.parametrize(
    ("rounded", "error"),
    [
        (ROUNDED, ""),
        (ROUNDED[:-1], REFUSED),
        (ROUNDED.replace(b'"rules_version": 1', b'"rules_version": 2', 1), REFUSED),
        (b"", REFUSED),
    ],
    ids=["sound", "cut", "other rules", "empty"],
)
def test_a_program_in_a_zip_reads_its_tables_and_needs_no_other_package(
    tmp_path: Path, rounded: bytes, error: str
) -> None:
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as program:
        for file in [*PACKAGE.rglob("*.py"), *DATA.glob("kendall.endings")]:
            program.write(file, file.relative_to(PACKAGE.parent))
        program.writestr("boardgames_cli/games/senet/data/kendall.rounded", rounded)
    code = f"import sys; sys.path.insert(0, 'program.zip'){LOOK_UP}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert error in done.stderr
    chance = Endings.load("kendall").chance(0b111, 0b111000)
    assert done.stdout.strip() == ("" if error else f"{chance} set()")
