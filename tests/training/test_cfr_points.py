"""When a training is measured, and what its points and bars say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.algorithms.regret_solver import CfrSettings
from boardgames_cli.registry import make
from boardgames_cli.training.curve import BAR, Curve
from boardgames_cli.training.q_learning import table_point
from boardgames_cli.training.regret_minimization import CfrRun, next_point, strategy_point


def run(iterations: int, **more: Any) -> CfrRun:
    return CfrRun(make("kuhn"), CfrSettings(iterations=iterations), None, **more)


@given(st.integers(0, 10**7), st.integers(1, 10**7))
def test_the_next_measurement_lies_ahead_and_not_beyond_the_end(done: int, total: int) -> None:
    due = next_point(done, total)
    assert due <= total
    assert due > done or due == total
    assert due <= max(1, done * 2.5) or due == 1


@given(st.floats(0, 10, allow_nan=False))
def test_a_bar_grows_as_exploitability_falls(gain: float) -> None:
    here, better = strategy_point(1, 0.0, gain), strategy_point(1, 0.0, gain / 10)
    assert 0 <= here.share <= better.share <= 1
    if 1e-5 < gain < 1:
        assert better.share - here.share == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("gain", "share"), [(2.0, 0.0), (1.0, 0.0), (1e-3, 0.5), (1e-6, 1.0), (1e-9, 1.0), (0.0, 1.0)]
)
def test_a_full_bar_is_a_millionth(gain: float, share: float) -> None:
    point = strategy_point(5, 0.0, gain)
    assert point.share == pytest.approx(share)
    chart = Curve("iterations", "gain", [point]).chart()
    assert chart[1].count("#") == round(share * BAR)


def test_the_chart_of_a_table() -> None:
    marks = [table_point(250, 267, 534, 0.5), table_point(100_000, 534, 534, 1.0)]
    assert Curve("games", "kept and score", marks).chart() == [
        "       games  kept and score",
        "         250  ############............   267 of 534    50.0 %",
        "     100,000  ########################   534 of 534   100.0 %",
    ]


def test_a_mark_says_the_same_in_every_form() -> None:
    point = strategy_point(2000, -1 / 18, 1.2e-4)
    assert point.line == "2,000 iterations: exploitability 1.2e-04, value -0.055556"
    assert point.words == " 1.20e-04  -0.055556"
    assert point.brief == "exploitability 1.2e-04"
    assert point.data == {"iterations": 2000, "value": -0.0555556, "exploitability": 0.00012}
    assert point.done == 2000


def test_what_was_not_begun_is_told_as_it_is() -> None:
    begun = run(20)
    assert begun.done == 0
    assert begun.progress().rate == 0.0
    assert not begun.as_json()["finished"]
    uniform = {name: set(row.values()) for name, row in begun.strategy().table.items()}
    assert all(chances == {0.5} for chances in uniform.values())
