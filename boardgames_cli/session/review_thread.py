"""A review beside the front end: a finished game is judged in a thread of its own."""

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
"""The least time between two partial reviews, in seconds."""


@dataclass(frozen=True, slots=True)
class ReviewNews:
    """How far a review is."""

    review: Review | None
    """What is judged so far; None if nothing can be."""
    problem: str = ""
    """Why there is no more to come, in a sentence; empty if there is, or if all is done."""


class ReviewThread:
    """Judges the game of a replay, and keeps the review beside its save.

    The thread is a daemon and looks after every step whether it is still wanted.

    Args:
        replay: The game; nothing in it is changed.
        deliver: Called in the thread with all that is known, now and then and at the end.
    """

    def __init__(self, replay: Replay, deliver: Callable[[ReviewNews], None]) -> None:
        self._replay = replay
        self._deliver = deliver
        self._cancelled = threading.Event()

    def start(self) -> None:
        """Begin.

        Raises:
            GameError: The game is not over, or nothing can judge it.
        """
        replay = self._replay
        name = replay.path.stem if replay.path is not None else "shown"
        check_reviewable(replay.match, name)
        analyst = analyst_for(replay.game)
        # The list is made when it is first asked for, which two threads must not do at once.
        _ = replay.match.steps
        threading.Thread(target=self._run, args=(analyst,), name="review", daemon=True).start()

    def stop(self) -> None:
        """Want no more; what was judged is kept."""
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
