"""Reviews a finished game in a background thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from boardgames_cli.analysis.analysts import analyst_for
from boardgames_cli.analysis.cache import review_of
from boardgames_cli.analysis.review import Review
from boardgames_cli.analysis.reviewer import Reviewer, check_reviewable
from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.errors import GameError
from boardgames_cli.session.replay import Replay

_NEWS_SECONDS: Final = 0.2
"""The shortest interval between partial reviews in seconds."""


@dataclass(frozen=True, slots=True)
class ReviewNews:
    """The progress of a review."""

    review: Review | None
    """The review so far; None if there can be none."""
    problem: str = ""
    """Why the review can't continue; empty if it can, or if it is complete."""


class ReviewThread:
    """Reviews the game of a replay, and stores the review next to its save.

    The thread is a daemon and checks after every step whether it is still wanted.

    Args:
        replay: The game; it is not modified.
        deliver: Called in the thread with the review so far, from time to time and at the end.
    """

    def __init__(self, replay: Replay, deliver: Callable[[ReviewNews], None]) -> None:
        self._replay = replay
        self._deliver = deliver
        self._cancelled = threading.Event()

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
        threading.Thread(target=self._run, args=(analyst,), name="review", daemon=True).start()

    def stop(self) -> None:
        """Stop; the partial review is stored."""
        self._cancelled.set()

    def _run(self, analyst: AnyAnalyst) -> None:
        replay, told = self._replay, time.monotonic()
        latest: Review | None = None

        def tell(reviewer: Reviewer) -> None:
            nonlocal told, latest
            if time.monotonic() - told >= _NEWS_SECONDS:
                latest = reviewer.review()
                self._send(ReviewNews(latest))
                told = time.monotonic()

        try:
            done = review_of(
                replay.path,
                replay.match,
                analyst,
                replay.names,
                replay.seats,
                tell,
                self._cancelled.is_set,
            )
            self._send(ReviewNews(done))
        except GameError as error:
            self._send(ReviewNews(latest, str(error)))
        except Exception as error:  # an analyst of a plug-in may raise anything
            self._send(ReviewNews(latest, f"The review failed ({describe_error(error)})."))

    def _send(self, news: ReviewNews) -> None:
        if not self._cancelled.is_set():
            self._deliver(news)
