"""The command line inside this process: fast, with a limit, and with what it wrote."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from unittest import mock

from boardgames_cli.cli.main import run
from tests.conftest import Outcome
from tests.e2e.screens import environment

LIMIT = 20.0
"""Seconds that one command line may take here; each takes milliseconds unless it hangs."""

GOOD_CODES = (0, 2, 4, 5)
"""What bad input may lead to: done, usage, file, agent. 1 would be the program's own fault."""


QUIETLY = ("--plain", "--pace", "instant")


class Hangs(BaseException):
    """A command line took longer than it may."""


class Script(io.StringIO):
    """Lines to be typed, as standard input.

    Args:
        lines: The lines; one is made when the one before was taken.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__()
        self._lines = iter(lines)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # a base of both
        """The next line; nothing at the end."""
        line = next(self._lines, None)
        return "" if line is None else f"{line}\n"


def inside(
    folder: Path,
    *words: str,
    lines: Iterable[str] = (),
    limit: float = LIMIT,
    **variables: str,
) -> Outcome:
    """Run a command line here.

    Args:
        folder: Where it runs and saves.
        *words: The command line.
        lines: What is typed.
        limit: The most seconds it may take.
        **variables: Changes to the environment.

    Raises:
        Hangs: It took too long.
    """
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment(folder, **variables), clear=True),
        mock.patch.object(sys, "stdin", Script(lines)),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _limit(limit),
    ):
        code = run(words)
    return Outcome(code, out.getvalue(), err.getvalue())


def check_manners(outcome: Outcome, codes: tuple[int, ...] = GOOD_CODES) -> None:
    """Bad input is answered by a message, never by a fault of the program's own."""
    text = outcome.out + outcome.err
    assert outcome.code in codes, f"exit code {outcome.code}: {outcome.err[-500:]}"
    for mark in ("Traceback (most recent", "Internal error", "boardgames crashed"):
        assert mark not in text, text[-2000:]


def saves_in(folder: Path) -> list[Path]:
    """The saves of the program that runs in a folder."""
    return sorted((folder / "saves").glob("*.jsonl"))


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    is_late = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal is_late
        is_late = True
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if is_late:  # whatever the program made of the exception
        raise Hangs
