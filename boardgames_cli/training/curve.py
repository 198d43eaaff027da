"""Learning curves: as lines of text, and as a picture file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import GameError, StorageError, install_command

BAR: Final = 24
"""The length of the longest bar in a chart."""

_FORMATS: Final = (".png", ".svg", ".pdf")
_MARKERS: Final = "os^v"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a learning curve."""

    done: int
    """The amount of training at the measurement."""
    line: str
    """The measurement in a sentence."""
    words: str
    """The figures next to its bar."""
    brief: str
    """The most important figure, for a progress bar."""
    share: float
    """The length of its bar in a chart, 0 to 1; longer is better."""
    measures: Mapping[str, float]
    """The values to plot, by the names in the legend."""
    data: Mapping[str, Any]
    """It as it stands in a file."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The measurements of a training run, with labels for drawing."""

    unit: str
    """The unit of training, such as games or iterations."""
    heading: str
    """The heading of the bars and figures."""
    points: Sequence[Point]
    axis: str
    """The label of a plot's vertical axis."""
    is_share: bool = True
    """Whether it is a share of 1; otherwise the axis is logarithmic."""

    def chart(self) -> list[str]:
        """The curve as lines: amount of training, bar, figures."""
        lines = [f"{self.unit:>12}  {self.heading}"]
        for point in self.points:
            bar = "#" * round(min(max(point.share, 0.0), 1.0) * BAR)
            lines.append(f"{point.done:>12,}  {bar:.<{BAR}} {point.words}")
        return lines


def check_plot(path: Path) -> None:
    """Check before training that a curve can be drawn.

    Raises:
        GameError: matplotlib is missing, or the file has an unknown suffix.
    """
    if path.suffix.lower() not in _FORMATS:
        raise GameError(f"--plot can't write {path.name}.", f"Formats: {', '.join(_FORMATS)}")
    try:
        import_module("matplotlib.figure")  # slow and optional, so imported late
    except ImportError as error:
        raise GameError(
            f"--plot needs a package that is not installed ({error.name}).",
            f"Install it: {install_command('plot')}",
        ) from error


def plot(curve: Curve, path: Path, title: str) -> None:
    """Draw a curve into a file.

    Args:
        curve: What to draw.
        path: The file; its suffix selects the format.
        title: The title.

    Raises:
        GameError: matplotlib is missing.
        StorageError: The file can't be written.
    """
    check_plot(path)
    figure = import_module("matplotlib.figure").Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    done = [point.done for point in curve.points]
    names = list(curve.points[0].measures) if curve.points else []
    for name, marker in zip(names, _MARKERS, strict=False):
        values = [point.measures[name] for point in curve.points]
        axes.plot(done, values, marker=marker, label=name)
    scale = {"ylim": (0, 1.05)} if curve.is_share else {"yscale": "log"}
    axes.set(title=title, xlabel=curve.unit, ylabel=curve.axis, xscale="log", **scale)
    axes.grid(alpha=0.3)
    if names:
        axes.legend(loc="lower right" if curve.is_share else "upper right")
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror}).") from error
