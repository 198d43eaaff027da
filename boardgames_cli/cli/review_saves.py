"""Opens and reviews saves of finished games, for the verb review."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typer

from boardgames_cli.analysis.analysts import analyst_for
from boardgames_cli.analysis.cache import review_of
from boardgames_cli.analysis.review import Review
from boardgames_cli.analysis.reviewer import Reviewer, check_reviewable
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.reading import read_file, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal

_PAUSE: Final = 0.2
"""The interval between progress messages in seconds."""


@dataclass(frozen=True, slots=True)
class OpenedSave:
    """A save that was read."""

    review_file: Path
    """Where its review is kept."""
    name: str
    replay: Replay
    seats: tuple[str, ...]
    """The specification of every seat's holder."""

    @classmethod
    def open(cls, store: Store, name: str) -> OpenedSave:
        """Read a save of a game that is over.

        Raises:
            GameError: It can't be read, or the game is not over.
        """
        path = store.find(name)
        record = read_file(path)
        match = restore(record, path)
        check_reviewable(match, name)
        replay = Replay.of_record(match, record, path=path)
        return cls(store.review_file(path), name, replay, record.header.seats)


class Judging:
    """A context manager that reviews games until a signal arrives, showing the progress."""

    def __init__(self) -> None:
        self.stopped: Stopped | None = None
        """The signal that arrived."""
        self._watch = SignalWatch()
        self._shown = time.monotonic()
        self._width = 0

    def __enter__(self) -> Judging:
        self._watch.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._clear()
        self._watch.__exit__(*error)

    def review(self, opened: OpenedSave) -> Review:
        """The cached or a new review of a save; partial after a signal.

        Raises:
            GameError: The game can't be reviewed.
        """
        match = opened.replay.match
        analyst = analyst_for(match.game)
        return review_of(
            opened.review_file,
            match,
            analyst,
            opened.replay.names,
            opened.seats,
            self._progress(opened.name),
            self._is_stopped,
        )

    def _is_stopped(self) -> bool:
        try:
            with self._watch.waiting():
                return self.stopped is not None
        except Stopped as stop:
            self.stopped = stop
            return True

    def _progress(self, name: str) -> Callable[[Reviewer], None]:
        def show(reviewer: Reviewer) -> None:
            now = time.monotonic()
            if now - self._shown > _PAUSE and is_terminal(sys.stderr):
                self._shown = now
                self._say(f"{name}: {reviewer.done} of {reviewer.total} steps reviewed")

        return show

    def _say(self, text: str) -> None:
        typer.echo(f"\r{text:<{self._width}}", nl=False, err=True)
        self._width = len(text)

    def _clear(self) -> None:
        if self._width:
            typer.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0
