"""The solver of endings, and its tables in compiled code."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.ranking import (
    UNKNOWN,
    chance_in,
    number_of,
    starts_of,
    table_of,
)
from boardgames_cli.games.senet.fast.solver import ERROR, SenetSolver
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.table_layout import TableLayout


def solved(rules: str, up_to: int) -> SenetSolver:
    solver = SenetSolver(Senet(rules), up_to)
    while not solver.is_finished:
        solver.work()
    return solver


@pytest.mark.parametrize("rules", RULES)
def test_it_remakes_the_beginning_of_the_bundled_table(rules: str) -> None:
    table, bundled = solved(rules, 1).table(), Endings.load(rules).table
    assert table.error <= ERROR / 2
    assert len(table.numbers) == TableLayout(rules, 1).size
    pairs = zip(table.numbers, bundled.numbers, strict=False)
    assert all(abs(mine - theirs) <= 1 for mine, theirs in pairs)


def test_bounds_enclose_the_truth_all_the_way() -> None:
    solver, numbers = SenetSolver(Senet(), 1), Endings.load("kendall").table.numbers
    before = solver.bounds().copy()
    done = [solver.done]
    while not solver.is_finished:
        solver.work()
        bounds = solver.bounds()
        assert (bounds[:, 0] >= before[:, 0] - 1e-12).all()
        assert (bounds[:, 1] <= before[:, 1] + 1e-12).all()
        for number in range(0, len(bounds), 40):
            low, high = bounds[number]
            assert low - 1e-5 <= numbers[number] / 65_535 <= high + 1e-5
        before = bounds.copy()
        done.append(solver.done)
    assert done == sorted(done)
    assert done[-1] == solver.total == 812
    assert solver.stage == "done"


def test_work_that_was_saved_goes_on_where_it_was() -> None:
    first = SenetSolver(Senet(), 2)
    for _ in range(100):
        first.work()
    content = first.save()
    assert len(content) < 16 * TableLayout("kendall", 2).size
    second = SenetSolver(Senet(), 2)
    assert second.restore(content)
    assert (second.bounds() == first.bounds()).all()
    assert first.stage.split(",")[0] == second.stage.split(",")[0] == "1 against 2"
    for wrong in (b"", b"[]\n", content[:-1], content.replace(b'"up_to": 2', b'"up_to": 3')):
        assert not SenetSolver(Senet(), 2).restore(wrong)
    outside = content.replace(b'"group": 1', b'"group": 9')
    assert outside != content
    assert not SenetSolver(Senet(), 2).restore(outside)
    assert not SenetSolver(Senet("skyruk"), 2).restore(content)


@pytest.mark.parametrize("rules", RULES)
def test_compiled_code_looks_up_the_same(rules: str) -> None:
    endings, rng = Endings.load(rules), random.Random(rules)
    table, starts, layout = (
        table_of(endings),
        starts_of(TableLayout(rules, 3)),
        TableLayout(rules, 3),
    )
    for _ in range(500):
        owns, opponents = rng.randint(1, 3), rng.randint(1, 3)
        open_houses = [bit for bit in range(HOUSES) if not layout.closed >> bit & 1]
        spots = [1 << bit for bit in rng.sample(open_houses, owns + opponents)]
        own, opponent = sum(spots[:owns]), sum(spots[owns:])
        assert number_of(own, opponent, RULES[rules], starts) == layout.number(own, opponent)
        known = endings.chance(own, opponent)
        wanted = UNKNOWN if known is None else known
        assert chance_in(own, opponent, table, RULES[rules]) == wanted
    assert chance_in(0, 31, table, RULES[rules]) == 1.0
    assert chance_in(31, 0, table, RULES[rules]) == 0.0
    assert chance_in(15, 32, table, RULES[rules]) == UNKNOWN
