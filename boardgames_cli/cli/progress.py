"""Progress of long work: a bar in a terminal, lines elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from boardgames_cli.cli.errors import notify
from boardgames_cli.terminal.streams import is_terminal


class AnyPoint(Protocol):
    """A measurement worth a line; its ``str`` is that line."""

    @property
    def done(self) -> int:
        """The amount of work at which it was made."""
        ...

    @property
    def brief(self) -> str:
        """A short form for the bar."""
        ...


class AnyProgress(Protocol):
    """The progress of some work."""

    @property
    def done(self) -> int:
        """The amount of work done."""
        ...

    @property
    def total(self) -> int:
        """How much there is to do."""
        ...

    @property
    def rate(self) -> float:
        """The rate per second."""
        ...

    @property
    def seconds_left(self) -> float:
        """The estimated remaining seconds."""
        ...

    @property
    def point(self) -> AnyPoint | None:
        """The last point, if there is one."""
        ...


Report = Callable[[AnyProgress], None]


@contextmanager
def reporter(no_color: bool, total: int, unit: str) -> Iterator[Report]:
    """A context with a function that shows progress.

    Args:
        no_color: Whether it must be plain text.
        total: How much there is to do.
        unit: The unit of work, such as games.
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
    """Writes every measurement as a line."""

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
