"""What a training shows on standard error: a bar, lines, or nothing if nobody reads it there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from boardgames_cli.cli.errors import tell
from boardgames_cli.terminal.streams import is_terminal
from boardgames_cli.training.progress import Progress

Report = Callable[[Progress], None]


@contextmanager
def reporter(no_color: bool, total: int, unit: str) -> Iterator[Report]:
    """What shows progress.

    Args:
        no_color: Whether it must be plain text.
        total: How much is to be learned from.
        unit: What is counted, such as games.
    """
    if not is_terminal(sys.stderr):
        yield _silent
    elif no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        yield _Lines(unit)
    else:
        with _bar(total, unit) as report:
            yield report


def _silent(progress: Progress) -> None:
    """Show nothing."""
    del progress


class _Lines:
    """Says every measurement in a line."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._told = -1

    def __call__(self, progress: Progress) -> None:
        """Report."""
        point = progress.point
        if point is not None and point.done != self._told:
            self._told = point.done
            rate = f"{progress.rate:,.0f} {self._unit}/s"
            tell(f"{point}; {rate}, {progress.seconds_left:.0f} s left")


@contextmanager
def _bar(total: int, unit: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (
        MofNCompleteColumn(),
        BarColumn(20),
        TextColumn(f"{{task.fields[rate]:,.0f}} {unit}/s  {{task.fields[left]:.0f}} s left"),
        TextColumn("{task.fields[brief]}"),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task("", total=total, rate=0.0, left=0.0, brief="")

        def report(progress: Progress) -> None:
            bars.update(
                task,
                completed=progress.done,
                total=progress.total,
                rate=progress.rate,
                left=progress.seconds_left,
                brief="" if progress.point is None else progress.point.brief,
            )

        yield report
