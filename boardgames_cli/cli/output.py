"""Results on standard output, as text or as JSON, and progress on standard error."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import TerminalInfo
from boardgames_cli.core.background import Progress
from boardgames_cli.core.text import aligned, columns
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal, printable, wrap_lines


def screen_width() -> int | None:
    """The width of standard output if it is a terminal; otherwise None."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None


def say(text: str = "") -> None:
    """Write text, wrapped to the width if the output is a terminal."""
    width = screen_width()
    if width is not None:
        text = wrap_lines(text, width)
    typer.echo(printable(text))


def say_json(data: Any) -> None:
    """Write a result as one JSON document."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=True))


def say_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows in columns; in a terminal the last column is wrapped."""
    width = screen_width()
    cells = [*zip(headings, *rows, strict=True)]
    start = sum(max(map(columns, column)) + 2 for column in cells[:-1])
    for line in aligned([headings, *rows]):
        typer.echo(printable(line if width is None else wrap_lines(line, width, " " * start)))


Report = Callable[[Progress], None]

LINE_SECONDS: Final = 5.0
"""The interval between lines of work without measurements."""


def is_plain(no_color: bool) -> bool:
    """Whether progress is shown as plain lines, in a terminal, too."""
    place = TerminalInfo.here()
    return no_color or place.wants_no_colors or place.is_dumb


@contextmanager
def reporter(no_color: bool) -> Iterator[Report]:
    """A context with a function that shows progress, if standard error is a terminal."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
    elif is_plain(no_color):
        yield _Lines()
    else:
        with _bar() as report:
            yield report


class LongWork:
    """Work that shows its progress, until a signal stops it."""

    def __init__(self, show: Report, watch: SignalWatch) -> None:
        self.stop: Stopped | None = None
        self.show = show
        self._watch = watch

    def report(self, progress: Progress) -> None:
        """Show the progress, and stop if a signal has arrived."""
        self.show(progress)
        self.check()

    def check(self) -> None:
        with self._watch.waiting():
            pass

    def is_stopped(self) -> bool:
        try:
            self.check()
        except Stopped as stop:
            self.stop = stop
        return self.stop is not None


@contextmanager
def long_work(no_color: bool) -> Iterator[LongWork]:
    """A context that is left early by a signal, which is then in `LongWork.stop`."""
    with SignalWatch() as watch, reporter(no_color) as show:
        work = LongWork(show, watch)
        try:
            yield work
        except Stopped as stop:
            work.stop = stop


class _Lines:
    """Writes every measurement as a line; without measurements a line now and then."""

    def __init__(self) -> None:
        self._last_shown = ""
        self._next = time.monotonic() + LINE_SECONDS

    def __call__(self, progress: Progress) -> None:
        if progress.line:
            if progress.line != self._last_shown:
                self._last_shown = progress.line
                notify("; ".join(text for text in (progress.line, progress.pace) if text))
        elif time.monotonic() > self._next:
            notify(str(progress))
            self._next = time.monotonic() + LINE_SECONDS


@contextmanager
def _bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = BarColumn(20), TextColumn("{task.description}", markup=False)
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=None)

        def report(progress: Progress) -> None:
            text = f"{progress}  {progress.brief}"
            bars.update(task, completed=progress.done, total=progress.total, description=text)

        yield report
