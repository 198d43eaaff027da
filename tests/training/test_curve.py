from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError, StorageError, install_command
from boardgames_cli.training.curve import Curve, Point, check_plot, plot
from boardgames_cli.training.q_learning import table_point
from boardgames_cli.training.regret_minimization import strategy_point

MARKS = [table_point(250, 267, 534, 0.5), table_point(100_000, 534, 534, 1.0)]
CFR_MARKS = [
    strategy_point(1, 0.125, 1.0),
    strategy_point(50, -0.05, 1e-3),
    strategy_point(2000, -1 / 18, 0.0),
]


def curve(points: Sequence[Point]) -> Curve:
    return Curve("games", "kept and score", points, "share")


def falling(points: Sequence[Point]) -> Curve:
    return Curve("iterations", "distance", points, "gain", is_share=False)


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


SET: dict[str, Any] = {}
"""How the axes of the last plot were set."""


class FakeFigure:
    """What a plot needs of matplotlib, so that the tests do without it."""

    def __init__(self, **options: Any) -> None:
        SET.clear()
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def subplots(self) -> Any:
        def note(name: str) -> Any:
            def call(*args: Any, **options: Any) -> None:
                self.calls.append((name, args))
                SET.update(options if name == "set" else {})

            return call

        return SimpleNamespace(**{name: note(name) for name in ("plot", "set", "grid", "legend")})

    def savefig(self, path: Path, **options: Any) -> None:
        path.write_text(repr([args for name, args in self.calls if name == "plot"]))


@pytest.fixture
def matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("matplotlib.figure")
    module.Figure = FakeFigure  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", ModuleType("matplotlib"))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", module)


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_has_both_curves(tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    plot(curve(MARKS), path, "title")
    assert path.read_text() == "[([250, 100000], [0.5, 1.0]), ([250, 100000], [0.5, 1.0])]"
    assert (SET["ylim"], SET["xlabel"]) == ((0, 1.05), "games")


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_of_exploitability_goes_by_powers_of_ten(tmp_path: Path) -> None:
    path = tmp_path / "curve.svg"
    plot(falling(CFR_MARKS), path, "title")
    assert path.read_text() == "[([1, 50, 2000], [1.0, 0.001, 0.0])]"
    assert (SET["yscale"], SET["xlabel"]) == ("log", "iterations")


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_without_points_is_empty(tmp_path: Path) -> None:
    plot(curve([]), tmp_path / "curve.png", "title")
    assert (tmp_path / "curve.png").read_text() == "[]"


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_that_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be written"):
        plot(curve(MARKS), tmp_path / "nowhere" / "curve.png", "title")


@pytest.mark.usefixtures("matplotlib")
def test_unknown_formats_are_refused() -> None:
    with pytest.raises(GameError, match=r"can't write curve\.docx"):
        check_plot(Path("curve.docx"))


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(GameError, match="not installed") as caught:
        check_plot(Path("curve.png"))
    assert install_command("plot") in caught.value.todo
