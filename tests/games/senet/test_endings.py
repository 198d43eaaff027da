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
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.endings import parse_table
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.games.senet import ending_tables
from boardgames_cli.games.senet.actions import THROWS
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.ending_tables import (
    BUNDLED,
    Endings,
    TableLayout,
    _data,
    _rounded,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

SAMPLE = Path(__file__).parents[2] / "data" / "senet_exact_sample.jsonl.gz"
RULES = ("kendall", "skyruk")


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


@pytest.mark.parametrize("rules", RULES)
def test_every_chance_is_the_mean_of_the_best_moves(rules: str) -> None:
    game, endings, rng = Senet(rules), Endings.load(rules).exact, random.Random(rules)
    assert endings.error < 1e-5
    for _ in range(300):
        state = random_ending(rng, rules)
        after = [(game.apply_chance(state, throw), p) for throw, p in game.chance_outcomes(state)]
        mean = sum(p * (endings.value(thrown) or 0.0) for thrown, p in after)
        assert endings.value(state) == pytest.approx(mean, abs=2 * endings.error)


def random_ending(rng: random.Random, rules: str) -> SenetState:
    houses = [house for house in range(1, 31) if house != 27 or rules == "skyruk"]
    cones, spools = rng.randint(1, BUNDLED), rng.randint(1, BUNDLED)
    spots = [bit(house) for house in rng.sample(houses, cones + spools)]
    return SenetState(sum(spots[:cones]), sum(spots[cones:]), rng.randrange(2), None)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_every_position_has_a_number_of_its_own(rules: str) -> None:
    layout = TableLayout(rules, 2)
    houses = [bit(house) for house in range(1, 31) if house != 27 or rules == "skyruk"]
    numbers = {
        layout.number(sum(own), sum(opponent))
        for owns in (1, 2)
        for opponents in (1, 2)
        for own in combinations(houses, owns)
        for opponent in combinations(sorted(set(houses) - set(own)), opponents)
        if owns + opponents < 4 or own[0] < bit(3)  # not quite all, to be quick
    }
    assert None not in numbers
    assert numbers >= set(range(layout.parts[3].start))
    assert max(number for number in numbers if number is not None) < layout.size


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
    header = json.loads(_data("kendall.endings").read_bytes().partition(b"\n")[0])
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


def test_a_lookup_needs_no_other_package() -> None:
    code = (
        "import sys; from boardgames_cli.games.senet.ending_tables import Endings;"
        "assert Endings.load('skyruk').chance(1, 2);"
        "print({'numpy', 'numba', 'platformdirs'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# -- rounded tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_the_first_line_of_a_rounded_table_tells_what_follows(rules: str) -> None:
    line, values = _data(f"{rules}.rounded").read_bytes().split(b"\n", 1)
    header = json.loads(line)
    assert header["sha256"] == hashlib.sha256(values).hexdigest()
    assert header["error"] == pytest.approx(Endings.load(rules).error, abs=1e-6)
    assert Endings.load(rules).rounded == values


def test_a_rounded_table_is_mapped_and_from_a_zip_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mapped = Endings.load("kendall").rounded
    assert isinstance(mapped.obj, mmap.mmap)
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as file:
        file.write(str(_data("kendall.rounded")), "kendall.rounded")
    there = zipfile.Path(tmp_path / "program.zip")
    monkeypatch.setattr(ending_tables, "_data", lambda name: there / name)
    assert _rounded.__wrapped__("kendall") == mapped


def test_a_rounded_table_that_is_cut_or_of_other_rules_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = _data("kendall.rounded").read_bytes()
    monkeypatch.setattr(ending_tables, "_data", tmp_path.joinpath)
    other = content.replace(b'"rules_version": 1', b'"rules_version": 2', 1)
    for wrong in (content[:-1], other, b""):
        (tmp_path / "kendall.rounded").write_bytes(wrong)
        with pytest.raises(LearnedFileError, match="for other rules of the game, or damaged"):
            _rounded.__wrapped__("kendall")
