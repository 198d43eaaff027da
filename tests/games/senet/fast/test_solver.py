"""The solver of endings, and its tables in compiled code."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

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
from boardgames_cli.games.senet.fast.solver import solve
from boardgames_cli.games.senet.rules import Senet


@pytest.mark.parametrize("rules", RULES)
def test_it_remakes_the_bundled_table_whose_bounds_were_proven(rules: str) -> None:
    table, bundled = solve(Senet(rules), 2), Endings.load(rules).table
    assert table.error <= 1e-6
    assert len(table.numbers) == len(bundled.numbers)
    gaps = [abs(mine - theirs) for mine, theirs in zip(table.numbers, bundled.numbers, strict=True)]
    assert max(gaps) <= 1
    assert sum(gaps) < 0.002 * len(gaps), "one unit more or less where a value lies between two"


@pytest.mark.parametrize("rules", RULES)
def test_compiled_code_looks_up_the_same(rules: str) -> None:
    endings, rng = Endings.load(rules), random.Random(rules)
    table, layout = table_of(endings), TableLayout(rules, 4)
    starts = starts_of(layout)
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
