"""Learning curves: as lines of text, and as a picture file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.training.examination import Mark

_BAR: Final = 24
_FORMATS: Final = (".png", ".svg", ".pdf")


def chart(marks: Sequence[Mark]) -> list[str]:
    """A curve as lines: games, positions whose exact value is kept, points against random."""
    lines = [f"{'games':>12}  {'exact value kept':<{_BAR + 13}}  against random"]
    for mark in marks:
        share = mark.kept / mark.positions if mark.positions else 0.0
        bar = "#" * round(share * _BAR)
        lines.append(
            f"{mark.episodes:>12,}  {bar:.<{_BAR}} {mark.kept:>5} of {mark.positions:<4}  "
            f"{mark.score:>6.1%}"
        )
    return lines


def check_plot(path: Path) -> None:
    """Find out before training whether a curve can be drawn.

    Raises:
        GameError: matplotlib is missing, or the file's name does not say a known format.
    """
    if path.suffix.lower() not in _FORMATS:
        raise GameError(f"--plot can't write {path.name}.", f"Formats: {', '.join(_FORMATS)}")
    try:
        import_module("matplotlib.figure")  # slow and optional, so only when it is wanted
    except ImportError as error:
        raise GameError(
            f"--plot needs a package that is not installed ({error.name}).",
            "Install it: pip install 'boardgames-cli[plot]'",
        ) from error


def plot(marks: Sequence[Mark], path: Path, title: str) -> None:
    """Draw a curve into a file.

    Args:
        marks: The points.
        path: Where to; the name's ending says the format.
        title: What stands above it.

    Raises:
        GameError: matplotlib is missing.
        StorageError: The file can't be written.
    """
    check_plot(path)
    figure = import_module("matplotlib.figure").Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    games = [mark.episodes for mark in marks]
    kept = [mark.kept / max(mark.positions, 1) for mark in marks]
    axes.plot(games, kept, marker="o", label="positions whose exact value is kept")
    axes.plot(games, [mark.score for mark in marks], marker="s", label="points against random")
    axes.set(title=title, xlabel="games", ylabel="share", xscale="log", ylim=(0, 1.05))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror}).") from error
