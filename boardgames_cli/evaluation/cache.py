"""A cache of reviews in files; `storage.names.review_file` says where they are.

A cached review is valid only for the same steps of the same game and the same version of the
analyst and the program; otherwise it is computed again. A partial review is continued.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.algorithms.choose_analyst import analyst_for
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.background import Background, CancellableJob
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import step_texts
from boardgames_cli.evaluation.profile import GameProfile
from boardgames_cli.evaluation.review_result import Review, from_json, to_json
from boardgames_cli.evaluation.reviewer import Reviewer, check_reviewable
from boardgames_cli.storage.files import PRIVATE_MODE, read_regular, replace_file

FORMAT: Final = 5
"""The format of the files; files of other formats are ignored."""

_LARGEST: Final = 64_000_000
_READER: Final = JsonReader("the review", _LARGEST, StorageError)
_DAMAGE: Final = (OSError, ValueError, TypeError, KeyError, StorageError, MemoryError)
"""What reading a damaged file raises."""
_LONGEST_REST: Final = 1.0
"""In seconds."""
_STORE_EVERY: Final = 5.0
"""The interval in seconds at which an unfinished review is saved."""
_NEWS_SECONDS: Final = 0.2
"""The shortest interval between partial reviews in seconds."""


class DamagedReviewWarning(UserWarning):
    """A stored review was damaged."""


def review_key(match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str]) -> str:
    """The cache key: equal only for reviews that would be equal."""
    kind = type(analyst)
    facts: dict[str, Any] = {
        "program": __version__,
        "analyst": f"{kind.__module__}.{kind.__qualname__} {kind.version}",
        "method": str(analyst.method),
        "game": match.game.info.id,
        "rules_version": match.game.info.rules_version,
        "options": option_values(match.game),
        "start": match.game.to_json(match.start),
        "table": list(analyst.table),
        "names": list(names),
        "steps": [step_texts(step) for step in match.steps],
    }
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def load_review(
    path: Path, match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str]
) -> Review | None:
    """Load a cached review; it may be partial. A damaged one is reported as a warning.

    Args:
        path: The file of the review.
        match: The game in it.
        analyst: The analyst that would review it now.
        names: The names of the seat holders.

    Returns:
        None if there is none, or if it is damaged or outdated.
    """
    try:
        data = _read(path)
        if data is None or data["key"] != review_key(match, analyst, names):
            return None
        review = from_json(data["review"])
        if review.total_steps != len(match.steps):
            raise ValueError("it is about another number of steps")
        return review
    except _DAMAGE:
        warnings.warn(DamagedReviewWarning(f"{path} is damaged; it is made anew."), stacklevel=2)
        return None


def _read(path: Path) -> dict[str, Any] | None:
    """The content of the file of a review; None if there is none of this format.

    Raises:
        OSError, ValueError, TypeError, KeyError, StorageError, MemoryError: It is damaged.
    """
    if not path.is_file():
        return None
    data = _READER.parse(read_regular(path, _LARGEST).decode(), "it")
    if isinstance(data, dict) and data.get("boardgames_review") not in (FORMAT, None):
        return None
    if digest_of(data["review"]) != data["digest"]:
        raise ValueError("its digest is another one")
    return dict(data)


def stored_review(path: Path) -> Review | None:
    """The stored review of any version of the program; None without one that can be read.

    Args:
        path: The file of the review.
    """
    with contextlib.suppress(*_DAMAGE):
        data = _read(path)
        return None if data is None else from_json(data["review"])
    return None


def store_review(
    path: Path, match: AnyMatch, analyst: AnyAnalyst, names: Sequence[str], review: Review
) -> bool:
    """Store a review, complete or partial.

    Returns:
        Whether it was written. A read-only folder is not an error.
    """
    written = to_json(review)
    data = {
        "boardgames_review": FORMAT,
        "key": review_key(match, analyst, names),
        "digest": digest_of(written),
        "review": written,
    }
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    with contextlib.suppress(OSError, ValueError, StorageError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text, PRIVATE_MODE)
        return True
    return False


def digest_of(review: Any) -> str:
    """A fingerprint by which a damaged review is recognised."""
    text = json.dumps(review, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def review_of(
    path: Path | None,
    match: AnyMatch,
    analyst: AnyAnalyst,
    names: Sequence[str],
    seats: Sequence[str] = (),
    progress: Callable[[Reviewer], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    notes: Sequence[tuple[int, str]] = (),
) -> Review:
    """Load the review of a game, or make and store it.

    If it is interrupted (by `cancelled`, or by an exception from ``progress``), the partial review
    is stored.

    Args:
        path: The file of the review; None stores nothing.
        match: The game, which is over.
        analyst: The analyst.
        names: The names of the seat holders.
        seats: Their specifications.
        progress: Called after every reviewed step.
        cancelled: Asked before every step; True ends the work.
        notes: The remarks of the game's log, each with its ply.
    """
    known = None if path is None else load_review(path, match, analyst, names)
    if known is not None and known.is_complete:
        return known
    reviewer = Reviewer(match, analyst, names, seats, known, notes)
    written = -_STORE_EVERY  # what has begun is found again
    try:
        while not cancelled() and reviewer.advance():
            progress(reviewer)
            if path is not None and time.monotonic() - written > _STORE_EVERY:
                store_review(path, match, analyst, names, reviewer.review())
                written = time.monotonic()
    finally:
        review = reviewer.review()
        if path is not None:
            store_review(path, match, analyst, names, review)
    return review


@dataclass(frozen=True, slots=True)
class ReviewNews:
    """The progress of a review."""

    review: Review | None
    """The review so far; None if there can be none."""
    problem: str = ""
    """Why the review can't continue; empty if it can, or if it is complete."""
    before: GameProfile | None = None
    """The person's earlier games, with a complete review."""


class GivesWay:
    """Called between the steps of work that nobody waits for: rests as long as the step took.

    Attributes:
        is_urgent: Set once somebody waits for the work, which then goes on without rests.
    """

    def __init__(self) -> None:
        self.is_urgent = threading.Event()
        self._since = time.monotonic()

    def __call__(self) -> None:
        """Rest."""
        self.is_urgent.wait(min(time.monotonic() - self._since, _LONGEST_REST))
        self._since = time.monotonic()


@dataclass
class _ReviewJob(CancellableJob[ReviewNews]):
    """Reviews a game, and stores the review next to its save, also one that is stopped."""

    match: AnyMatch
    names: Sequence[str]
    seats: Sequence[str]
    file: Path | None
    notes: Sequence[tuple[int, str]]
    find_before: Callable[[], GameProfile | None]
    give_way: GivesWay = field(default_factory=GivesWay)

    def run(self, deliver: Callable[[ReviewNews], None]) -> None:
        told = time.monotonic()
        latest: Review | None = None

        def tell(reviewer: Reviewer) -> None:
            nonlocal told, latest
            if time.monotonic() - told >= _NEWS_SECONDS:
                latest = reviewer.review()
                deliver(ReviewNews(latest))
                told = time.monotonic()
            self.give_way()

        try:
            # Here, because some packages that analysts import take a second.
            analyst = analyst_for(self.match.game, tuple(self.seats))
            done = review_of(
                self.file,
                self.match,
                analyst,
                self.names,
                self.seats,
                tell,
                self.cancelled.is_set,
                self.notes,
            )
            deliver(ReviewNews(done))
            if done.is_complete and (before := self.find_before()) is not None:
                deliver(ReviewNews(done, before=before))
        except GameError as error:
            deliver(ReviewNews(latest, str(error)))
        except Exception as error:  # an analyst of a plug-in may raise anything
            deliver(ReviewNews(latest, f"The review failed ({describe_error(error)})."))


class ReviewThread:
    """Reviews a game in the background.

    Args:
        match: The game; it is not modified.
        names: The names of the seat holders.
        seats: Their specifications.
        file: Where the review is stored; None stores nothing.
        deliver: Called in the thread with the review so far, from time to time and at the end.
        notes: The remarks of the game's log, each with its ply.
        find_before: Looks up the person's earlier games, in the thread.
    """

    def __init__(
        self,
        match: AnyMatch,
        names: Sequence[str],
        seats: Sequence[str],
        file: Path | None,
        deliver: Callable[[ReviewNews], None],
        notes: Sequence[tuple[int, str]] = (),
        find_before: Callable[[], GameProfile | None] = lambda: None,
    ) -> None:
        self._job = _ReviewJob(match, names, seats, file, notes, find_before)
        self._thread = Background("review", deliver)

    def start(self) -> None:
        """Start the review; that there is no analyst is news.

        Raises:
            GameError: The game is not over.
        """
        match, file = self._job.match, self._job.file
        check_reviewable(match, "shown" if file is None else file.stem)
        # The cached list is created here, because two threads must not create it at once.
        _ = match.steps
        self._thread.put(self._job)

    def hurry(self) -> None:
        """Go on at full speed: somebody waits for it."""
        self._job.give_way.is_urgent.set()

    def stop(self) -> None:
        """Stop; the partial review is stored."""
        self._thread.stop()
