from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.training.curve import chart, check_plot, plot
from boardgames_cli.training.examination import Mark

MARKS = [Mark(250, 267, 534, 0.5), Mark(100_000, 534, 534, 1.0)]


def test_the_chart() -> None:
    assert chart(MARKS) == [
        "       games  exact value kept                       against random",
        "         250  ############............   267 of 534    50.0%",
        "     100,000  ########################   534 of 534   100.0%",
    ]


def test_an_empty_chart() -> None:
    assert len(chart([])) == 1
    assert "  0.0%" in chart([Mark(1, 0, 0, 0.0)])[1]


class FakeFigure:
    """What a plot needs of matplotlib, so that the tests do without it."""

    def __init__(self, **options: Any) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def subplots(self) -> Any:
        def note(name: str) -> Any:
            def call(*args: Any, **options: Any) -> None:
                self.calls.append((name, args))

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
    plot(MARKS, path, "title")
    assert path.read_text() == "[([250, 100000], [0.5, 1.0]), ([250, 100000], [0.5, 1.0])]"


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_that_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be written"):
        plot(MARKS, tmp_path / "nowhere" / "curve.png", "title")


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
    assert "boardgames-cli[plot]" in caught.value.todo
