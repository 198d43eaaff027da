"""Reviews a finished game in a background thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.analysts import analyst_for
from boardgames_cli.evaluation.cache import review_of
from boardgames_cli.evaluation.review import Review
from boardgames_cli.evaluation.reviewer import Reviewer, check_reviewable
from boardgames_cli.session.background import Background, BackgroundJob
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.names import review_file

_NEWS_SECONDS: Final = 0.2
"""The shortest interval between partial reviews in seconds."""


@dataclass(frozen=True, slots=True)
class ReviewNews:
    """The progress of a review."""

    review: Review | None
    """The review so far; None if there can be none."""
    problem: str = ""
    """Why the review can't continue; empty if it can, or if it is complete."""


@dataclass
class _ReviewJob(BackgroundJob[ReviewNews]):
    """Reviews a game, and stores the review next to its save, also one that is stopped."""

    replay: Replay
    analyst: AnyAnalyst
    file: Path | None
    cancelled: threading.Event = field(default_factory=threading.Event)

    def hurry(self) -> None:
        self.cancelled.set()

    def run(self, deliver: Callable[[ReviewNews], None]) -> None:
        replay, told = self.replay, time.monotonic()
        latest: Review | None = None

        def tell(reviewer: Reviewer) -> None:
            nonlocal told, latest
            if time.monotonic() - told >= _NEWS_SECONDS:
                latest = reviewer.review()
                deliver(ReviewNews(latest))
                told = time.monotonic()

        try:
            done = review_of(
                self.file,
                replay.match,
                self.analyst,
                replay.names,
                replay.seats,
                tell,
                self.cancelled.is_set,
            )
            deliver(ReviewNews(done))
        except GameError as error:
            deliver(ReviewNews(latest, str(error)))
        except Exception as error:  # an analyst of a plug-in may raise anything
            deliver(ReviewNews(latest, f"The review failed ({describe_error(error)})."))


class ReviewThread:
    """Reviews the game of a replay.

    Args:
        replay: The game; it is not modified.
        folder: The save folder.
        deliver: Called in the thread with the review so far, from time to time and at the end.
    """

    def __init__(self, replay: Replay, folder: Path, deliver: Callable[[ReviewNews], None]) -> None:
        self._replay = replay
        self._folder = folder
        self._thread = Background("review", deliver)

    def start(self) -> None:
        """Start the review.

        Raises:
            GameError: The game is not over, or there is no analyst.
        """
        replay = self._replay
        name = replay.path.stem if replay.path is not None else "shown"
        check_reviewable(replay.match, name)
        analyst = analyst_for(replay.game)
        # The cached list is created here, because two threads must not create it at once.
        _ = replay.match.steps
        file = None if replay.path is None else review_file(replay.path, self._folder)
        self._thread.put(_ReviewJob(replay, analyst, file))

    def stop(self) -> None:
        """Stop; the partial review is stored."""
        self._thread.stop()
