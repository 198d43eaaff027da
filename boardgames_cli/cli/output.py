"""Results on standard output, as text or as JSON, and progress on standard error."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import typer

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import TerminalInfo
from boardgames_cli.core.background import Progress
from boardgames_cli.core.text import aligned, columns
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal, printable, wrap_lines

if TYPE_CHECKING:
    from boardgames_cli.evaluation.reviewer import Reviewer


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

Picture = Callable[[int], str]
"""What is shown below the progress in so many columns."""

_LINE_SECONDS: Final = 5.0
"""The interval between lines of work without measurements."""


@contextmanager
def reporter(no_color: bool, picture: Picture | None = None) -> Iterator[Report]:
    """A context with a function that shows progress on standard error, if that is a terminal.

    Work that has a picture is long, and is told elsewhere, too, in lines.
    """
    place, is_seen = TerminalInfo.here(), is_terminal(sys.stderr)
    if not is_seen and picture is None:
        yield lambda _: None
    elif no_color or place.wants_no_colors or place.is_dumb or not is_seen:
        yield _Lines()
    else:
        with _live(picture) as report:
            yield report


class LongWork:
    """Work that shows its progress, until a signal stops it."""

    def __init__(self, show: Report, watch: SignalWatch) -> None:
        self.stop: Stopped | None = None
        self.show = show
        self.waiting = watch.waiting

    def report(self, progress: Progress) -> None:
        """Show the progress, and stop if a signal has arrived."""
        self.show(progress)
        self.check()

    def reviewing(self, what: str) -> Callable[[Reviewer], None]:
        """What shows how far a review has come."""
        return lambda one: self.show(Progress(one.done, one.total, f"{what} reviewed"))

    def check(self) -> None:
        with self.waiting():
            pass

    def exit_code(self, todo: str) -> int:
        """The exit code; that the work was stopped is told, with what to do."""
        if self.stop is None:
            return 0
        notify(f"Stopped{todo}")
        return self.stop.exit_code

    def is_stopped(self) -> bool:
        try:
            self.check()
        except Stopped as stop:
            self.stop = stop
        return self.stop is not None


@contextmanager
def long_work(no_color: bool, picture: Picture | None = None) -> Iterator[LongWork]:
    """A context that is left early by a signal, which is then in `LongWork.stop`."""
    with SignalWatch() as watch, reporter(no_color, picture) as show:
        work = LongWork(show, watch)
        try:
            yield work
        except Stopped as stop:
            work.stop = stop


class _Lines:
    def __init__(self) -> None:
        self._last_shown = ""
        self._next = time.monotonic() + _LINE_SECONDS

    def __call__(self, progress: Progress) -> None:
        if progress.line:
            if progress.line != self._last_shown:
                self._last_shown = progress.line
                notify("; ".join(text for text in (progress.line, progress.pace) if text))
        elif time.monotonic() > self._next or progress.done == progress.total:
            notify(str(progress))
            self._next = time.monotonic() + _LINE_SECONDS


@contextmanager
def _live(picture: Picture | None) -> Iterator[Report]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def draw(progress: Progress) -> None:
            shown = "" if picture is None else f"\n\n{picture(live.console.width)}"
            text = Text(printable(f"  {progress}  {progress.brief}{shown}"))
            live.update(Group(ProgressBar(progress.total, progress.done, 20), text), refresh=True)

        yield _now_and_then(draw)


def _now_and_then(show: Report, pause: float = 0.25) -> Report:
    following = 0.0

    def report(progress: Progress) -> None:
        nonlocal following
        started = time.monotonic()
        if started >= following or progress.done == progress.total:
            show(progress)
            following = started + max(pause, 20 * (time.monotonic() - started))

    return report
