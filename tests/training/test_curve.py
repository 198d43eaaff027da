from __future__ import annotations

from collections.abc import Sequence

from boardgames_cli.training.curve import Curve, Point
from boardgames_cli.training.q_learning import table_point
from boardgames_cli.training.regret_minimization import strategy_point

MARKS = [table_point(250, 267, 534, 0.5), table_point(100_000, 534, 534, 1.0)]
CFR_MARKS = [
    strategy_point(1, 0.125, 1.0),
    strategy_point(50, -0.05, 1e-3),
    strategy_point(2000, -1 / 18, 0.0),
]


def curve(points: Sequence[Point]) -> Curve:
    return Curve("games", "kept and score", points)


def falling(points: Sequence[Point]) -> Curve:
    return Curve("iterations", "distance", points)


def test_the_chart() -> None:
    assert curve(MARKS).chart() == [
        "       games  kept and score",
        "         250  ############............   267 of 534    50.0 %",
        "     100,000  ########################   534 of 534   100.0 %",
    ]


def test_an_empty_chart() -> None:
    assert len(curve([]).chart()) == 1
    assert "  0.0 %" in curve([table_point(1, 0, 0, 0.0)]).chart()[1]


def test_a_chart_of_exploitability_has_longer_bars_for_less() -> None:
    lines = falling(CFR_MARKS).chart()
    assert [line.count("#") for line in lines[1:]] == [0, 12, 24], "in powers of ten"
    assert lines[2].endswith("1.00e-03  -0.050000")
