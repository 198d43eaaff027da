"""Opens and reviews saves of finished games, for the verb review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgames_cli.cli.progress import reporter
from boardgames_cli.core.background import Progress
from boardgames_cli.evaluation.cache import review_of
from boardgames_cli.evaluation.choose_analyst import analyst_for
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import Reviewer, check_reviewable
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.reading import read_file, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped


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
    """A context manager that reviews games until a signal arrives, showing the progress.

    Args:
        no_color: Whether the progress must be plain text.
    """

    def __init__(self, no_color: bool) -> None:
        self.stopped: Stopped | None = None
        """The signal that arrived."""
        self._watch = SignalWatch()
        self._reporter = reporter(no_color)

    def __enter__(self) -> Judging:
        self._watch.__enter__()
        self._report = self._reporter.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._reporter.__exit__(*error)
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
        unit = f"steps of {name} reviewed"
        return lambda reviewer: self._report(Progress(reviewer.done, reviewer.total, unit))
