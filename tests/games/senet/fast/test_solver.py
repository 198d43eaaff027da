"""The solver of endings, and its tables in compiled code."""

from __future__ import annotations

import io
import random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.ending_tables import Endings, TableLayout
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.ranking import (
    UNKNOWN,
    chance_in,
    number_of,
    starts_of,
    table_of,
)
from boardgames_cli.games.senet.fast.solver import CLOSE, SenetSolver
from boardgames_cli.games.senet.rules import Senet


def solved(rules: str, up_to: int, workers: int | None = None) -> SenetSolver:
    solver = SenetSolver(Senet(rules), up_to, workers)
    while not solver.is_finished:
        solver.work()
    return solver


@pytest.mark.parametrize("rules", RULES)
def test_it_remakes_the_bundled_table_whose_bounds_were_proven(rules: str) -> None:
    table, bundled = solved(rules, 2).table(), Endings.load(rules).table
    assert table.error <= 1e-6
    assert len(table.numbers) == len(bundled.numbers)
    gaps = [abs(mine - theirs) for mine, theirs in zip(table.numbers, bundled.numbers, strict=True)]
    assert max(gaps) <= 1
    assert sum(gaps) < 0.002 * len(gaps), "one unit more or less where a value lies between two"


def test_a_position_takes_four_bytes_and_the_estimate_is_measured() -> None:
    solver = SenetSolver(Senet(), 2)
    assert solver.memory == 4 * solver.total
    assert 0.1 < solver.seconds() < 1000


def test_values_are_those_of_the_best_moves() -> None:
    solver = solved("skyruk", 1)
    assert solver.stage == "done"
    assert solver.done == solver.total == TableLayout("skyruk", 1).size
    values = solver.values()
    before = values.astype(np.int64)
    again = SenetSolver(Senet("skyruk"), 1, workers=1)
    again.values()[:] = values
    while not again.is_finished:
        again.work()
    assert abs(again.values().astype(np.int64) - before).max() <= CLOSE


def test_any_number_of_threads_finds_the_same() -> None:
    one, four = (solved("kendall", 1, workers).values().astype(np.int64) for workers in (1, 4))
    assert abs(one - four).max() <= 10 * CLOSE


def test_work_that_was_saved_goes_on_where_it_was() -> None:
    first = SenetSolver(Senet(), 2)
    done = [first.done]
    while first.stage.split(",")[0] != "1 against 2" or first.stage.count("sweep 9") == 0:
        first.work()
        done.append(first.done)
    assert done == sorted(done)
    content = b"".join(first.save())
    assert len(content) < 4 * TableLayout("kendall", 2).size
    second = SenetSolver(Senet(), 2)
    assert second.restore(io.BytesIO(content))
    assert (second.values() == first.values()).all()
    assert second.done == first.done > SenetSolver(Senet(), 2).done
    assert first.stage.split(",")[0] == second.stage.split(",")[0] == "1 against 2"
    for wrong in (b"", b"[]\n", content[:-1], content.replace(b'"up_to": 2', b'"up_to": 3')):
        assert not SenetSolver(Senet(), 2).restore(io.BytesIO(wrong))
    outside = content.replace(b'"group": 1', b'"group": 9')
    assert outside != content
    assert not SenetSolver(Senet(), 2).restore(io.BytesIO(outside))
    assert not SenetSolver(Senet("skyruk"), 2).restore(io.BytesIO(content))


@pytest.mark.parametrize("rules", RULES)
def test_compiled_code_looks_up_the_same(rules: str) -> None:
    endings, rng = Endings.load(rules), random.Random(rules)
    table, starts, layout = (
        table_of(endings),
        starts_of(TableLayout(rules, 4)),
        TableLayout(rules, 4),
    )
    for _ in range(500):
        owns, opponents = rng.randint(1, 4), rng.randint(1, 4)
        open_houses = [bit for bit in range(HOUSES) if not layout.closed >> bit & 1]
        spots = [1 << bit for bit in rng.sample(open_houses, owns + opponents)]
        own, opponent = sum(spots[:owns]), sum(spots[owns:])
        assert number_of(own, opponent, RULES[rules], starts) == layout.number(own, opponent)
        known = endings.chance(own, opponent)
        wanted = UNKNOWN if known is None else known
        assert chance_in(own, opponent, table, RULES[rules]) == wanted
    assert chance_in(0, 31, table, RULES[rules]) == 1.0
    assert chance_in(31, 0, table, RULES[rules]) == 0.0
    assert chance_in(31, 32, table, RULES[rules]) == UNKNOWN
