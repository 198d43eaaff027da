"""Long work on the screen: a bar in a terminal, lines where that is not possible."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from boardgames_cli.cli.errors import notify
from boardgames_cli.terminal.streams import is_terminal


class AnyPoint(Protocol):
    """Something worth a line that happened on the way; its text is that line."""

    @property
    def done(self) -> int:
        """After how much work it happened."""
        ...

    @property
    def brief(self) -> str:
        """The most important of it, for a bar."""
        ...


class AnyProgress(Protocol):
    """How far some work is."""

    @property
    def done(self) -> int:
        """How much is done."""
        ...

    @property
    def total(self) -> int:
        """How much there is to do."""
        ...

    @property
    def rate(self) -> float:
        """How much a second."""
        ...

    @property
    def seconds_left(self) -> float:
        """How long the rest will take."""
        ...

    @property
    def point(self) -> AnyPoint | None:
        """The last point, if there is one."""
        ...


Report = Callable[[AnyProgress], None]


@contextmanager
def reporter(no_color: bool, total: int, unit: str) -> Iterator[Report]:
    """What shows progress.

    Args:
        no_color: Whether it must be plain text.
        total: How much there is to do.
        unit: What is counted, such as games.
    """
    if not is_terminal(sys.stderr):
        yield _silent
    elif no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        yield _Lines(unit)
    else:
        with _bar(total, unit) as report:
            yield report


def _silent(progress: AnyProgress) -> None:
    """Show nothing."""
    del progress


class _Lines:
    """Says every measurement in a line."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._last_shown = -1

    def __call__(self, progress: AnyProgress) -> None:
        """Report."""
        point = progress.point
        if point is not None and point.done != self._last_shown:
            self._last_shown = point.done
            rate = f"{progress.rate:,.0f} {self._unit}/s"
            notify(f"{point}; {rate}, {progress.seconds_left:.0f} s left")


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

        def report(progress: AnyProgress) -> None:
            bars.update(
                task,
                completed=progress.done,
                total=progress.total,
                rate=progress.rate,
                left=progress.seconds_left,
                brief="" if progress.point is None else progress.point.brief,
            )

        yield report
